"""The state of an interview and a model's reply, as JSON documents.

These classes are the only definition of both forms: the schema files beside them are generated, and a test
compares them. Unknown fields are refused.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, model_validator

from rag.interview.leniency import read_loosely

Status = Literal["collecting", "gating", "ready", "blocked"]
Severity = Literal["critical", "high", "med", "low"]
IssueStatus = Literal["open", "resolved", "dismissed"]
FactStatus = Literal["proposed", "confirmed", "not_applicable", "disputed"]
StepName = Literal["INTERPRET", "GATE_CHECK"]

MAX_OPERATIONS = 50
MAX_PATCH_CHARACTERS = 65_536

Scalar: TypeAlias = str | int | float | bool


class Document(BaseModel):
    """A part of a document: it cannot be changed, and holds no unknown field."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Locale(Document):
    """The language of the talk and the law that applies; an empty jurisdiction if none matters."""

    language: str
    jurisdiction: str = ""


class Meta(Document):
    """What the session is and where it stands."""

    session_id: str
    schema_id: str
    schema_version: str
    stage: Literal["pre_skeleton"] = "pre_skeleton"
    locale: Locale
    status: Status = "collecting"
    created_at: AwareDatetime
    updated_at: AwareDatetime
    state_version: int = Field(default=0, ge=0, description="Goes up by one with each applied turn.")


class IssueEvidence(Document):
    """What an issue rests on: a turn, a fact's path, or a note."""

    kind: Literal["turn", "fact_path", "note"]
    ref: str


class Issue(Document):
    """Something that is missing, contradictory or doubtful."""

    id: str = Field(min_length=1)
    key: str | None = Field(default=None, description="Names the gap, so that it is opened only once.")
    severity: Severity
    status: IssueStatus = "open"
    title: str = Field(min_length=1)
    why_it_matters: str = Field(min_length=1)
    missing_or_conflict: str | None = None
    resolution_hint: str = ""
    requires_user_confirmation: bool | None = None
    evidence: tuple[IssueEvidence, ...] | None = None
    values: tuple[JsonValue, JsonValue] | None = Field(
        default=None, description="Of a contradiction: the value that is noted, and the one that came later."
    )


class DialogueTurn(Document):
    """One message of the talk."""

    id: str
    role: Literal["user", "assistant", "system"]
    text: str
    at: AwareDatetime


class AskedQuestion(Document):
    """A question that was asked, with the path it is about and which of its aspects."""

    id: str
    text: str
    at: AwareDatetime
    path: str
    facet: str = ""
    semantic_fingerprint: str | None = None


class Dialogue(Document):
    """Everything that was said; the history only grows."""

    history: tuple[DialogueTurn, ...] = ()
    asked: tuple[AskedQuestion, ...] = ()


class Limits(Document):
    """How far an interview may go."""

    max_questions_per_run: int = Field(default=20, ge=1)
    max_loops: int = Field(default=3, ge=1, description="Model steps in one turn.")
    max_history_turns: int = Field(default=200, ge=2, description="Turns of a session, of both sides.")
    max_asks_per_path: int = Field(default=2, ge=1)
    recent_turns: int = Field(default=5, ge=1, description="Turns that a prompt shows.")


class Checks(Document):
    """What is checked before the interview is complete."""

    require_user_confirmation_for_assumptions: bool = True
    ask_model_at_gate: bool = Field(
        default=True, description="A model may object to a state that code finds complete."
    )


class Control(Document):
    """Limits and checks. Only the mission pack sets them; a model cannot."""

    limits: Limits = Limits()
    checks: Checks = Checks()
    flags: dict[str, bool] = Field(default_factory=dict)


class GateBlocker(Document):
    """What stands between the state and its end."""

    category: str
    path: str = ""
    missing: str


class Gate(Document):
    """Whether the state is complete."""

    ready_for_skeleton: bool
    summary: str = ""
    blockers: tuple[GateBlocker, ...] | None = None


class Fact(Document):
    """Where the value at a path of the domain comes from.

    ``proposed``: a model concluded it. ``confirmed``: the person said it. ``not_applicable``: the person said
    that there is none. ``disputed``: the person has said two things.
    """

    status: FactStatus
    source_turn: str = ""
    quote: str = ""


class Choice(Document):
    """One answer to choose."""

    id: str = Field(min_length=1)
    label: str = Field(min_length=1)
    value: Scalar


