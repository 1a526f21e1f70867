"""Several machines on one PostgreSQL database are one bot.

    machines.py    what the database records of machines: their heartbeats, and who holds which lease
    membership.py  this machine's own heartbeats, and taking over the work of dead machines
    leading.py     work that one machine does at a time, such as asking Telegram for updates

PostgreSQL and the runner (`bot.jobs.runner`) do the rest: each run is claimed by one machine, records of a
machine that has lost a run are refused, and rows hold everything that machines share, documents included
(`bot.documents.shared`). With a SQLite file there is one machine, and nothing of this room is used.
"""
