"""Commands and buttons of interviews, killed at each of their steps: nothing is lost, and nothing comes twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.service.interview_values import Party, View
from tests.support.commanding import Desk, open_desk
from tests.support.interviews import EVERYTHING
from tests.support.recorded_steps import KilledError, Recording
from tests.telegram.people import Sent


def party(d: Desk) -> Party:
    return Party(f"telegram:{d.owner.id}", f"telegram:{d.office.id}:0")


async def begun(d: Desk, *messages: str) -> View:
    """An interview in which some things were said, and what the chat shows of it."""
    view = await d.services.parts.interviews.create(party(d), "bug_report")
    for message in messages:
        view = await d.services.parts.interviews.post(party(d), view.session.id, message)
    return view


async def _begins(d: Desk) -> Sent:
    return d.owner.says(d.office, "/interview bug_report")


async def _takes_back(d: Desk) -> Sent:
    await begun(d, "the editor", "2.1")
    return d.owner.says(d.office, "/undo")


async def _finishes(d: Desk) -> Sent:
    await begun(d, EVERYTHING, "1")
    return d.owner.says(d.office, "/finish")


async def _finishes_too_early(d: Desk) -> Sent:
    await begun(d, "the editor")
    return d.owner.says(d.office, "/finish")


async def _closes(d: Desk) -> Sent:
    await begun(d, "the editor")
    return d.owner.presses(await d.ask("/finish"), "Close it as it is")


async def _answers(d: Desk) -> Sent:
    await begun(d, EVERYTHING)
    return d.owner.presses(await d.ask("/status"), "It is a nuisance")


async def _exports(d: Desk) -> Sent:
    await begun(d, "the editor")
    return d.owner.says(d.office, "/export")


async def _asks_why(d: Desk) -> Sent:
    await begun(d, "the editor")
    return d.owner.says(d.office, "/why")


async def _deletes(d: Desk) -> Sent:
    await begun(d, "the editor")
    listed = await d.ask("/interview list")
    await d.presses(d.owner, listed, "Delete 1")
    return d.owner.presses(listed, "Yes")


CASES: dict[Callable[[Desk], Awaitable[Sent]], tuple[str, int, bool]] = {
    _begins: ("Bug report\n\nWhich product", 2, True),
    _takes_back: ("Taken back.", 5, True),
    _finishes: ("The interview is finished.", 6, False),
    _finishes_too_early: ("Still missing:", 4, True),
    _closes: ("The interview is closed as it is.", 5, False),
    _answers: ("✓ severity: minor", 4, True),
    _asks_why: ("the editor", 3, True),
    _deletes: ("The interview is deleted", 0, False),
    _exports: ("The interview as a page", 4, True),
}
"""How the message begins that must come once, how many events there are then, and whether it is still open."""


@pytest.mark.parametrize("has_recorded", [False, True], ids=["effect", "recorded"])
@pytest.mark.parametrize("prepare", CASES, ids=lambda prepare: prepare.__name__.strip("_"))
async def test_kill_changes_nothing_in_what_comes_of_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    prepare: Callable[[Desk], Awaitable[Sent]],
    has_recorded: bool,
) -> None:
    said, events, is_open = CASES[prepare]
    (tmp_path / "whole").mkdir()
    async with open_desk(tmp_path / "whole", monkeypatch) as d:
        whole = Recording()
        await d.handle(await prepare(d), whole)
        steps = list(whole.order)
    assert len(steps) >= 2
    for kill_at in range(1, len(steps) + 1):
        folder = tmp_path / str(kill_at)
        folder.mkdir()
        async with open_desk(folder, monkeypatch) as d:
            sent = await prepare(d)
            before = len(d.office.answers)
            recording = Recording(kill_at, has_recorded)
            with pytest.raises(KilledError):
                await d.handle(sent, recording)
            recording.restart()
            await d.handle(sent, recording)
            new = d.office.answers[before:] if before else d.office.answers
            texts = [answer.text for answer in d.office.answers]
            assert sum(text.startswith(said) for text in texts) == 1, (steps[kill_at - 1], texts)
            assert len(new) <= len({answer.text for answer in new}) + 1
            view = await d.services.parts.interviews.current(party(d), is_open=None)
            kept = (len(view.events), view.session.is_open) if view is not None else (0, False)
            assert kept == (events, is_open), steps[kill_at - 1]
