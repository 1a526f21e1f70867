"""The channel Matrix, by `matrix-nio` without end-to-end encryption.

ids.py         ids of Matrix as the service knows them: people, rooms, and numbers of events
connection.py  the homeserver: what is asked of it, and what its errors mean
parsing.py     events as values of the service (pure)
drawing.py     blocks as the HTML and the plain text of a message (pure)
intake.py      records events as durable jobs before the position in the stream moves on
messenger.py   replies in a room
work.py        carries the jobs out
wiring.py      puts the channel together
"""
