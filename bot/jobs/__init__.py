"""Durable work: what was accepted is carried out, once, also when the process is killed in between.

    values.py        a job, and what became of it (pure)
    attempts.py      when a job that crashes the process is given up (pure)
    serializer.py    how the outcome of a step is written as JSON of known types
    step_log.py      what the steps of one job returned
    durable.py       dbos, started and stopped
    workflow.py      a job as a workflow of dbos
    queue_polling.py polls the queue of lanes only when something may have changed
    sqlite_turns.py  lets the writers of its file wait in line
    disk_space.py    whether there is room to go on
    queries.py       what the database of dbos holds of jobs
    personal.py      what of that is a person's, to show it and to erase it
    plain.py         the same in values of JSON (pure)
    recovery.py      what is known of jobs that a dead process had begun
    stranded.py      jobs that wait until their database can be written again
    runner.py        carries jobs out; imported by name, because dbos is slow to load

A job is known by its id: submitted again, it is the same job. Its work is a function of its payload and
of `run_step`; what a named step returned is recorded, so that after a crash the work goes on behind the
last recorded step. Jobs of one lane are carried out one at a time, in order; lanes do not wait for each
other.

To add a step to some work: call ``run_step(name, fn)`` there, list the name in the `STEPS` of its module,
and let a scenario of ``tests/crash`` pass it. A step may run again when the process dies before its outcome
is recorded, so its effect must bear that; one that changes nothing the second time can be light
(``is_light=True``).
"""

from bot.jobs.values import FAILED, DeadLetter, Job, JobState, Work

__all__ = ["FAILED", "DeadLetter", "Job", "JobState", "Work"]
