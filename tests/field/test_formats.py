"""Other files that people keep: mails, books, OpenDocument, RTF, notebooks, JSON, and the marks of their tools."""

from __future__ import annotations

import io
import json
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from rag.errors import DocumentError
from rag.knowledge.loaders import loader_of
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.reading import DocumentReader
from rag.knowledge.sources import KINDS, discover
from rag.reasons import Reason
from rag.settings import Knowledge
from tests.support.outlook import outlook_mail


def load(name: str, content: bytes | str) -> Content:
    written = content.encode() if isinstance(content, str) else content
    return loader_of(KINDS[Path(name).suffix])(written, TextLimit(100_000, 10_000_000))


def shown(content: Content) -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in content.sections]


def packed(**parts: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        for name, text in parts.items():
            package.writestr(name.replace("__", "/").replace("_dot_", "."), text)
    return file.getvalue()


def mail(text: str, subject: str = "Keys of the boathouse") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ines Roth <ines@example.org>"
    message["To"] = "crew@example.org"
    message["Date"] = "Tue, 03 Mar 2026 09:14:00 +0000"
    message["Subject"] = subject
    message.set_content(text)
    return message


def test_mail_is_read_with_its_attachments() -> None:
    message = mail("The spare key hangs in locker 12.")
    message.add_attachment(b"Item,Shelf\nRope,B4\n", maintype="text", subtype="csv", filename="stock.csv")
    message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="plan.png")
    message.add_attachment(mail("It was locker 9 before.", "Older"))
    content = load("a.eml", message.as_bytes())
    assert content.title == "Keys of the boathouse"
    head, table, inner = shown(content)
    assert head[1].startswith(
        "From: Ines Roth <ines@example.org>\nTo: crew@example.org\nDate: Tue, 03 Mar 2026"
    )
    assert head[1].endswith("\n\nThe spare key hangs in locker 12.")
    assert table == ("Keys of the boathouse > stock.csv", "| Item | Shelf |\n| --- | --- |\n| Rope | B4 |")
    assert inner[0] == "Keys of the boathouse > Older.eml > Older"
    assert inner[1].endswith("It was locker 9 before.")
    damaged = message.as_bytes().replace(b"Mar 2026", b"Mar " + b"9" * 20)
    assert "c;;" in shown(load("a.eml", damaged.replace(b"To: ", b"To: a: b: c;;")))[0][1]
    unread = Reason("skipped-kind", {"ending": ".png"})
    assert content.notes == (Reason("part-not-read", {"name": "plan.png", "reason": unread}),)


def test_mail_of_html_only_is_read_and_plain_text_is_preferred() -> None:
    message = EmailMessage()
    message["Subject"] = "Rota"
    message.set_content("<p>Shift 3 starts at <s>13:00</s>13:40.</p>", subtype="html")
    assert "Shift 3 starts at 13:40." in shown(load("a.eml", message.as_bytes()))[-1][1]
    both = mail("Plain words.")
    both.add_alternative("<p>Plain</p><p>words.</p>", subtype="html")
    text = "\n".join(text for _, text in shown(load("a.eml", both.as_bytes())))
    assert "Plain words." in text
    unlike = mail("Plain words.")
    unlike.add_alternative("<p>Other words.</p>", subtype="html")
    content = load("a.eml", unlike.as_bytes())
    assert shown(content)[-1][1] == "Other words."  # as mail programs show it
    assert content.notes == (Reason("html-hidden", {"count": 1}),)


def test_mails_within_mails_end() -> None:
    message = mail("The innermost.")
    for number in range(8):
        outer = mail(f"Level {number}.")
        outer.add_attachment(message)
        message = outer
    content = load("a.eml", message.as_bytes())
    assert any(note.code in {"part-not-read", "part-of"} for note in content.notes)
    assert "Level 7." in shown(content)[0][1]


def test_mail_that_outlook_saved_is_read_with_its_attachments() -> None:
    texts = {
        0x0037: "Keys of the shed",
        0x1000: "They hang in locker 31.",
        0x007D: "From: Ines Roth <ines@example.org>",
    }
    content = load(
        "a.msg", outlook_mail(texts, {"stock.csv": b"Item,Shelf\nRope,B4\n", "plan.png": b"\x89PNG"})
    )
    assert shown(content) == [
        ("Keys of the shed", "From: Ines Roth <ines@example.org>\n\nThey hang in locker 31."),
        ("Keys of the shed > stock.csv", "| Item | Shelf |\n| --- | --- |\n| Rope | B4 |"),
    ]
    assert [note.code for note in content.notes] == ["part-not-read"]


