"""The documentation states the defaults, lists, labels, sentences and forms of JSON that the code has."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator

import pytest
import typer.main
from telegram.constants import FileSizeLimit
from typer.core import TyperCommand, TyperGroup

from bot import exit_codes
from bot.answer_json import to_json
from bot.cli import app
from bot.conversations.memory import SUMMARY_SECONDS
from bot.doctor.checks import CHECKS
from bot.documents.shared import UPLOADS
from bot.settings.sections import Access, Rates, Telegram
from bot.storage.database import FILE_NAME as CONVERSATIONS_FILE
from bot.telegram.inbound.inbox import COMMAND_SECONDS
from bot.texts import TEXTS
from rag.errors import InputError, ModelError, OperatorError
from rag.evidence import bank
from rag.knowledge import chroma
from rag.knowledge.sources import KINDS
from rag.knowledge.store import FILE_NAME as KNOWLEDGE_FILE
from rag.knowledge.sync import SyncReport
from rag.models.weights import EMBEDDED
from rag.reasons import Reason
from rag.settings import Budget, Knowledge, Models, Review, SelfCorrection
from rag.values import LABELS, Answer, Citation, PassageId, Savings, StepTrace, Usage, Verdict
from tools import generated

ROOT = generated.ROOT
HANDBOOK = ROOT / "docs_corpus"


def _text(name: str) -> str:
    """A page of the handbook; a paragraph is one line, so that sentences can be looked for."""
    return (HANDBOOK / name).read_text(encoding="utf-8")


def test_every_command_is_in_the_handbook() -> None:
    def names(command: TyperCommand | TyperGroup, above: str) -> Iterator[str]:
        yield above
        for name, child in command.commands.items() if isinstance(command, TyperGroup) else ():
            assert isinstance(child, TyperCommand | TyperGroup)
            yield from names(child, f"{above} {name}")

    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    page = _text("command-line.md")
    for name in names(root, "thinktwice"):
        assert f"`{name}" in page, name


_CORRECTION, _BUDGET, _MODELS, _KNOWLEDGE = SelfCorrection(), Budget(), Models(), Knowledge()
_RATES, _TELEGRAM, _ACCESS = Rates(), Telegram(), Access()


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        (
            "settings.md",
            f"is the maximum number of corrections per answer. Its default is {_CORRECTION.max_retries}.",
        ),
        ("settings.md", f"Its default is {_CORRECTION.evaluation_threshold:g}, on a scale from 0 to 1."),
        ("settings.md", f"Its default is `{_CORRECTION.fast_path}`: every message gets a quick draft first"),
        ("settings.md", f"Its default is `{str(_CORRECTION.enabled).lower()}`."),
        (
            "settings.md",
            f"sees word for word. Its default is {_CORRECTION.history_limit}, which is five questions",
        ),
        (
            "settings.md",
            f"{_BUDGET.tokens:,} tokens (`budget.tokens`) and {_BUDGET.seconds:g} seconds (`budget.seconds`)",
        ),
        ("settings.md", f"The budget of one question is {_BUDGET.calls} model calls (`budget.calls`)"),
        ("settings.md", f"the length of a question to {_BUDGET.question_characters:,} characters"),
        ("settings.md", f"passages shown to the writer; its default is {_KNOWLEDGE.top_k}."),
        ("settings.md", f"to {_KNOWLEDGE.passage_budget_tokens:,} tokens, which suits a small model"),
        ("settings.md", f"is the size of a passage, {_KNOWLEDGE.chunk_tokens} words by default"),
        (
            "faq.md",
            f"`self_correction.max_retries` is {_CORRECTION.max_retries} by default and can be set from 0 to 10",
        ),
        (
            "limits.md",
            f"up to {_BUDGET.question_characters:,} characters long (`budget.question_characters`)",
        ),
        ("limits.md", f"up to {_MODELS.answer_tokens} tokens long (`models.answer_tokens`)"),
        ("limits.md", f"{_KNOWLEDGE.max_file_bytes:,} bytes and {_KNOWLEDGE.max_text_chars:,} characters"),
        ("documents.md", f"up to {_KNOWLEDGE.loader_seconds:g} seconds (`knowledge.loader_seconds`)"),
        ("documents.md", f"and {_KNOWLEDGE.loader_memory_mb:,} MB of memory (`knowledge.loader_memory_mb`)"),
        ("documents.md", f"are kept in the file `{KNOWLEDGE_FILE}` in the data folder"),
        ("documents.md", f"in the folder `{chroma.FOLDER}` of the data folder; it is only a cache"),
        ("conversations.md", f"kept in the SQLite file `{CONVERSATIONS_FILE}` in the data folder"),
        ("conversations.md", f"sees the last {_CORRECTION.history_limit} messages of the conversation"),
        ("conversations.md", f"waits at most {SUMMARY_SECONDS:g} second for a summary in progress"),
        ("limits.md", f"One question can cost up to {_BUDGET.calls} model calls"),
        ("what-it-does.md", f"limits every question to {_BUDGET.calls} model calls"),
        ("how-answers-are-checked.md", f"`review.ceiling_seconds` ({Review().ceiling_seconds:g})"),
        ("documents.md", f"up to {_CORRECTION.document_tokens:,} tokens (`self_correction.document_tokens`)"),
        ("models.md", f"Its file `{EMBEDDED.name}` has {EMBEDDED.size / 1e9:.1f} GB."),
        ("models.md", f"from {len(EMBEDDED.packages)} Python packages"),
        ("models.md", f"is tried up to {_MODELS.attempts} times (`models.attempts`)"),
        ("models.md", f"up to {_MODELS.timeout_seconds:g} seconds (`models.timeout_seconds`)"),
        ("models.md", f"looks for Ollama at `{_MODELS.ollama_base_url}`"),
        ("command-line.md", f"{InputError.exit_code} means that the input was wrong"),
        ("command-line.md", f"{OperatorError.exit_code} means that the set-up needs a change"),
        ("command-line.md", f"{ModelError.exit_code} means that a model server refused"),
        (
            "command-line.md",
            f"{exit_codes.UNEXPECTED} means a bug in Think Twice, and {exit_codes.INTERRUPTED} means",
        ),
        ("telegram.md", f"{_RATES.user_per_minute} questions per minute"),
        ("telegram.md", f"{_RATES.user_per_hour} per hour, and a chat {_RATES.chat_per_minute} per minute"),
        ("telegram.md", f"{_RATES.chat_tokens_per_day:,} tokens a day"),
        ("telegram.md", f"up to {_RATES.queue_length} questions can wait (`limits.queue_length`)"),
        ("telegram.md", f"`telegram.max_age_minutes`, {_TELEGRAM.max_age_minutes:g} minutes by default"),
        ("telegram.md", f"With `{_ACCESS.mode}`, the default, only people and groups"),
        ("telegram.md", f"in the folder `{UPLOADS}` of the data folder"),
        ("telegram.md", f"a command older than {COMMAND_SECONDS:g} seconds"),
        ("telegram.md", f"up to {FileSizeLimit.FILESIZE_DOWNLOAD / 1e6:g} MB"),
        (
            "ru/proverka-otvetov.md",
            f"настройка `self_correction.max_retries` равна {_CORRECTION.max_retries}.",
        ),
        ("ru/kratkoe-rukovodstvo.md", f"Разговоры хранятся в файле `{CONVERSATIONS_FILE}`"),
        ("ru/nastroyki-i-ogranicheniya.md", f"не больше {_BUDGET.calls} обращений к модели (`budget.calls`)"),
    ],
)
def test_handbook_names_the_defaults_of_the_code(page: str, sentence: str) -> None:
    assert sentence in _text(page)


def test_handbook_lists_the_file_endings_that_are_read_and_no_others() -> None:
    (paragraph,) = [
        line for line in _text("documents.md").splitlines() if line.startswith("Think Twice reads Markdown")
    ]
    listed, _, _ = paragraph.partition("Files with other endings")

    assert set(re.findall(r"`(\.\w+)`", listed)) == set(KINDS)


def test_handbook_explains_every_label_in_the_words_that_are_shown() -> None:
    english, russian = _text("how-answers-are-checked.md"), _text("ru/proverka-otvetov.md").casefold()
    for label in LABELS:
        assert f"`{label}`" in english
        assert f'"{TEXTS.text(f"label-{label}")}"' in english
        assert f"(`{label}`)" in russian
        assert TEXTS.text(f"label-{label}", "ru").partition(":")[0] in russian


def test_handbook_lists_what_the_doctor_checks() -> None:
    (paragraph,) = [line for line in _text("getting-started.md").splitlines() if "It checks Python" in line]

    for part in CHECKS:
        assert part in paragraph


def test_handbook_names_the_languages_that_the_evidence_knows() -> None:
    names = {
        "en": "English",
        "ru": "Russian",
        "zh": "Chinese",
        "es": "Spanish",
        "id": "Indonesian",
        "ko": "Korean",
        "pt": "Portuguese",
    }
    (paragraph,) = [
        line for line in _text("limits.md").splitlines() if "have phrases for seven languages" in line
    ]

    assert set(bank.languages()) == set(names)
    assert all(name in paragraph for name in names.values())


def _sentences_of_the_code() -> str:
    """Every string of the code, with the pieces of one sentence put together."""
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in ("bot", "rag")
        for path in (ROOT / folder).rglob("*.py")
    )
    catalogues = (ROOT / folder / "texts" / "en.ftl" for folder in ("bot", "rag"))
    code += "\n".join(path.read_text(encoding="utf-8") for path in catalogues)
    return re.sub(r'"\s*\n\s*f?"', "", code).casefold()


def test_troubleshooting_quotes_sentences_that_the_code_says() -> None:
    said = _sentences_of_the_code()
    quotes = [
        quote
        for heading in re.findall(r"^## (.*)$", _text("troubleshooting.md"), re.MULTILINE)
        for quote in re.findall(r'"([^"]+)"', heading)
    ]

    assert len(quotes) > 20
    for quote in quotes:
        # Numbers and names are put in when the sentence is said.
        for fragment in re.split(r"\s*…\s*|\s*\d[\d,]*\s*", quote.casefold()):
            assert fragment.strip(" s") in said, quote


def _keys(value: object) -> object:
    """The form of JSON data: its keys, as deep as they go."""
    if isinstance(value, dict):
        return {key: _keys(inner) for key, inner in value.items()}
    return [_keys(value[0])] if isinstance(value, list) and value else None


def test_readme_shows_the_form_of_ask_json() -> None:
    usage = Usage(1, 2, 3)
    answer = Answer(
        question="q",
        text="a [1]",
        label="verified",
        language="en",
        verdict=Verdict("adequate", Reason("verdict-carried"), 0.9, "evidence"),
        citations=(Citation(1, "d", "s", "q", PassageId("p")),),
        passages=(),
        used_documents=True,
        retries=1,
        usage=dataclasses.replace(usage, by_role={"draft": usage}),
        seconds=1.0,
        trace=(
            StepTrace(
                "draft",
                1.0,
                Reason(
                    "message-read",
                    {"intent": "question", "language": "en", "reason": Reason("stands-alone")},
                ),
            ),
        ),
        savings=Savings(1, 2, {"evidence": Savings(1, 2)}),
    )
    page = (ROOT / "docs" / "use-from-programs.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)

    assert _keys(json.loads(shown)) == _keys(to_json(answer))
    for key in to_json(answer):
        assert f"`{key}`" in _text("command-line.md")


def test_docs_and_handbook_name_the_keys_of_index_json() -> None:
    page = (ROOT / "docs" / "use-from-programs.md").read_text(encoding="utf-8")
    for field in dataclasses.fields(SyncReport):
        if field.name == "state":
            continue  # of the running program alone
        assert f'"{field.name}"' in page
        assert f"`{field.name}`" in _text("command-line.md")
