"""/reindex reads the documents anew, shows its progress, and says what changed and what failed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from filelock import FileLock

from bot.telegram.ids import to_peer
from bot.texts import TEXTS
from rag.reasons import Reason
from tests.support.commanding import LANGUAGES, Desk
from tests.telegram.chats import Chat


def _hold_embedding(d: Desk, monkeypatch: pytest.MonkeyPatch, until: asyncio.Event, of: str = "") -> None:
    """Let the embedding of passages wait for an event, if one of their texts contains `of`."""
    embed, loop = d.workshop.embedder.embed_passages, asyncio.get_running_loop()

    def wait_and_embed(texts: Any) -> Any:
        if any(of in text for text in texts):
            asyncio.run_coroutine_threadsafe(until.wait(), loop).result(10)
        return embed(texts)

    monkeypatch.setattr(d.workshop.embedder, "embed_passages", wait_and_embed)


class TestReindexing:
    async def test_file_with_two_faults_is_one_file_with_faults(self, d: Desk) -> None:
        (d.workshop.corpus / "rows.jsonl").write_text('{"id": 1, "text": "Tea."}\nno\nno\n', "utf-8")
        text = (await d.ask("/reindex")).text
        assert "failed: 1" in text
        assert text.count("⚠ rows.jsonl: line ") == 2

    @pytest.mark.parametrize("language", LANGUAGES)
    async def test_files_that_are_skipped_are_named_with_their_reason(self, d: Desk, language: str) -> None:
        for name in ("a.png", "b.png", "c.png", "d.png", "Makefile"):
            (d.workshop.corpus / name).write_text("x", "utf-8")
        await d.services.parts.users.set_language(to_peer(d.owner.id), language)
        text = (await d.ask("/reindex")).text
        pictures, other = text.splitlines()[-2:]
        assert "a.png, b.png, c.png, …" in pictures
        assert TEXTS.reason(Reason("skipped-kind", {"ending": ".png"}), language) in pictures
        assert "4" in pictures
        assert "Makefile" in other
        assert TEXTS.reason(Reason("no-ending"), language) in other

    async def test_report_of_an_added_document_names_all_faults_its_own_first(self, d: Desk) -> None:
        for name in ("a.png", *(f"{number}.pdf" for number in range(12))):
            (d.workshop.corpus / name).write_text("x", "utf-8")
        await d.ask("/reindex")
        rows = b'{"id": 1, "text": "Tea."}\nno\n'
        await d.handle(d.owner.sends_file(d.office, "rows.jsonl", rows, caption="/add"))
        added, own, *_, more, skipped = d.office.texts[-1].splitlines()
        assert (added, more) == ("✔ Added rows.jsonl. Passages: 1", "… and 3 more")
        assert own.startswith("⚠ rows.jsonl: line 2")
        assert skipped == "Not read: a.png (1) – files of the type .png cannot be read"

    async def test_one_message_says_what_changed_and_what_failed(self, d: Desk) -> None:
        d.workshop.write(tea="# Tea\n\nAt four.\n", backup="# Backup\n\nAt noon.\n")
        (d.workshop.corpus / "fxstore.md").unlink()
        (d.workshop.corpus / "scan.pdf").write_text("no pdf", "utf-8")
        message = await d.ask("/reindex")
        assert len(d.office.answers) == 1
        assert message.text.startswith("✔ Documents: 2, passages: 2, in ")
        assert "new: 1 · changed: 1 · removed: 1 · failed: 1" in message.text
        assert "⚠ scan.pdf: " in message.text

    async def test_progress_is_shown_in_the_same_message(
        self, d: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        d.workshop.write(tea="# Tea\n\nAt four.\n")
        shown = asyncio.Event()
        _hold_embedding(d, monkeypatch, shown)
        task = asyncio.create_task(d.ask("/reindex"))
        await d.telegram.until(lambda: any("reading ▓" in edit for edit in _edits(d.office)))
        shown.set()
        message = await task
        assert message.edits[0].startswith("⏳ Reading the documents.")
        assert message.text.startswith("✔")

    async def test_questions_go_on_and_a_second_run_is_refused(
        self, d: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        d.workshop.write(tea="# Tea\n\nAt four.\n")
        go_on = asyncio.Event()
        base = await asyncio.to_thread(d.workshop.open)
        _hold_embedding(d, monkeypatch, go_on, of="Tea")
        task = asyncio.create_task(d.ask("/reindex"))
        await d.telegram.until(lambda: d.services.parts.library.indexing is not None)
        found = await base.search(["Java"])
        refused = await d.ask("/reindex")
        go_on.set()
        await task
        base.close()
        assert {hit.passage.document for hit in found.hits} == {"FxStore", "Backup"}
        assert "Olga started it at " in refused.text

    async def test_run_of_another_process_is_told(self, d: Desk) -> None:
        with FileLock(d.workshop.data / "knowledge.lock"):
            message = await d.ask("/reindex")
        assert (
            message.text == "Another program is reading the documents. Please try again when it has finished."
        )

    async def test_rebuild_reads_everything_after_a_yes(self, d: Desk) -> None:
        before = (await d.services.parts.library.measure_size()).generation
        question = await d.ask("/reindex rebuild")
        assert (await d.services.parts.library.measure_size()).generation == before
        await d.presses(d.owner, question, "Yes")
        assert "new: 0 · changed: 0 · removed: 0" in d.office.answers[-1].text
        assert (await d.services.parts.library.measure_size()).generation == before + 1

    async def test_corpus_that_is_gone_is_said_and_the_old_one_answers(self, d: Desk) -> None:
        d.workshop.corpus.rename(d.workshop.corpus.with_name("moved"))
        assert "does not exist" in (await d.ask("/reindex")).text
        assert await d.documents() == {"fxstore.md", "backup.md"}

    async def test_wrong_word_tells_how(self, d: Desk) -> None:
        assert "/reindex rebuild" in (await d.ask("/reindex everything")).text


def _edits(chat: Chat) -> list[str]:
    return [edit for message in chat.answers for edit in message.edits]
