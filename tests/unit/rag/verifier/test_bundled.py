"""The reader that ships with the program, as it is: what any good one does, and what none may do."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rag.errors import OperatorError
from rag.values import Passage, PassageId
from rag.verifier import Claim, bundled, calibration
from rag.verifier.bundled import BundledReader

QUESTION = "Which Java does FxStore need?"
FILLER = " ".join(f"Shelf {n} is painted in another colour than the one beside it." for n in range(100))


def passage(text: str) -> Passage:
    return Passage(PassageId("any"), "guide.md", "Set-up", text)


JAVA = passage("FxStore needs Java 17.")
LEAVE = passage("Everybody has 28 days of leave, and asks the lead for them in writing.")


@pytest.fixture(scope="module")
def reader() -> BundledReader:
    return BundledReader()


async def test_words_that_answer_are_found(reader: BundledReader) -> None:
    (place,) = (await reader.find(QUESTION, [JAVA])).places
    assert "17" in JAVA.text[place.start : place.end]
    assert JAVA.text[place.start : place.end].strip() == JAVA.text[place.start : place.end]
    assert place.passage == JAVA.id


async def test_text_that_says_what_the_passage_says_is_likelier_than_another(reader: BundledReader) -> None:
    claims = [Claim(QUESTION, f"FxStore needs Java {n}.", JAVA) for n in (17, 11)]
    right, wrong = (await reader.carries(claims)).probabilities
    assert 1.0 >= right > wrong >= 0.0


async def test_passage_is_read_alike_whatever_stands_beside_it(reader: BundledReader) -> None:
    first, _ = (await reader.find(QUESTION, [JAVA, LEAVE])).places
    assert (await BundledReader().find(QUESTION, [JAVA])).places == (first,)


async def test_long_passage_is_read_to_its_end(reader: BundledReader) -> None:
    long = passage(f"{FILLER} {JAVA.text} {FILLER}")
    (place,) = (await reader.find(QUESTION, [long])).places
    assert "17" in long.text[place.start : place.end]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\n",
        "\x00\x00 \ud800 Java \udfff",
        "👩‍👩‍👧‍👦 ﷽ ①② Z̷̢͚̈́a",
        "a" * 200_000,
        "字" * 200_000,
        " " * 200_000,
    ],
    ids=["empty", "blank", "surrogates", "signs", "one word", "no spaces", "spaces"],
)
async def test_no_text_makes_it_fail_or_hang(reader: BundledReader, text: str) -> None:
    async with asyncio.timeout(60):
        (place,) = (await reader.find(QUESTION, [passage(text)])).places
        (carried,) = (await reader.carries([Claim(QUESTION, text[:1000], passage(text))])).probabilities
        await reader.find(text, [JAVA])
    assert 0 <= place.start <= place.end <= len(text)
    assert 0.0 <= carried <= 1.0
    assert 0.0 <= place.covers <= 1.0


async def test_nothing_to_read_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "FILES", Path("nowhere"))
    assert (await BundledReader().find(QUESTION, [])).places == ()
    assert (await BundledReader().carries([])).probabilities == ()


@pytest.mark.usefixtures("no_blocking")
async def test_event_loop_is_not_blocked_even_by_the_first_question() -> None:
    calibration._weights.cache_clear()
    fresh = BundledReader()
    await fresh.find(QUESTION, [JAVA])
    await fresh.carries([Claim(QUESTION, JAVA.text, JAVA)])


@pytest.mark.parametrize(
    ("name", "is_missing"),
    [
        ("reader.onnx", True),
        ("pieces.model", True),
        ("SHA256SUMS", True),
        ("reader.onnx", False),
        ("pieces.model", False),
    ],
)
async def test_file_that_is_missing_or_damaged_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_missing: bool
) -> None:
    for file in bundled.FILES.iterdir():
        if file.name != name:
            (tmp_path / file.name).symlink_to(file)
        elif not is_missing:
            content = bytearray(file.read_bytes())
            content[len(content) // 2] ^= 1
            (tmp_path / name).write_bytes(content)
    monkeypatch.setattr(bundled, "FILES", tmp_path)
    with pytest.raises(OperatorError):
        await BundledReader().find(QUESTION, [JAVA])
