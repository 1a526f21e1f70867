from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.texts import TEXTS
from bot.views.progress import Progress
from rag.events import Event, StepFinished, StepStarted, Text
from rag.reasons import Reason
from rag.values import StepTrace


def fed(*events: Event) -> Progress:
    progress = Progress()
    for event in events:
        progress.feed(event)
    return progress


def over(step: str, documents: int = 0) -> StepFinished:
    found = Reason("documents-found", {"passages": 5, "documents": documents})
    return StepFinished(StepTrace(step, 1.0, found if documents else Reason("nothing-new")))


def test_line_follows_the_work() -> None:
    progress = Progress()
    lines = [progress.line("en")]
    events: list[Event] = [
        StepStarted("classify"), over("classify"),
        StepStarted("probe"), StepStarted("draft"), over("probe"), over("draft"),
        StepStarted("evaluate"), over("evaluate"),
        StepStarted("retrieve"), over("retrieve", 3),
        StepStarted("regenerate"), over("regenerate"),
        StepStarted("evaluate"),
    ]  # fmt: skip
    for event in events:
        progress.feed(event)
        if progress.line("en") != lines[-1]:
            lines.append(progress.line("en"))
    assert lines == [
        "Reading the message …",
        "Searching the documents …",
        "Drafting …",
        "Checking …",
        "Reading the documents …",
        "Reading 3 documents …",
        "Checking …",
    ]


@pytest.mark.parametrize(
    ("language", "documents", "line"),
    [
        ("en", 1, "Reading 1 document …"),
        ("ru", 1, "Читаю 1 документ …"),
        ("ru", 3, "Читаю 3 документа …"),
        ("es", 2, "Leyendo 2 documentos …"),
        ("zh", 2, "正在阅读 2 份文档 …"),
    ],
)
def test_number_of_documents_is_said_as_the_language_does(language: str, documents: int, line: str) -> None:
    progress = fed(over("retrieve", documents), StepStarted("regenerate"))
    assert progress.line(language) == line


def test_search_again_forgets_what_was_found_before() -> None:
    progress = fed(over("retrieve", 4), StepStarted("retrieve"))
    assert progress.line("en") == "Reading the documents …"
    progress.feed(over("retrieve"))
    progress.feed(StepStarted("regenerate"))
    assert progress.line("en") == "Writing from the documents …"


def test_search_that_goes_on_behind_a_finished_draft_is_shown() -> None:
    progress = fed(StepStarted("draft"), StepStarted("probe"))
    assert progress.line("en") == "Drafting …"
    progress.feed(over("draft"))
    assert progress.line("en") == "Searching the documents …"


def test_draft_text_grows_and_begins_anew_with_the_next_text() -> None:
    progress = fed(StepStarted("draft"), Text("draft", "The por"), Text("draft", "t is 80"))
    assert progress.draft_text == "The port is 80"
    progress.feed(over("draft"))
    progress.feed(StepStarted("regenerate"))
    assert progress.draft_text == "The port is 80"
    progress.feed(Text("regenerate", "It"))
    assert progress.draft_text == "It"
    progress.feed(StepStarted("regenerate", 2))
    progress.feed(Text("regenerate", "No", 2))
    progress.feed(Text("regenerate", "w", 2))
    assert progress.draft_text == "Now"


@given(
    st.lists(
        st.one_of(
            st.sampled_from(["classify", "probe", "draft", "retrieve", "unheard_of"]).map(StepStarted),
            st.sampled_from(["classify", "probe", "draft", "retrieve", "unheard_of"]).map(over),
            st.builds(Text, st.sampled_from(["draft", "regenerate"]), st.text(max_size=3)),
        )
    ),
    st.sampled_from(TEXTS.languages),
)
def test_any_order_of_events_gives_a_line(events: list[Event], language: str) -> None:
    progress = fed(*events)
    assert progress.line(language).endswith(" …")
    assert progress.draft_text in "".join(event.piece for event in events if isinstance(event, Text))