def test_what_is_no_mail_of_outlook_says_so() -> None:
    with pytest.raises(DocumentError, match="Outlook"):
        load("a.msg", b"no compound file at all")


def test_book_is_read_in_its_order() -> None:
    container = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    book = (
        '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Knots</dc:title></metadata><manifest>'
        '<item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="p" href="p.png" media-type="image/png"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="gone"/></spine></package>'
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("mimetype", "application/epub+zip")
        package.writestr("META-INF/container.xml", container)
        package.writestr("OEBPS/book.opf", book)
        package.writestr(
            "OEBPS/two b.xhtml",
            "<!DOCTYPE html><html><body><h1>Bends</h1><p>A sheet bend joins two ropes.</p></body></html>",
        )
        package.writestr(
            "OEBPS/one.xhtml", "<html><body><h1>Loops</h1><p>A bowline holds 60 percent.</p></body></html>"
        )
    content = load("a.epub", file.getvalue())
    assert content.title == "Knots"
    assert shown(content) == [
        ("Loops", "A bowline holds 60 percent."),
        ("Bends", "A sheet bend joins two ropes."),
    ]


OFFICE = (
    'xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:style="s" xmlns:draw="d" xmlns:fo="f"'
)  # fmt: skip


def opendocument(body: str, styles: str = "") -> bytes:
    document = (
        f"<office:document-content {OFFICE}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body>{body}</office:body></office:document-content>"
    )
    return packed(**{"content.xml": document})


def test_opendocument_text_is_read() -> None:
    struck = '<style:style style:name="T1"><style:text-properties style:text-line-through-style="solid"/></style:style>'
    content = load(
        "a.odt",
        opendocument(
            "<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
            '<text:h text:outline-level="1">Slipway</text:h>'
            '<text:p>The slip costs <text:span text:style-name="T1">30 </text:span>34<text:s/>EUR<text:note>'
            "<text:note-citation>1</text:note-citation><text:note-body><text:p>Members: 20 EUR.</text:p></text:note-body></text:note>.</text:p>"
            "<text:list><text:list-item><text:p>Bring a hose.</text:p></text:list-item></text:list>"
            "<table:table><table:table-row><table:table-cell><text:p>Day</text:p></table:table-cell><table:table-cell><text:p>Open</text:p></table:table-cell></table:table-row>"
            '<table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>Sunday</text:p></table:table-cell></table:table-row></table:table>'
            "</office:text>",
            struck,
        ),
    )
    assert shown(content) == [
        (
            "Slipway",
            "The slip costs 34 EUR (Members: 20 EUR.).\n\n- Bring a hose.\n\n| Day | Open |\n| --- | --- |\n| Sunday | Sunday |",
        )
    ]


def test_opendocument_sheet_with_a_million_blank_rows_is_read() -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    content = load(
        "a.ods",
        opendocument(
            '<office:spreadsheet><table:table table:name="Fees"><table:table-row>' + cell.format("Boat") + cell.format("Fee")
            + "</table:table-row><table:table-row>" + cell.format("Dinghy") + cell.format("8.50")
            + '</table:table-row><table:table-row table:number-rows-repeated="1048574"><table:table-cell/></table:table-row>'
            + '<table:table-row table:visibility="collapse">' + cell.format("Secret") + "</table:table-row></table:table></office:spreadsheet>"
        ),
    )  # fmt: skip
    assert shown(content) == [("Fees", "| Boat | Fee |\n| --- | --- |\n| Dinghy | 8.50 |")]


def test_rtf_is_read() -> None:
    text = r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\f0 The r\'e9union begins at {\b 10:20}.\par Bring \u8364?5.\par}"
    for damaged in (text, text.replace(r"\ansi", r"\uc-\u99999999\u-70000{\pict\bin}\uc\ansi", 1)):
        assert shown(load("a.rtf", damaged))[0][1].endswith("The réunion begins at 10:20.\nBring €5.")
    with pytest.raises(DocumentError, match="not RTF"):
        load("a.rtf", "Dear all")


def test_notebook_is_read_with_what_its_code_printed() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Tides\n", "High water is at 04:31."]},
        {"cell_type": "code", "source": "level()", "outputs": [
            {"output_type": "stream", "text": ["3.9 m\n"]},
            {"output_type": "display_data", "data": {"image/png": "iVBOR"}}]},
    ]  # fmt: skip
    content = load("a.ipynb", json.dumps({"cells": cells, "nbformat": 4}))
    assert shown(content) == [("Tides", "High water is at 04:31.\n\n```\nlevel()\n```\n\n```\n3.9 m\n```")]


