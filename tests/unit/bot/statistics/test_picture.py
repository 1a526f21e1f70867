"""The picture is one PNG of a bounded size, whatever the period holds and whoever reads it."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from matplotlib.image import imread

from bot.statistics.picture import Words, statistics_png
from bot.statistics.values import Day, Latency, Statistics
from rag.values import LABELS, Label

UNTIL = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
COLOURS: dict[Label, tuple[int, int, int]] = {
    "verified": (0x2A, 0x9D, 0x6F),
    "partly": (0xA6, 0xDC, 0xC0),
    "conversation": (0x3F, 0x68, 0xA8),
    "general": (0x7D, 0xB8, 0xE8),
    "unverified": (0xED, 0xA6, 0x3A),
    "not_in_documents": (0xB0, 0x64, 0x9A),
}


def period(days: int, *asked: Day) -> Statistics:
    since = datetime(2026, 5, 20, tzinfo=UTC) - timedelta(days=days - 1)
    return Statistics(since, UNTIL, questions=sum(day.questions for day in asked), days=asked)


def pixels(image: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return (imread(io.BytesIO(image), format="png")[:, :, :3] * 255).round().astype(np.uint8)


def area(image: bytes, label: Label) -> int:
    return int((pixels(image) == COLOURS[label]).all(axis=2).sum())


BUSY = Day(date(2026, 5, 19), {"verified": 30, "general": 10, "unverified": 5}, Latency(2.0, 9.0))


def test_each_label_is_drawn_as_large_as_its_share() -> None:
    image = statistics_png(period(7, BUSY))
    shown = {label: area(image, label) for label in LABELS}
    key = shown["not_in_documents"]  # never asked: only its mark beside its name
    bars = {label: count - key for label, count in shown.items()}
    assert bars["verified"] / bars["general"] == pytest.approx(3.0, rel=0.1)
    assert bars["general"] / bars["unverified"] == pytest.approx(2.0, rel=0.1)


@pytest.mark.parametrize("days", [1, 7, 30, 365])
def test_picture_of_any_period_is_a_png_of_bounded_size(days: int) -> None:
    asked = tuple(replace(BUSY, day=date(2026, 5, 20) - timedelta(days=n)) for n in range(min(days, 30)))
    image = statistics_png(period(days, *reversed(asked)))
    assert image.startswith(b"\x89PNG")
    assert len(image) < 400_000
    assert pixels(image).shape[:2] == (784, 1260)


def test_empty_period_is_drawn_and_says_so() -> None:
    silent = statistics_png(period(7), Words(nothing="…"))
    said = statistics_png(period(7), Words(nothing="nothing at all was asked in this period"))
    assert (pixels(said) != 255).sum() > (pixels(silent) != 255).sum()


def test_words_are_drawn_in_the_readers_language() -> None:
    english, russian = Words(), Words(questions="Вопросов в день", labels={"verified": "проверено"})
    assert statistics_png(period(7, BUSY), russian) != statistics_png(period(7, BUSY), english)


@pytest.mark.filterwarnings("error")
def test_words_that_the_font_cannot_draw_are_said_in_english() -> None:
    korean = Words("질문", "초", "절반", "19/20", "없음", {"verified": "확인됨", "general": "일반"})
    assert statistics_png(period(7, BUSY), korean) == statistics_png(period(7, BUSY), Words(most="19/20"))


def test_matplotlib_is_loaded_only_to_draw() -> None:
    code = "import sys, bot.statistics.picture; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
