"""Draws up the document of an interview from its state; see `outline` for what a pack may write.

Code fills in what the person has confirmed; what is open is a gap with its name. Sections and clauses are
numbered when it is clear which of them stand. Clauses that a model has worded are taken from the log, and
only while they say what the state says; until there is a wording, their facts stand as a list.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final

from babel import Locale, UnknownLocaleError
from babel.dates import format_date
from babel.numbers import format_decimal
from pydantic import JsonValue

from rag.interview.documents import Fact, State
from rag.interview.events import InterviewEvent, Worded
from rag.interview.issues import Say
from rag.interview.missions import Mission, list_choices, show
from rag.interview.outline import Clause, Outline, OutlineError, Section, holds, render
from rag.interview.pointers import find, is_within, join_pointer, matches
from rag.interview.quotes import normalise, states_value
from rag.reasons import Reason

BLANK: Final = "____"
"""What stands in place of a value that is open."""

_DOUBLE_STOP = re.compile(r"(?<!\.)([.!?…])\.(?=\s|$)")
_SPACES = re.compile(r"[ \t]{2,}|\n[ \t]+|\n{3,}")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_CAPITALISED = re.compile(r"\b[^\W\d_]+")
_MOST_PLACES: Final = 100
"""Places of a list that a pack can ask to show although nothing stands in them."""
_MIN_STATED: Final = 0.8
"""Share of a value's terms that a clause must hold. Chosen, not fitted: a model may inflect them."""


@dataclass(frozen=True, slots=True)
class PaperClause:
    """A clause that stands.

    Args:
        number: Its number, such as ``2.1``; empty if the document has none.
        text: What it says; may have several lines.
        facts: The paths of the facts that it states, with their words.
        gaps: The paths of the facts that are open in it.
        wish: What a model could word of it; None: it is fixed.
    """

    number: str
    text: str
    facts: Mapping[str, str]
    gaps: tuple[str, ...]
    wish: Wish | None = None
    is_worded: bool = False


@dataclass(frozen=True, slots=True)
class PaperSection:
    """A section that stands."""

    number: str
    heading: PaperClause
    clauses: tuple[PaperClause, ...]

    @property
    def title(self) -> str:
        """The title of the section."""
        return self.heading.text


@dataclass(frozen=True, slots=True)
class Paper:
    """A document; `faults` are what is wrong with it, each by name: open facts are gaps and no faults."""

    head: PaperClause
    sections: tuple[PaperSection, ...]
    faults: tuple[Reason, ...] = ()

    @property
    def clauses(self) -> Iterator[PaperClause]:
        """The title, and the titles and clauses of all sections."""
        yield self.head
        for section in self.sections:
            yield section.heading
            yield from section.clauses

    @property
    def gaps(self) -> tuple[str, ...]:
        """The paths of the facts that are open, in the order of the document."""
        return tuple(dict.fromkeys(path for clause in self.clauses for path in clause.gaps))

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """What a model could still word."""
        return tuple(clause.wish for clause in self.clauses if clause.wish and not clause.is_worded)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a model is asked to word: the same key for the same request.

    Args:
        stated: The facts: their titles and words.
        terms: The defined terms, which may be used.
    """

    prompt: str
    stated: tuple[tuple[str, str], ...]
    terms: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Name of the wording in the log."""
        written = json.dumps([self.prompt, self.stated, self.terms], ensure_ascii=False)
        return hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()[:32]

    @property
    def listed(self) -> str:
        """The facts as a list, for as long as there is no wording."""
        return "\n".join(f"{title[:1].upper()}{title[1:]}: {words}" for title, words in self.stated)


def draw_up(
    state: State, mission: Mission, say: Say, worded: Mapping[str, str] | None = None
) -> Paper | None:
    """Return the document of an interview as it stands; None if its pack has none.

    An empty wording in `worded`, which has the keys of wishes, stands for the list of facts.
    """
    if mission.document is None:
        return None
    drafting = _Drafting(state, mission, mission.document, say, worded or {})
    return drafting.draw_up()


def list_worded(events: Sequence[InterviewEvent]) -> dict[str, str]:
    """Return what models have worded in an interview, by the keys of wishes."""
    return {key: text for event in events if isinstance(event, Worded) for key, text in event.clauses.items()}


