"""The council: models answer, criticise each other anonymously, correct themselves, and one concludes.

Start with `workflow`. Pure, over the values of `rag.values.council`, are `anonymity`, `ballots`,
`aggregation`, `feedback` and `corrections`.

To add a stage, write it in a module of its own with a step and a prompt, and call it in ``workflow.hold``
between its ``…_start`` and its ``…_complete`` event. Name it in ``StageName`` and `STAGES` of
`rag.values.council`, give it a field in ``CouncilRecord`` there, and its part of the stored record in
``record``. People read of it by ``step-<step>`` and ``council-<stage>`` (with ``-`` for ``_``), its
``-title`` and its ``-what`` in every catalogue of ``bot/texts``, and in ``bot/views/councils.py``.
"""

from rag.values.council import STAGES

STEPS = ("assign", *STAGES.values())
"""Names of the steps of a council, besides those that check its conclusion."""
