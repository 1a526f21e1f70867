"""/sets makes sets of documents, and chooses the one that a chat is answered from."""

from __future__ import annotations

import pytest

from bot.telegram.ids import to_peer
from rag.values import DocumentSet
from tests.support.commanding import Desk


class TestDocumentSets:
    async def test_set_is_made_used_listed_reset_and_dropped(self, d: Desk) -> None:
        assert "no document sets" in (await d.ask("/sets")).text
        made = (await d.ask('/sets make Java fx* "other folder/"')).text
        assert "java: fx*, other folder/ (files: 1)" in made
        assert (await d.ask("/sets use java")).text == "This chat is answered from the set java only."
        sets = d.services.parts.document_sets
        assert await sets.of_chat(to_peer(d.office.id)) == DocumentSet(
            ("fx*", "other folder/", "answers by admins/java")
        )
        listed = (await d.ask("/sets")).text
        assert "Document sets: 1" in listed
        assert "This chat is answered from the set java only." in listed
        assert "still uses the set java" in (await d.ask("/sets drop java")).text
        assert (await d.ask("/sets reset")).text == "This chat is answered from all documents."
        assert await sets.of_chat(to_peer(d.office.id)) is None
        assert "is deleted" in (await d.ask("/sets drop java")).text
        assert await sets.all() == {}

    async def test_set_of_another_chat_is_chosen_by_its_id_and_seen_in_private_only(self, d: Desk) -> None:
        team = d.telegram.group("Team", [d.owner])
        await d.says(d.owner, team, "/health")
        await d.ask("/sets make hr hr/")
        assert f"{team.id} is answered from hr only." in (await d.ask(f"/sets use hr {team.id}")).text
        assert f"{team.id}" in (await d.ask("/sets")).text
        other = d.telegram.group("Other", [d.owner])
        assert f"{team.id}" not in (await d.says(d.owner, other, "/sets")).text
        assert await d.services.parts.document_sets.of_chat(to_peer(team.id)) == DocumentSet(
            ("hr/", "answers by admins/hr")
        )

    @pytest.mark.parametrize(
        "argument",
        [
            "make",
            "make x",
            "make x /",
            "make a/b c",
            "use",
            "use x y",
            "reset here",
            "drop",
            "nonsense",
            'make "x',
        ],
    )
    async def test_anything_else_tells_how(self, d: Desk, argument: str) -> None:
        assert "/sets make NAME" in (await d.ask(f"/sets {argument}")).text
        assert await d.services.parts.document_sets.all() == {}

    async def test_unknown_set_is_not_used(self, d: Desk) -> None:
        assert "no set nowhere" in (await d.ask("/sets use nowhere")).text
        assert await d.services.parts.document_sets.of_chat(to_peer(d.office.id)) is None

    async def test_nobody_but_administrators_chooses_documents(self, public: Desk) -> None:
        ann, chat = public.person()
        await public.says(ann, chat, "/sets make x *")
        assert await public.services.parts.document_sets.all() == {}