def find_stated(state: State, path: str) -> JsonValue:
    """Return the value at a path if the person stands by all of it; else None."""
    is_assumed_allowed = not state.control.checks.require_user_confirmation_for_assumptions
    accepted = {"confirmed", "proposed"} if is_assumed_allowed else {"confirmed"}

    def stands(known: str, fact: Fact) -> bool:
        return fact.status in accepted or (known != path and fact.status == "not_applicable")

    about = {
        known: fact for known, fact in state.facts.items() if is_within(known, path) or is_within(path, known)
    }
    return find(state.domain, path) if about and all(stands(*one) for one in about.items()) else None


def word_value(mission: Mission, path: str, value: JsonValue, say: Say) -> str:
    """Return a value as people write it: dates and figures by their language, choices by their label."""
    labels = {json.dumps(choice.value): choice.label for choice in list_choices(mission, path)}
    label = labels.get(json.dumps(value))
    if label is not None:
        return label
    locale = _locale(mission.locale.language)
    match value:
        case bool():
            return say("interview-yes" if value else "interview-no")
        case int() | float():
            return str(format_decimal(value, locale=locale))
        case str() if _ISO_DATE.fullmatch(value):
            try:
                return str(format_date(date.fromisoformat(value), "long", locale))
            except ValueError:
                return value
        case list():
            return ", ".join(word_value(mission, path, one, say) for one in value)
        case _:
            return show(value).strip()


def states(text: str, words: str, language: str) -> bool:
    """Return whether a text states a value: its words, or all its figures and names and most of its terms."""
    return normalise(words) in normalise(text) or states_value(text, words, language, _MIN_STATED)


def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")


