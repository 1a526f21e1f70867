"""What came of reading the documents."""

from __future__ import annotations

from typing import Final

from bot.documents.library import IndexingError
from bot.settings.operator_words import in_operator_words
from bot.texts import TEXTS
from bot.texts.figures import clock_time, duration
from bot.views.blocks import Blocks, List, code, message, paragraph
from rag.errors import KnowledgeBusyError, ThinkTwiceError
from rag.knowledge.sources import grouped
from rag.knowledge.sync import SyncReport

_MOST_FAILURES: Final = 10
_MOST_GROUPS: Final = 8
_NAMED_FILES: Final = 3
_REASON_CHARACTERS: Final = 200


def view(report: SyncReport, language: str) -> Blocks:
    """Return the numbers of documents, and the files that were not read, with the reasons."""

    def text(message: str, **values: str | float) -> str:
        return TEXTS.text(message, language, **values)

    summary = text(
        "reindex-done",
        documents=report.added + report.changed + report.unchanged,
        passages=report.chunks,
        seconds=duration(report.seconds, language),
    )
    changes = text(
        "reindex-changes",
        added=report.added,
        changed=report.changed,
        removed=report.removed,
        failed=len({failure.path for failure in report.failed}),
    )
    messages = unread(report, language)
    listed = (List(tuple((message(each),) for each in messages)),) if messages else ()
    return (paragraph(f"{summary}\n{changes}"), *listed)


def explain_failure(error: ThinkTwiceError, language: str) -> str:
    """Return why the documents were not read: somebody else is reading them, or what went wrong."""
    if isinstance(error, IndexingError):
        busy = error.indexing
        return TEXTS.text("reindex-running", language, who=busy.who or "–", since=clock_time(busy.since))
    if isinstance(error, KnowledgeBusyError):
        return TEXTS.text("reindex-elsewhere", language)
    reason = in_operator_words(TEXTS.reason(error.reason, language))
    return TEXTS.text("reindex-failed", language, reason=reason)


def unread(report: SyncReport, language: str) -> list[str]:
    """Return what was not read: a message for each failure, and one for each reason to skip files."""
    told = [
        f"⚠ {code(one.path)}: {in_operator_words(TEXTS.reason(one.reason, language))[:_REASON_CHARACTERS]}"
        for one in report.failed[:_MOST_FAILURES]
    ]
    if (failures := len(report.failed) - _MOST_FAILURES) > 0:
        told.append(TEXTS.text("documents-more-notes", language, notes=failures))
    groups = grouped(report.skipped)
    for group in groups[:_MOST_GROUPS]:
        files = ", ".join(map(code, group.paths[:_NAMED_FILES])) + (
            ", …" if group.paths[_NAMED_FILES:] else ""
        )
        reason = in_operator_words(TEXTS.reason(group.reason, language))
        told.append(TEXTS.text("skipped-files", language, files=files, count=group.files, reason=reason))
    if more := sum(group.files for group in groups[_MOST_GROUPS:]):
        told.append(TEXTS.text("skipped-more", language, count=more))
    return told
