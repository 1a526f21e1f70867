"""Documents are listed, added as files or pages, replaced and removed by commands."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

from bot.documents import fetching
from bot.telegram.ids import to_peer
from tests.support.commanding import OWNER, Desk, code_in
from tests.support.sites import Reply as SitePage
from tests.support.sites import Site, only_this_site


class TestDocuments:
    async def test_list_turns_its_pages_in_one_message(self, d: Desk) -> None:
        for number in range(18):
            d.workshop.write(**{f"page{number:02}": f"# Page {number}\n\nText of page {number}.\n"})
        await d.ask("/reindex")
        message = await d.ask("/documents")
        assert "Files: 20 (page 1 of 4)" in message.text
        assert [button.text for button in message.buttons[0]] == ["›"]
        for _ in range(3):
            await d.presses(d.owner, message, "›")
        assert "page17.md – Page 17\n1 passage · " in d.office.answers[-1].text
        assert [button.text for button in d.office.answers[-1].buttons[0]] == ["‹"]
        assert len(d.office.answers) == 2
        await d.presses(d.owner, message, data="documents:99")
        assert "(page 4 of 4)" in d.office.answers[-1].text

    async def test_page_is_chosen_by_its_number_and_anything_else_tells_how(self, d: Desk) -> None:
        for number in range(5):
            d.workshop.write(**{f"page{number:02}": f"# Page {number}\n\nText of page {number}.\n"})
        await d.ask("/reindex")
        assert "(page 2 of 2)" in (await d.ask("/documents 2")).text
        assert "the second page" in (await d.ask("/documents java")).text

    async def test_faults_stand_first_with_their_reason(self, d: Desk) -> None:
        (d.workshop.corpus / "scan.pdf").write_text("no pdf", "utf-8")
        await d.ask("/reindex")
        text = (await d.ask("/documents")).text
        assert text.index("scan.pdf") < text.index("backup.md")
        assert "⚠" in text

    async def test_file_with_a_caption_is_a_document_at_once(self, d: Desk) -> None:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        assert d.office.texts == ["✔ Added tea.md. Passages: 1"]
        assert await d.documents() == {"fxstore.md", "backup.md", "tea.md"}
        assert "· added" in (await d.ask("/documents")).text

    async def test_file_that_is_replied_to_is_added(self, d: Desk) -> None:
        ann = d.telegram.user("Ann")
        team = d.telegram.group("Team", [ann, d.owner])
        file = ann.sends_file(team, "tea.md", b"# Tea\n\nAt four.\n")
        message = await d.says(d.owner, team, "/add", reply_to=file)
        assert message.text == "✔ Added tea.md. Passages: 1"

    async def test_name_with_a_path_stays_in_its_folder(self, d: Desk) -> None:
        await d.handle(d.owner.sends_file(d.office, "../../../evil.md", b"# Evil\n\nText.\n", caption="/add"))
        assert (d.workshop.data / "documents" / "evil.md").exists()
        assert d.services.parts.library.uploads.names() == ("evil.md",)

    async def test_same_name_replaces_only_after_a_yes(self, d: Desk) -> None:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        await d.handle(d.owner.sends_file(d.office, "TEA.md", b"# Tea\n\nAt five.\n", caption="/add"))
        question = d.office.answers[-1]
        assert question.text == "A document named tea.md already exists. Replace it?"
        stored = d.workshop.data / "documents" / "tea.md"
        assert b"four" in stored.read_bytes()
        await d.presses(d.owner, question, "Yes")
        assert d.office.answers[-1].text == "✔ Replaced tea.md. Passages: 1"
        assert b"five" in stored.read_bytes()

    async def test_new_version_that_cannot_be_read_does_not_harm_the_old_one(self, d: Desk) -> None:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"", caption="/add"))
        await d.presses(d.owner, d.office.answers[-1], "Yes")
        assert "tea.md could not be read" in d.office.answers[-1].text
        assert b"four" in (d.workshop.data / "documents" / "tea.md").read_bytes()

    @pytest.mark.parametrize(
        ("name", "content", "options", "says"),
        [
            pytest.param("run.exe", b"MZ", {}, "I cannot read files of the type of", id="kind"),
            pytest.param(
                "big.md", b"x", {"size": 21_000_000}, "too big. The maximum size is 20 MB", id="size"
            ),
            pytest.param("scan.pdf", b"no pdf", {}, "scan.pdf could not be read", id="broken"),
            pytest.param("empty.md", b"", {}, "the file is empty", id="empty"),
        ],
    )
    async def test_file_that_cannot_be_used_is_refused_with_the_reason_and_not_kept(
        self, d: Desk, name: str, content: bytes, options: dict[str, Any], says: str
    ) -> None:
        await d.handle(d.owner.sends_file(d.office, name, content, caption="/add", **options))
        assert says in d.office.texts[-1]
        folder = d.workshop.data / "documents"
        assert not folder.exists() or list(folder.iterdir()) == []

    async def test_zip_bomb_is_refused(self, d: Desk) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/document.xml", b"<a>" + bytes(200_000_000))
        await d.handle(d.owner.sends_file(d.office, "bomb.docx", packed.getvalue(), caption="/add"))
        assert "bomb.docx could not be read" in d.office.texts[-1]
        assert await d.documents() == {"fxstore.md", "backup.md"}

    @pytest.mark.parametrize(
        ("language", "name", "content", "says"),
        [
            pytest.param("ru", "scan.pdf", b"no pdf", "это не PDF", id="ru-kind"),
            pytest.param("es", "empty.md", b"", "el archivo está vacío", id="es-empty"),
            pytest.param("zh", "rows.jsonl", b"{}\nno\n", "第 2 行：该行不是有效的 JSON", id="zh-rows"),
            pytest.param("ko", "data.txt", bytes(range(32)) * 9, "텍스트 파일이 아닙니다", id="ko-binary"),
            pytest.param("id", "big.md", b"x", "20 MB", id="id-size"),
            pytest.param("ru", "big.md", b"x", "20 МБ", id="ru-size"),
        ],
    )
    async def test_reason_is_said_in_the_language_of_the_reader(
        self, d: Desk, language: str, name: str, content: bytes, says: str
    ) -> None:
        await d.services.parts.users.set_language(to_peer(OWNER), language)
        size = 21_000_000 if name == "big.md" else None
        await d.handle(d.owner.sends_file(d.office, name, content, caption="/add", size=size))
        assert says in d.office.texts[-1]

    async def test_name_is_code_from_end_to_end(self, d: Desk) -> None:
        name = "Отпуск — `правила` 🏖.md"
        await d.handle(d.owner.sends_file(d.office, name, b"# Tea\n\nAt four.\n", caption="/add"))
        await d.handle(d.owner.sends_file(d.office, "no ending", b"x", caption="/add"))
        added, refused = (code_in(message) for message in d.office.answers[-2:])
        assert added == ["Отпуск — 'правила' 🏖.md"]
        assert refused[0] == "no ending"

    async def test_file_that_telegram_does_not_hand_out_is_asked_for_again(self, d: Desk) -> None:
        d.telegram.fail_next("getFile", description="Bad Request: wrong file_id", times=9)
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea", caption="/add"))
        assert d.office.texts == ["I could not download tea.md from Telegram. Please send the file again."]

    async def test_add_without_a_file_tells_how(self, d: Desk) -> None:
        text = (await d.ask("/add")).text
        assert "caption /add" in text
        assert ".docx" in text
        assert "20 MB" in text

    async def test_added_document_is_removed_after_a_yes(self, d: Desk) -> None:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        question = await d.ask("/remove Tea.md")
        assert question.text == "Remove tea.md? Answers will no longer use it."
        assert await d.documents() == {"fxstore.md", "backup.md", "tea.md"}
        await d.presses(d.owner, question, "Yes")
        assert d.office.answers[-1].text == "✔ Removed tea.md."
        assert await d.documents() == {"fxstore.md", "backup.md"}

    async def test_operators_document_is_never_removed_from_a_chat(self, d: Desk) -> None:
        text = (await d.ask("/remove backup.md")).text
        assert str(d.workshop.corpus / "backup.md") in text
        assert (d.workshop.corpus / "backup.md").exists()

    async def test_added_document_beside_the_operators_of_the_same_name_is_meant_by_its_listed_name(
        self, d: Desk
    ) -> None:
        await d.handle(d.owner.sends_file(d.office, "backup.md", b"# Copy\n\nText.\n", caption="/add"))
        assert "documents/backup.md" in d.office.texts[-1]
        told = (await d.ask("/remove backup.md")).text
        assert "was not added by /add" in told
        assert "send /remove documents/backup.md to remove it" in told
        question = await d.ask("/remove documents/backup.md")
        assert question.text == "Remove documents/backup.md? Answers will no longer use it."
        await d.presses(d.owner, question, "Yes")
        assert d.office.answers[-1].text == "✔ Removed documents/backup.md."
        assert await d.documents() == {"fxstore.md", "backup.md"}

    @pytest.mark.parametrize(
        ("argument", "says"),
        [
            pytest.param("tee.md", "Did you mean: tea.md?", id="a letter"),
            pytest.param("tea", "Did you mean: tea.md?", id="without ending"),
            pytest.param("invoice-2026.pdf", "There is no added document", id="nothing like it"),
            pytest.param("../../knowledge.sqlite3", "There is no added document", id="path"),
            pytest.param("", "Send /remove and the name", id="nothing"),
        ],
    )
    async def test_name_that_is_not_there_is_answered_with_what_may_be_meant(
        self, d: Desk, argument: str, says: str
    ) -> None:
        await d.handle(d.owner.sends_file(d.office, "tea.md", b"# Tea\n\nAt four.\n", caption="/add"))
        assert says in (await d.ask(f"/remove {argument}")).text


class TestPages:
    @pytest.fixture
    def site(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
        monkeypatch.setattr(fetching, "is_public", only_this_site)
        with Site(fxstore=SitePage(b"<h1>Tea</h1><p>Tea is at four.</p>")) as opened:
            yield opened

    async def test_page_is_added_by_its_address(self, d: Desk, site: Site) -> None:
        text = (await d.ask(f"/add {site.url}/fxstore")).text
        assert text.startswith("✔ Added 127.0.0.1-fxstore-")
        assert text.endswith(".html. Passages: 1")
        assert "· added" in (await d.ask("/documents")).text

    async def test_page_that_changed_is_read_again_by_reindex(self, d: Desk, site: Site) -> None:
        await d.ask(f"/add {site.url}/fxstore")
        site.pages["/fxstore"] = SitePage(b"<h1>Tea</h1><p>Tea is at five.</p>")
        assert "changed: 1" in (await d.ask("/reindex")).text
        site.pages["/fxstore"] = SitePage(status=404)
        text = (await d.ask("/reindex")).text
        assert "failed: 1" in text
        assert "answered with status 404" in text

    @pytest.mark.parametrize(
        "argument", ["http://10.0.0.1/", "file:///etc/passwd", "wiki", "http://127.0.0.2/"]
    )
    async def test_other_places_are_refused_in_a_sentence(self, d: Desk, site: Site, argument: str) -> None:
        text = (await d.ask(f"/add {argument}")).text
        assert "could not be read, so it was not added" in text
        assert site.asked == []