@dataclass(slots=True)
class _Uses:
    facts: dict[str, str] = field(default_factory=dict)
    gaps: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Drafting:
    """Draws up one document; `uses` is what the text at hand has used."""

    state: State
    mission: Mission
    outline: Outline
    say: Say
    worded: Mapping[str, str]
    numbers: dict[str, str] = field(default_factory=dict)
    terms: dict[str, None] = field(default_factory=dict)
    faults: dict[Reason, None] = field(default_factory=dict)
    uses: _Uses = field(default_factory=_Uses)

    def draw_up(self) -> Paper:
        standing = self._number()
        head = self._clause("", Clause(text=self.outline.title))
        sections = tuple(
            PaperSection(
                number,
                self._clause(number, Clause(text=section.title)),
                tuple(self._clause(its, clause) for its, clause in clauses),
            )
            for number, section, clauses in standing
        )
        paper = Paper(head, sections)
        self._check_terms(paper)
        for path, words in self._missed(paper):
            title = self.mission.title_of(path)
            if find_stated(self.state, path) is None:
                self._fault(Reason("paper-fact-doubtful", {"title": title, "value": words}))
            else:
                self._fault(Reason("paper-fact-missing", {"title": title, "value": words}))
        return replace(paper, faults=tuple(self.faults))

    def _number(self) -> list[tuple[str, Section, list[tuple[str, Clause]]]]:
        standing: list[tuple[str, Section, list[tuple[str, Clause]]]] = []
        for section in self.outline.sections:
            clauses = [one for one in section.clauses if self._holds(section.when) and self._holds(one.when)]
            if not clauses:
                continue
            number = str(len(standing) + 1)
            numbered = [(f"{number}.{place}", clause) for place, clause in enumerate(clauses, 1)]
            self.numbers |= {clause.id: its for its, clause in numbered if clause.id}
            self.numbers[section.id] = number
            if not self.outline.numbered:
                number, numbered = "", [("", clause) for clause in clauses]
            standing.append((number, section, numbered))
        return standing

    def _clause(self, number: str, clause: Clause) -> PaperClause:
        if clause.prompt:
            return self._worded_clause(number, clause)
        text = self._render(clause.text)
        return PaperClause(number, text, self.uses.facts, tuple(dict.fromkeys(self.uses.gaps)))

    def _worded_clause(self, number: str, clause: Clause) -> PaperClause:
        self.uses = _Uses()
        shown = {path: self._fact(path) for path in clause.facts}
        uses = self.uses
        stated = tuple(
            (self.mission.title_of(path), uses.facts[path]) for path in shown if path in uses.facts
        )
        gaps = "\n".join(shown[path] for path in uses.gaps)
        if not stated:
            return PaperClause(number, gaps, {}, tuple(uses.gaps))
        wish = Wish(" ".join(clause.prompt.split()), stated, tuple(self.terms))
        wording = self.worded.get(wish.key)
        text = "\n".join(part for part in (wording or wish.listed, gaps) if part)
        return PaperClause(number, text, uses.facts, tuple(uses.gaps), wish, is_worded=wording is not None)

    def _missed(self, paper: Paper) -> Iterator[tuple[str, str]]:
        language = self.mission.locale.language
        for clause in paper.clauses:
            for path, words in clause.facts.items():
                if not states(clause.text, words, language):
                    yield path, words
        used = {path for clause in paper.clauses for path in clause.facts} | set(paper.gaps)
        for path, fact in self.state.facts.items():
            is_aside = any(matches(path, pattern) for pattern in self.outline.aside)
            if fact.status == "not_applicable" or is_aside or any(is_within(path, one) for one in used):
                continue
            yield path, word_value(self.mission, path, find(self.state.domain, path), self.say)

    def _check_terms(self, paper: Paper) -> None:
        """Look for terms in worded clauses before their definition; fixed ones say what they use."""
        for clause in paper.clauses:
            known = clause.wish.terms if clause.wish and clause.is_worded else tuple(self.terms)
            for term in set(_CAPITALISED.findall(clause.text)) & (self.terms.keys() - {*known}):
                self._fault(Reason("paper-term-undefined", {"term": term}))

    def _render(self, text: str) -> str:
        self.uses = _Uses()
        try:
            written = _SPACES.sub(lambda gap: gap[0][0], render(text, self._functions())).strip()
            return _DOUBLE_STOP.sub(r"\1", written)
        except OutlineError as exc:
            self._fault(Reason("paper-clause-broken", {"text": text, "problem": str(exc)}))
            return ""

    def _holds(self, condition: str) -> bool:
        try:
            return holds(condition, self._functions())
        except OutlineError as exc:
            self._fault(Reason("paper-clause-broken", {"text": condition, "problem": str(exc)}))
            return False

    def _functions(self) -> dict[str, Callable[..., Any]]:
        return {
            "fact": self._fact,
            "has": lambda path: find_stated(self.state, path) is not None,
            "value": lambda path: find_stated(self.state, path),
            "every": self._every,
            "define": self._define,
            "use": self._use,
            "ref": self._ref,
        }

    def _fact(self, path: str, words: Mapping[Any, str] | None = None) -> str:
        value = find_stated(self.state, path)
        if value is not None:
            known = (words or {}).get(value) if isinstance(value, str | int | float) else None
            self.uses.facts[path] = known or word_value(self.mission, path, value, self.say)
            return self.uses.facts[path]
        fact = self.state.facts.get(path)
        if fact is not None and fact.status == "not_applicable":
            return self.say("interview-not-applicable")
        self.uses.gaps.append(path)
        return f"{BLANK} ({self.mission.title_of(path)})"

    def _every(self, path: str, least: int = 0) -> list[str]:
        found = find(self.state.domain, path)
        count = max(min(least, _MOST_PLACES), len(found) if isinstance(found, list) else 0)
        return [path + join_pointer([place]) for place in range(count)]

    def _define(self, *forms: str) -> str:
        self.terms |= dict.fromkeys(form for form in forms if not form.startswith(BLANK))
        return forms[0] if forms else ""

    def _use(self, term: str) -> str:
        if term not in self.terms and not term.startswith(BLANK):
            self._fault(Reason("paper-term-undefined", {"term": term}))
        return term

    def _ref(self, name: str) -> str:
        if name not in self.numbers:
            self._fault(Reason("paper-ref-unknown", {"name": name}))
        return self.numbers.get(name, BLANK)

    def _fault(self, fault: Reason) -> None:
        self.faults[fault] = None