class AskUser(Document):
    """A question to the person."""

    question_id: str | None = None
    question_text: str = Field(min_length=1)
    answer_format: Literal["free_text", "choices"] = "free_text"
    choices: tuple[Choice, ...] | None = None
    why_this_question: str = ""
    links_to_issue_ids: tuple[str, ...] = ()
    path: str = Field(default="", description="JSON pointer of the fact that is asked for.")
    facet: str = Field(default="", description="Which aspect of it, if it has several.")

    @model_validator(mode="after")
    def _check_choices(self) -> AskUser:
        ids = [choice.id for choice in self.choices or ()]
        if self.answer_format == "choices" and (len(ids) < 2 or len(set(ids)) < len(ids)):
            raise ValueError("a question with choices needs at least two, with different ids")
        if self.answer_format == "free_text" and ids:
            raise ValueError("a question for free text has no choices")
        return self


class HaltError(Document):
    """Why a turn could not be worked on; the state is that of before."""

    code: str
    message: str


class NextAction(Document):
    """What happens next. ``ask_user`` and ``error`` are present exactly if the kind says so."""

    kind: Literal["ask_user", "proceed_to_gate", "proceed_to_skeleton", "halt_error"]
    ask_user: AskUser | None = None
    error: HaltError | None = None

    @model_validator(mode="after")
    def _check_parts(self) -> NextAction:
        if (self.ask_user is not None) != (self.kind == "ask_user"):
            raise ValueError("`ask_user` must be present exactly if `kind` is `ask_user`")
        if (self.error is not None) != (self.kind == "halt_error"):
            raise ValueError("`error` must be present exactly if `kind` is `halt_error`")
        return self


class State(Document):
    """Everything that is known in an interview."""

    meta: Meta
    domain: dict[str, JsonValue] = Field(default_factory=dict)
    facts: dict[str, Fact] = Field(default_factory=dict, description="By JSON pointer into `domain`.")
    issues: tuple[Issue, ...] = ()
    dialogue: Dialogue = Dialogue()
    control: Control = Control()
    gate: Gate | None = None
    next_action: NextAction | None = None


class AddOrReplace(Document):
    """Sets a value. `quote` is what the person said of it, word for word."""

    op: Literal["add", "replace", "test"]
    path: str
    value: JsonValue
    quote: str = ""


class Remove(Document):
    """Takes a value away."""

    op: Literal["remove"]
    path: str
    quote: str = ""


JsonPatchOp: TypeAlias = Annotated[AddOrReplace | Remove, Field(discriminator="op")]


class JsonPatch(Document):
    """Changes by RFC 6902; paths begin with ``/domain/``."""

    format: Literal["json_patch"]
    ops: tuple[JsonPatchOp, ...] = Field(default=(), max_length=MAX_OPERATIONS)


class MergePatch(Document):
    """Changes by RFC 7396, of the domain. A null erases nothing here."""

    format: Literal["merge_patch"]
    ops: dict[str, JsonValue] = Field(default_factory=dict)


Patch: TypeAlias = Annotated[JsonPatch | MergePatch, Field(discriminator="format")]


class IssueUpsert(Document):
    """A new issue, or a change of the one with this id or key; a new one must be complete."""

    id: str | None = None
    key: str | None = None
    severity: Severity | None = None
    status: IssueStatus | None = None
    title: str | None = None
    why_it_matters: str | None = None
    missing_or_conflict: str | None = None
    resolution_hint: str | None = None
    requires_user_confirmation: bool | None = None
    evidence: tuple[IssueEvidence, ...] | None = None


class Safety(Document):
    """What a model says of its own work; it may only make things stricter."""

    has_unconfirmed_assumptions: bool = False
    detected_conflict: bool = False
    repeat_question_risk: bool = False


class StepOutput(Document):
    """A model's reply to a step."""

    output_id: str = ""
    step: StepName
    patch: Patch = JsonPatch(format="json_patch")
    issue_updates: tuple[IssueUpsert, ...] = Field(default=(), max_length=MAX_OPERATIONS)
    next_action: NextAction
    rationale: str = ""
    safety: Safety = Safety()
    observations: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _read_loosely(cls, reply: Any) -> Any:  # noqa: ANN401 - whatever a model wrote
        return read_loosely(reply, cls.model_fields.keys())


def schema_of(document: type[Document], name: str, version: str) -> dict[str, Any]:
    """Return the JSON Schema of a document with its name and version."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{name}@{version}",
        **document.model_json_schema(),
    }