def test_json_is_read_by_its_names() -> None:
    content = load(
        "a.json",
        json.dumps(
            {
                "version": "1.10",
                "limits": {"crew": 6, "night": True, "none": None},
                "berths": [{"name": "A1", "metres": 8}, {"name": "A2", "metres": 12}],
                "rules": ["No wake.", "No fires."],
                "piers": [{"name": "North", "lights": [1, 2]}],
            }
        ),
    )
    assert shown(content) == [
        ("", "version: 1.10"),
        ("limits", "crew: 6\nnight: true\nnone: null"),
        ("berths", "| name | metres |\n| --- | --- |\n| A1 | 8 |\n| A2 | 12 |"),
        ("rules", "- No wake.\n- No fires."),
        ("piers > North", "name: North"),
        ("piers > North > lights", "- 1\n- 2"),
    ]


def test_deep_json_is_a_clear_failure(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[" * 200_000 + "]" * 200_000, encoding="utf-8")
    with DocumentReader(Knowledge()) as reader, pytest.raises(DocumentError, match="nested"):
        reader.read(discover([tmp_path]).sources[0])


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Ask [[Crew/Bosun|the bosun]] or [[Crew/Mate]].", "Ask the bosun or Mate."),
        ("See ![[plan.png|300]] and ![[List#Ropes]].", "See plan.png and List Ropes."),
        ("| [[Berths\\|berth]] | 4 |", "| berth | 4 |"),
        ("The gate closes at ==21:30== sharp.", "The gate closes at 21:30 sharp."),
        ("Open %%not yet%%today.", "Open today."),
        ("%%\nBetween us.\n%%\nFor all.", "For all."),
        ("> [!tip]- Wind\n> Reef at 5.", "> tip: Wind\n> Reef at 5."),
        ('!!! warning "Fuel"\n    No smoking.\n\nDone.', "Fuel:\n\nNo smoking.\n\nDone."),
        ("??? note\n    Folded away.", "note:\n\nFolded away."),
        (
            '=== "Sail"\n\n    Hoist it.\n\n=== "Motor"\n\n    Start it.',
            "Sail:\n\nHoist it.\n\nMotor:\n\nStart it.",
        ),
        (
            'import Tabs from "@theme/Tabs";\n\n<TabItem value="w" label="Winter">\n\nShed 2.\n\n</TabItem>\n\n{/* draft */}End.',
            "Winter:\n\nShed 2.\n\nEnd.",
        ),
        ("`[[kept]]` and `a == b`", "`[[kept]]` and `a == b`"),
        ("```\n!!! note\n[[kept]] ==kept== %%kept%%\n```", "```\n!!! note\n[[kept]] ==kept== %%kept%%\n```"),
        ("if a == 1 and b == 2 then 5 %% 3", "if a == 1 and b == 2 then 5 %% 3"),
        ("We import fish from Norway.", "We import fish from Norway."),
    ],
)
def test_marks_of_note_and_document_tools_are_read_as_shown(written: str, read: str) -> None:
    (section,) = load("a.mdx", written).sections
    collapsed = section.text
    while "\n\n\n" in collapsed:
        collapsed = collapsed.replace("\n\n\n", "\n\n")
    assert collapsed == read


def test_front_matter_can_be_found() -> None:
    content = load(
        "a.md",
        "---\ntitle: Rope store\nowner: deck crew\nversion: 1.10\ntags: [rope, store]\nlayout: wide\n---\nBay 3.",
    )
    assert content.title == "Rope store"
    assert shown(content) == [
        ("Rope store", "- owner: deck crew\n- version: 1.10\n- tags: rope, store\n\nBay 3.")
    ]
