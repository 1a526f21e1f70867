"""Durable work: what was accepted is carried out, once, also when the process is killed in between.

    values.py      a job, and what became of it (pure)
    attempts.py    when a job that crashes the process is given up (pure)
    records.py     the outcome of a step as JSON of known types
    journal.py     the rows of runs and steps, in the one database
    steps.py       the steps of one run: carried out, recorded, read back
    runner.py      claims runs and carries them out; imported by name, because it is slow to load
    stranded.py    runs that wait until the database can be written again
    disk_space.py  whether there is room to go on
    personal.py    what is a person's, to show it and to erase it
    plain.py       the same in values of JSON (pure)
    former.py      carries unfinished work of the former version over

A job is known by its id: submitted again, it is the same job. Its work is a function of its payload and
of `run_step`; what a named step returned is recorded, so that after a crash the work goes on behind the
last recorded step. Jobs of one lane are carried out one at a time, in order; lanes do not wait for each
other.

To add a step to some work: call ``run_step(name, fn)`` there, list the name in the `STEPS` of its module
(names of Telegram's steps are read from its code), and let a story of ``tests/crash`` pass it. A step may run
again when the process dies before its outcome is recorded, so its effect must bear that; one that changes
nothing the second time can be light (``is_light=True``).
"""

from bot.jobs.values import FAILED, DeadLetter, Job, JobState, Work

__all__ = ["FAILED", "DeadLetter", "Job", "JobState", "Work"]
