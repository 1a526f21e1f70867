"""The channel Matrix, by `matrix-nio` without end-to-end encryption.

`ids` are people, rooms and numbers of events as the service knows them, `connection` is the homeserver,
`parsing` reads events, `drawing` draws messages, `intake` records events as durable jobs, `channel` carries
these out, and `messenger` replies in a room.
"""
