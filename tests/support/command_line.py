"""``thinktwice`` called with some words, the model that it asks, and the one sentence of a complaint."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

from tests.support import programs
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, Say


def run(
    *words: str, server: str = "", stdin: str | bytes = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with the model of a server if one is named."""
    if server:
        variables = {
            "OPENAI_BASE_URL": server,
            "OPENAI_API_KEY": "a-key",
            "THINKTWICE_MODEL": "openai:test-model",
        } | variables
    return programs.run(*words, variables=programs.environment(**variables), stdin=stdin)


def knows(draft: str, written: str, read: str = "") -> Callable[[Recorded], Behaviour]:
    """Return a model that drafts one text, writes another from passages, and judges when it must.

    Of one passage it reads `read`; left out, the text that it writes.
    """

    def behave(request: Recorded) -> Behaviour:
        if "response_format" in request.body:
            return Say(
                {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9, "query": "other words"}
            )
        if "You read one passage" in json.dumps(request.body["messages"][0]):
            return Say(read or written.removesuffix(" [1]."))
        shown = json.dumps(request.body["messages"][-1], ensure_ascii=False)
        return Say(written if "<passage>" in shown else draft)

    return behave


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    """Return what was said on standard error, which must be one line and no traceback."""
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("thinktwice: ")]
    assert len(lines) == 1, done.stderr
    return lines[0]
