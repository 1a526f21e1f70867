"""``python -m tools.recorded_terminal``: a chat in the terminal as a moving picture for the README.

The real model answers questions about `demo_files`; Rich draws the terminal, and its lines appear in turn.
"""

from __future__ import annotations

import asyncio
import re
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.text import Text

from bot.settings.tree import Settings
from bot.terminal.drawing import show_answer
from rag.engine import AnswerEngine

_FILES = Path(__file__).parent / "demo_files"
_PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "terminal.svg"
_QUESTIONS = (
    "How do I close the shop?",
    "Which drill is the cheapest?",
    "Within how many days may a customer return a tool?",
    "Do you sell gift cards?",
)
_STEP = 0.35
"""Seconds from line to line."""
_REST = 6.0
"""Seconds that the whole picture stands before it begins again."""
_LINE = re.compile(r'<text (?=[^>]*clip-path="url\(#[\w-]+-line-(\d+)\)")')


async def record(data_dir: Path, model: str) -> str:
    """Ask the questions; return the picture."""
    console = Console(record=True, width=96, file=StringIO(), force_terminal=True)
    async with AnswerEngine.open(data_dir, corpus=_FILES, model=model) as engine:
        for question in _QUESTIONS:
            answer = await engine.answer(question)
            console.print(Text(f'$ thinktwice ask "{question}"', style="bold"))
            show_answer(console, answer)
            console.print()
    return animate(console.export_svg(title="thinktwice"))


def main() -> None:
    """Write the picture; the index of the shop's files is no one else's."""
    settings = Settings.load()
    with TemporaryDirectory() as folder:
        Path(folder, "models").symlink_to(settings.data_dir / "models")
        drawn = asyncio.run(record(Path(folder), settings.models.default))
    _PICTURE.write_text(drawn, encoding="utf-8")


def animate(svg: str) -> str:
    """Return a terminal that Rich has drawn in which its lines appear one after the other, for ever."""
    last = max((int(number) for number in _LINE.findall(svg)), default=0)
    whole = (last + 1) * _STEP + _REST
    frames = "".join(
        f"@keyframes line{n}{{0%,{share:.2f}%{{opacity:0}}{share + 0.5:.2f}%,100%{{opacity:1}}}}"
        f".line{n}{{animation:line{n} {whole:.1f}s infinite}}"
        for n in range(last + 1)
        for share in (100 * n * _STEP / whole,)
    )
    frames += "@media(prefers-reduced-motion:reduce){text{animation:none!important}}"
    # No picture of ours fetches anything: the browser's own font does.
    svg = re.sub(r"@font-face\s*\{[^}]*\}", "", svg)
    moving = re.sub(
        r'<text class="([^"]*)"(?=[^>]*clip-path="url\(#[\w-]+-line-(\d+)\)")',
        r'<text class="\1 line\2"',
        svg,
    )
    return moving.replace("</style>", f"{frames}</style>", 1)


if __name__ == "__main__":
    main()
