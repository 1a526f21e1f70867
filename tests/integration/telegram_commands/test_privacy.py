"""What the bot keeps of a person is told, handed out and erased by /privacy."""

from __future__ import annotations

import json
from dataclasses import replace

from bot.jobs.values import Kept
from rag.values import Turn
from tests.support.commanding import Desk, answered, waiting
from tests.support.stored import NOW


class TestPrivacy:
    async def test_what_is_kept_is_told_in_numbers_and_handed_out_as_a_file(self, public: Desk) -> None:
        ann, chat = public.person()
        await answered(public, ann, chat, "Which Java?")
        before: dict[str, object] = {"recall": Turn("user", "x"), "remember": None}
        work = Kept("tg:1:7", "update", "done", '{"text": "Which Java?"}', NOW, before, f"{chat.id}:0")
        elsewhere = replace(work, id="tg:1:8", outcomes={**before, "recall": Turn("user", "y")}, lane="-7:0")
        public.records.held[f"telegram:{ann.id}"] = (work, elsewhere)
        message = await public.says(ann, chat, "/privacy")
        assert "messages of our conversations: 2\n" in message.text
        assert "records of work for you, with the text of your messages: 2\n" in message.text
        assert "are deleted automatically after 7 days" in message.text
        assert await public.presses(ann, message, "Export") == "The file is in this chat."
        sent = chat.answers[-1].attachment["document"]
        content = json.loads(public.telegram.world.files[sent["file_id"]].content)
        assert sent["file_name"] == f"thinktwice-{ann.id}.json"
        assert content["messages"][0]["text"] == "Which Java?"
        shown, in_group = content["work"]
        assert (shown["id"], shown["payload"]) == ("tg:1:7", {"text": "Which Java?"})
        assert shown["outcomes"]["recall"]["text"] == "x"
        # What was said before in a group are the words of others as well.
        assert list(in_group["outcomes"]) == ["remember"]

    async def test_erasing_needs_a_yes_of_the_same_person_and_leaves_the_others_alone(
        self, public: Desk
    ) -> None:
        ann, chat = public.person()
        bob, other = public.person("Bob")
        await answered(public, ann, chat, "Which Java?")
        await answered(public, bob, other, "Which port?")
        work = await waiting(public, ann, chat)
        message = await public.says(ann, chat, "/privacy")
        await public.presses(ann, message, "Delete")
        assert len((await public.services.parts.memory.recall(f"telegram:{chat.id}:0"))[0]) == 2
        await public.presses(ann, chat.answers[-1], "Yes")
        assert "messages (2), questions (1), records of work (0)" in chat.answers[-1].text
        assert "are deleted automatically after 7 days" in chat.answers[-1].text
        assert public.jobs.cancelled == [work]
        assert public.records.erased == [(f"telegram:{ann.id}", {f"{chat.id}:0"})]
        assert await public.services.parts.memory.recall(f"telegram:{chat.id}:0") == ((), "")
        assert len((await public.services.parts.memory.recall(f"telegram:{other.id}:0"))[0]) == 2

    async def test_erased_words_are_in_no_file_of_the_data_folder(self, public: Desk) -> None:
        ann, chat = public.person()
        await answered(public, ann, chat, "Where is the zanzibarbarossa?")

        def holders() -> list[str]:
            files = public.services.parts.settings.data_dir.glob("*.sqlite3*")
            return [path.name for path in files if b"zanzibarbarossa" in path.read_bytes()]

        assert holders() == ["thinktwice.sqlite3-wal"]
        message = await public.says(ann, chat, "/privacy")
        await public.presses(ann, message, "Delete")
        await public.presses(ann, chat.answers[-1], "Yes")
        assert chat.answers[-1].text.startswith("Deleted")
        assert holders() == []

    async def test_somebody_who_was_never_let_in_can_see_and_erase(self, d: Desk) -> None:
        eve, chat = d.person("Eve")
        assert (await d.says(eve, chat, "/privacy")).button("Delete").data == "privacy:erase"
