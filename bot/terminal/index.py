"""``thinktwice index``: indexes documents into the knowledge base."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from bot.settings.tree import Settings
from bot.terminal.drawing import show
from bot.views.results import view
from rag.knowledge import sync

_EMPTY = (
    "The knowledge base is empty: put .md, .pdf, .docx, .xlsx or .pptx files into the folder and run "
    "`thinktwice index FOLDER`."
)


class Bars:
    """Progress bars for a sync, one for each phase; a sync without work draws nothing."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,  # in a log, progress bars would leave empty lines
        )
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Bars:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Remove the bars."""
        self._progress.stop()

    def __call__(self, progress: sync.Progress) -> None:
        """Draw the progress of a phase; called in the thread of the sync."""
        if not self._tasks:
            self._progress.start()
        if progress.phase not in self._tasks:
            self._tasks[progress.phase] = self._progress.add_task(progress.phase, total=progress.total)
        self._progress.update(self._tasks[progress.phase], completed=progress.done, total=progress.total)


def index(overrides: dict[str, object], *, rebuild: bool, as_json: bool, pages: Sequence[str] = ()) -> int:
    """Sync the corpus and report what changed.

    Args:
        pages: Addresses of pages or sitemaps that become documents first.

    Returns:
        0, or 1 when documents failed and none could be read.

    Raises:
        ThinkTwiceError: a path does not exist, another sync is running, or the database cannot be used.
    """
    from bot.documents.corpus import fill_chroma, update, web_pages
    from bot.documents.shared import open_shared
    from bot.storage import data_folder

    settings = Settings.load(**overrides)
    data_folder.check_data(settings)
    console = Console(stderr=True)
    shared = open_shared(settings)
    unfetched = [failure for page in pages for failure in web_pages(settings, shared).add(page).failed]
    with Bars(console) as bars:
        report = update(
            settings,
            settings.data_dir,
            rebuild=rebuild,
            on_progress=None if as_json else bars,
            refreshes=not pages,
            shared=shared,
        )
        report = replace(report, failed=(*report.failed, *unfetched))
        if rebuild or report.added or report.changed or report.removed:
            fill_chroma(settings)
    if as_json:
        print(json.dumps(_to_json(report), ensure_ascii=False))  # noqa: T201 - the command's output
    else:
        show(console, view(report, "en"))
        if not report.added + report.changed + report.unchanged:
            console.print(Text(_EMPTY, style="yellow"))
    read = report.added + report.changed + report.unchanged
    return 1 if report.failed and not read else 0


def _to_json(report: sync.SyncReport) -> dict[str, Any]:
    return {
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "unchanged": report.unchanged,
        "failed": [
            {"path": failure.path, "reason": str(failure.reason), **failure.reason.to_json()}
            for failure in report.failed
        ],
        "skipped": [
            {
                "path": skipped.path,
                "files": skipped.files,
                "reason": str(skipped.reason),
                **skipped.reason.to_json(),
            }
            for skipped in report.skipped
        ],
        "chunks": report.chunks,
        "seconds": round(report.seconds, 3),
        "has_news": report.has_news,
    }
