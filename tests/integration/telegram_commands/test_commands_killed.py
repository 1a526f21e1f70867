"""A process is killed at each step of a command, which is carried out and answered once all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.telegram.ids import to_peer
from tests.support.commanding import OWNER, Desk, Opened, answered
from tests.support.recorded_steps import KilledError, Recording
from tests.telegram.people import Sent


async def _prepared(d: Desk, command: str) -> Sent:
    """Prepare a command, and return the update that carries it out: the command, or the press of its Yes."""
    if command == "add":
        return d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add")
    if command == "reindex":
        d.workshop.write(tea="# Tea\n\nAt four.\n")
        return d.owner.says(d.office, "/reindex")
    if command in {"replace", "remove"}:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
    if command == "replace":
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt five.\n", caption="/add"))
    elif command == "erase":
        await answered(d, d.owner, d.office, "Which Java?")
        await d.presses(d.owner, await d.ask("/privacy"), "Delete")
    else:
        await d.ask(
            {"remove": "/remove tea.md", "rebuild": "/reindex rebuild", "appoint": "/admins add 42"}[command]
        )
    return d.owner.presses(d.office.answers[-1], "Yes")


_ENDS = {
    "add": "✔ Added tea.md. Passages: 1",
    "replace": "✔ Replaced tea.md. Passages: 1",
    "remove": "✔ Removed tea.md.",
    "reindex": "✔ Documents: 3, passages: 3",
    "rebuild": "✔ Documents: 2, passages: 2",
    "erase": "Deleted: messages (2), questions (1)",
    "appoint": "42 is now an administrator.",
}


class TestKills:
    @pytest.mark.parametrize("has_recorded", [False, True], ids=["effect", "recorded"])
    @pytest.mark.parametrize("command", list(_ENDS))
    async def test_command_is_carried_out_once_wherever_the_process_is_killed(
        self, opened: Opened, tmp_path: Path, command: str, has_recorded: bool
    ) -> None:
        async with opened() as d:
            whole = Recording()
            await d.handle(await _prepared(d, command), whole)
            steps = list(whole.order)
        assert len(steps) > 3
        for kill_at in range(1, len(steps) + 1):
            _wipe(tmp_path)
            async with opened() as d:
                sent = await _prepared(d, command)
                before = len(d.office.answers)
                recording = Recording(kill_at, has_recorded)
                with pytest.raises(KilledError):
                    await d.handle(sent, recording)
                recording.restart()
                await d.handle(sent, recording)
                texts = d.office.texts
                assert [text.startswith(_ENDS[command]) for text in texts].count(True) == 1, steps[
                    kill_at - 1
                ]
                extra = len(texts) - before - (command in {"add", "reindex"})
                assert extra <= 1, "at most one placeholder is doubled"
                await self.effect(d, command, texts)

    async def effect(self, d: Desk, command: str, texts: list[str]) -> None:
        documents = await d.documents()
        if command in {"add", "replace", "reindex"}:
            assert documents == {"fxstore.md", "backup.md", "tea.md"}
        else:
            assert documents == {"fxstore.md", "backup.md"}
        if command == "replace":
            assert b"five" in (d.workshop.data / "documents" / "tea.md").read_bytes()
        if command == "reindex":
            assert any("new: 1 · changed: 0 · removed: 0" in text for text in texts), texts
        if command == "rebuild":
            assert any("new: 0 · changed: 0 · removed: 0" in text for text in texts), texts
        if command == "appoint":
            assert (await d.services.parts.users.get(to_peer(42))).role == "admin"
        if command == "erase":
            assert (await d.services.privacy.export(to_peer(OWNER)))["messages"] == []

    @pytest.mark.parametrize("has_recorded", [False, True], ids=["effect", "recorded"])
    @pytest.mark.parametrize(
        "text",
        [
            "/start", "/help", "/ask", "/reset", "/mode quick", "/language ru", "/privacy", "/documents",
            "/stats 30", "/unanswered", "/health", "/allow 42", "/deny 42", "/admins", "/claim wrong",
            "/remove fxstore.md", "/add", "/dance",
        ],
    )  # fmt: skip
    async def test_reply_is_given_once_wherever_the_process_is_killed(
        self, d: Desk, text: str, has_recorded: bool
    ) -> None:
        await answered(d, d.owner, d.office, "Which Java?", "not_in_documents")
        whole = Recording()
        await d.handle(d.owner.says(d.office, text), whole)
        written = [answer for answer in d.office.answers if "photo" not in answer.attachment]
        said = written[-1].text.splitlines()[0]
        for kill_at in range(1, len(whole.order) + 1):
            before = len(d.office.texts)
            sent, recording = d.owner.says(d.office, text), Recording(kill_at, has_recorded)
            with pytest.raises(KilledError):
                await d.handle(sent, recording)
            recording.restart()
            await d.handle(sent, recording)
            texts = d.office.texts[before:]
            assert sum(told.startswith(said) for told in texts) == 1, whole.order[kill_at - 1]
            pictures = sum("photo" in answer.attachment for answer in d.office.answers[-len(texts) :])
            assert pictures <= 1
            assert len(texts) <= 2 + pictures, texts


def _wipe(folder: Path) -> None:
    import shutil

    for name in ("data", "corpus"):
        shutil.rmtree(folder / name, ignore_errors=True)
