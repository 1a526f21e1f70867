"""The council: models answer, criticise each other anonymously, correct themselves, and one concludes.

    workflow     the council from beginning to end: start here
    propose      stage 1: every member answers by itself
    review       stage 2: every member criticises and ranks the others' answers
    correct      stage 2.5: every member corrects its own answer
    conclude     stage 3: the chairman writes the answer
    members      how a member is asked, and what it may do wrong

Pure, over the values of `rag.values.council`:

    anonymity    which letter stands for whose answer, for each reviewer
    ballots      reads a review; only an exact ranking of the shown letters counts
    aggregation  the rankings of all reviewers as one
    feedback     what a member is told of its peers' reviews
    corrections  whether a correction may replace the answer it was made from

To add a stage, write it in a module of its own with a step and a prompt, and call it in ``workflow.hold``
between its ``…_start`` and its ``…_complete`` event. Name it in ``StageName`` and `STAGES` of
`rag.values.council`, give it a field in ``CouncilRecord`` there, and its part of the stored record in
``record``. People read of it by ``step-<step>`` and ``council-<stage>`` (with ``-`` for ``_``), its
``-title`` and its ``-what`` in every catalogue of ``bot/texts``, and in ``bot/views/councils.py``.
"""

from rag.values.council import STAGES

STEPS = ("assign", *STAGES.values())
"""Names of the steps of a council, besides those that check its conclusion."""
