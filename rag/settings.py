"""The engine's settings: one pydantic model per concern.

`bot.settings.tree` includes them in its tree; users of `rag` alone create them directly. Every field has a
default, a type and a sentence; the table in the handbook is generated from them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, StringConstraints

from rag.addresses import safe_address
from rag.values import Mode

FastPath = Literal["always", "auto", "never"]

AnswerFrom = Literal["auto", "reader", "writer"]

EMBEDDED = "embedded"
"""Name of the model that runs in a child process and needs no server."""

BUNDLED = "bundled"
"""Name of the verifier that ships with the program."""

DecisionKind = Literal["systemone", "openai-decisions"]
"""The two protocols of decision models; the word before the colon of a verifier's name."""

ExpandedPath = Annotated[Path, AfterValidator(Path.expanduser)]
"""A path with ``~`` replaced by the home folder, because no shell does it for files."""


class Section(BaseModel):
    """A group of settings; immutable, and unknown names are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class SelfCorrection(Section):
    """How an answer is checked and corrected."""

    enabled: bool = Field(
        True,
        description="Check every draft and correct it; off: the first draft goes out, marked as not verified.",
    )
    mode: Mode = Field(
        "balanced",
        description="How much checking an answer gets unless a chat or a question says otherwise: `quick` (free checks and evidence), `balanced` (also the judge when they do not decide), `careful` (also reviewer and critic).",
    )
    free_checks: bool = Field(
        True,
        description="Look for faults of form before any model does (wrong language, cut off, leftovers, broken markup), and mend the small ones; off: only an empty text counts as faulty.",
    )
    judge: bool = Field(
        True,
        description="Ask the judge when rules and evidence do not decide; off: such an answer is not verified.",
    )
    judge_patience_seconds: float = Field(
        20.0,
        ge=0.0,
        description="Seconds beyond its usual time after which the judge is left out; the answer is then not verified.",
    )
    answer_from: AnswerFrom = Field(
        "auto",
        description="How an answer from documents comes about: `writer` has one model write it from all passages; `reader` quotes the sentence in which the verifier finds the answer, without asking a model; `auto` takes `reader` in mode `quick` and for the embedded model, and `writer` for every other.",
    )
    documents_only: bool = Field(
        False,
        description="Answer from documents only: what only general knowledge could answer is called not in the documents.",
    )
    document_tokens: int = Field(
        6_000,
        ge=200,
        description="Tokens of a document that is read as a whole, because somebody asked for its summary; of a longer one evenly chosen passages are read, and the answer says so.",
    )
    max_retries: int = Field(2, ge=0, le=10, description="Maximum number of corrections per answer.")
    evaluation_threshold: float = Field(
        0.7,
        ge=0.0,
        le=1.0,
        description="Minimum confidence of a verdict; below it, the judge or the documents decide.",
    )
    fast_path: FastPath = Field(
        "always",
        description="When to draft without documents: `always`; `auto` (not when the documents clearly cover the question); `never` (documents first).",
    )
    history_limit: int = Field(
        10, ge=0, le=200, description="Messages of the conversation a model sees; older ones are summarised."
    )


class Review(Section):
    """How an answer is reviewed before it is judged (mode `careful`)."""

    enabled: bool = Field(True, description="Let a reviewer look for faults, and mend the small ones.")
    patience_seconds: float = Field(
        20.0,
        ge=0.0,
        description="Seconds beyond its usual time after which the reviewer is left out. A reviewer that repairs an answer writes all of it again, which takes longer than approving it.",
    )
    ceiling_seconds: float = Field(
        30.0,
        gt=0,
        description="Seconds after which the reviewer is left out in any case, from its first call on.",
    )


class Critique(Section):
    """How an answer that is not verified is scored and refined (mode `careful`)."""

    enabled: bool = Field(True, description="Let a critic score an answer that is not verified.")
    threshold: float = Field(0.75, ge=0.0, le=1.0, description="An answer that scores less is refined.")
    rounds: int = Field(1, ge=0, le=5, description="Maximum number of refinements per answer; 0 only scores.")
    conversation_rounds: int = Field(
        2, ge=0, le=5, description="Maximum number of refinements per answer in a conversation."
    )
    shortest_characters: int = Field(50, ge=0, description="A shorter answer is neither scored nor refined.")
    answer_characters: int = Field(
        2000,
        ge=100,
        description="Characters of the answer that the critic reads; a longer answer is not refined.",
    )
    question_characters: int = Field(
        500, ge=50, description="Characters of the question that the critic reads."
    )
    patience_seconds: float = Field(
        3.0, ge=0.0, description="Seconds beyond its usual time after which the critic is left out."
    )
    ceiling_seconds: float = Field(
        15.0,
        gt=0,
        description="Seconds after which a call of the critic or the refiner is left out in any case, from the first one on.",
    )
    recursive: bool = Field(
        False,
        description="Have each critique criticised: points that the second critic rejects are not refined, and the less it agrees, the nearer the score moves to the threshold.",
    )
    embedded: bool = Field(
        False,
        description="Also let the embedded model criticise and refine what it wrote itself, which was not measured to help.",
    )


class Budget(Section):
    """Limits of one question."""

    calls: int = Field(
        8,
        ge=1,
        description="Model calls for one question; asking again for a reply that could not be read counts as well.",
    )
    tokens: int = Field(30_000, ge=1, description="Input and output tokens for one question.")
    seconds: float = Field(300.0, gt=0, description="Seconds for one question; no call starts after that.")
    question_characters: int = Field(8_000, ge=1, description="A longer question is refused with a sentence.")


class Price(Section):
    """The price of a model per million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False, description="A million tokens read.")
    output: float = Field(ge=0, allow_inf_nan=False, description="A million tokens written.")


class Prices(Section):
    """The prices of models. A model that is not listed has no known price; the embedded one is free."""

    currency: str = Field(
        "USD", min_length=1, max_length=10, description="Name of the currency that prices are given in."
    )
    models: dict[str, Price] = Field(
        default_factory=dict,
        examples=[{"openai:NAME": {"input": 0.5, "output": 2.0}}],
        description='Price of a million tokens by model, e.g. `{"openai:NAME" = {input = 0.5, output = 2.0}}`; a model without one is shown with its tokens only, `embedded` costs nothing.',
    )


def _without_repetition(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"{name} is named twice; the same model sits twice only in two seats of council.seats"
            )
    return names


def _known_verifier(name: str) -> str:
    kind, _, model = name.partition(":")
    if name in {BUNDLED, "chat"} or (kind in {"chat", *get_args(DecisionKind)} and model.strip()):
        return name
    raise ValueError(
        f"{name!r} is no verifier; write `{BUNDLED}`, `systemone:NAME`, `openai-decisions:NAME`, `chat` or "
        "`chat:` before the name of a chat model"
    )


class Models(Section):
    """Which model does which job, such as `embedded`, `openai:NAME`, `ollama:NAME` or `anthropic:NAME`."""

    default: str = Field(
        "", description="The model of every role that has none of its own; empty: `embedded`."
    )
    draft: str = Field("", description="Model for the first draft.")
    judge: str = Field("", description="Model that judges a draft when rules and evidence do not decide.")
    writer: str = Field("", description="Model that writes from documents.")
    reader: str = Field(
        "", description="Model that reads a cited passage a second time; empty: the one of the judge."
    )
    verifier: Annotated[str, AfterValidator(_known_verifier)] = Field(
        BUNDLED,
        description="What reads the passages to check an answer: `bundled` (a small reader that ships with the program), `systemone:NAME` (a decision model behind `/v1/systemone`), `openai-decisions:NAME` (OpenAI's Decisions API), `chat` (the model of `models.reader`, which does not see the answer) or `chat:NAME` (another chat model).",
    )
    verifier_base_url: str = Field(
        "",
        description="Address of the decision model's server; empty: the one of Ollama for `systemone`, the one for `openai:` models for `openai-decisions`.",
    )
    verifier_api_key: SecretStr = Field(SecretStr(""), description="Key for `models.verifier_base_url`.")
    reviewer: str = Field("", description="Model that reviews and repairs.")
    critic: str = Field("", description="Model that scores and criticises.")
    choices: Annotated[tuple[str, ...], AfterValidator(_without_repetition)] = Field(
        (),
        examples=[["ollama:qwen3:8b", "openai:NAME"]],
        description="Models that can be chosen for a chat with `/model`: the chosen one writes the drafts and answers there. The other roles keep theirs.",
    )
    openai_base_url: str = Field(
        "",
        description="Address of an OpenAI-compatible server; empty: OpenAI's own. Also read from `OPENAI_BASE_URL`.",
    )
    openai_api_key: SecretStr = Field(
        SecretStr(""), description="Key for that server. Also read from `OPENAI_API_KEY`."
    )
    keys: dict[str, SecretStr] = Field(
        default_factory=dict,
        examples=[{"anthropic": "…"}],
        description='Keys of other providers, e.g. `{anthropic = "…"}`; without one, the provider\'s own variable is read, such as `ANTHROPIC_API_KEY`.',
    )
    ollama_base_url: str = Field("http://127.0.0.1:11434/v1", description="Address of an Ollama server.")
    answer_tokens: int = Field(
        700,
        ge=16,
        description="Maximum length of an answer; raise it for models that think before they write.",
    )
    reply_tokens: int = Field(
        400,
        ge=16,
        description="Maximum length of a judge's or a rewriter's reply; raise it for models that think.",
    )
    reading_tokens: int = Field(
        40,
        ge=8,
        description="Maximum length of what is read out of one passage; raise it for models that think.",
    )
    timeout_seconds: float = Field(120.0, gt=0, description="A call that takes longer counts as failed.")
    first_patience_seconds: float = Field(
        30.0,
        ge=0.0,
        description="What counts as the usual time of a judge, reviewer or critic of which too few calls are known; three times the slowest answer so far when that is longer.",
    )
    connect_timeout_seconds: float = Field(
        5.0, gt=0, description="A server that does not take the connection for this long counts as dead."
    )
    attempts: int = Field(
        2, ge=1, le=10, description="Tries of one call before it counts as failed (dead server, 429, 5xx)."
    )
    embedded_threads: int = Field(0, ge=0, description="Threads of the embedded model; 0: all cores.")
    embedded_context: int = Field(
        8192, ge=1024, description="Context window of the embedded model in tokens."
    )
    embedded_url: str = Field(
        "https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        description="HTTPS address of the embedded model's file, used where its packages are not installed. Any address will do: the file's hash is checked.",
    )
    embedded_path: ExpandedPath | None = Field(
        None, description="A model file (GGUF) that is already there; its hash is checked as well."
    )

    def with_writer(self, name: str) -> Models:
        """Return these settings with another model for the roles that write answers."""
        return self.model_copy(update={"draft": name, "writer": name})

    def named(self, role: str) -> str:
        """Return the name of the model for `role`; the reader defaults to the judge's model.

        A verifier that is a chat model is the reader, and the other way round.
        """
        kind, _, model = self.verifier.partition(":")
        if role == "verifier" and kind != "chat":
            return self.verifier
        if role in {"reader", "verifier"}:
            own = (model if kind == "chat" else "") or self.reader or self.judge
        else:
            own = getattr(self, role, "")
        return own or self.default or EMBEDDED


def _checked_address(address: str) -> str:
    if not safe_address(address.replace("{path}", "x").replace("{page}", "x")):
        raise ValueError("it must be an http or https address without a user name")
    return address


Address = Annotated[str, AfterValidator(_checked_address)]
"""An address of the web, with ``{path}`` or ``{page}`` where the name of a file goes."""

LoaderName = Annotated[
    str, StringConstraints(pattern=r"^langchain_community\.document_loaders:[A-Z]\w*Loader$")
]
"""A document loader. Nothing else can be imported, because a settings file must not run code."""


def _plain_patterns(patterns: tuple[str, ...]) -> tuple[str, ...]:
    if any(not pattern.strip() or set(pattern) & set("!#\\[]\n") for pattern in patterns):
        raise ValueError("a pattern is a name, or a path with * and ?")
    return patterns


class Seat(Section):
    """A model with its own server, temperature and limits; the defaults are those of `models`."""

    model: str = Field(min_length=1, description="Name of the model, as in `models.default`.")
    base_url: str = Field("", description="Address of its server.")
    api_key: SecretStr = Field(SecretStr(""), description="Key for that server.")
    temperature: float | None = Field(None, ge=0.0, le=2.0, description="0 is deterministic.")
    answer_tokens: int | None = Field(None, ge=16, description="Length of a text at the most.")
    timeout_seconds: float | None = Field(None, gt=0, description="A call that takes longer has failed.")
    persona: str = Field(
        "",
        max_length=1_000,
        description="What this member of the council stands for, such as `You look for what could go wrong.`",
    )


class Council(Section):
    """The models of the council. A name is that of a seat, or of a model."""

    members: Annotated[tuple[str, ...], AfterValidator(_without_repetition)] = Field(
        (), max_length=26, description="Seats or models that answer, and judge each other."
    )
    chairman: str = Field(
        "", description="Seat or model that concludes from what the members say; empty: `models.default`."
    )
    seats: dict[str, Seat] = Field(
        default_factory=dict,
        examples=[{"strict": {"model": "openai:NAME", "temperature": 0.0}}],
        description='Models with a server, a temperature or limits of their own, by name, e.g. `{strict = {model = "openai:NAME", temperature = 0.0}}`; also `base_url`, `api_key`, `answer_tokens`, `timeout_seconds`, `persona`.',
    )

    self_correction: bool = Field(
        True, description="Members correct their answers from their peers' reviews (stage 2.5)."
    )
    patience_seconds: float = Field(
        120.0,
        gt=0,
        description="A member that takes this much longer than it usually does is not waited for.",
    )
    review_tokens: int = Field(800, ge=100, description="Length of one member's review at most.")
    feedback_tokens: int = Field(
        2_000, ge=100, description="Length of the reviews that a member is shown; longer ones are shortened."
    )
    tokens: int = Field(150_000, ge=1, description="Input and output tokens for one council.")
    seconds: float = Field(900.0, gt=0, description="Seconds for one council; no call starts after that.")

    @property
    def seated(self) -> tuple[str, ...]:
        """The names of all members, the chairman last, without duplicates."""
        return tuple(dict.fromkeys(name for name in (*self.members, self.chairman) if name))

    def seat(self, name: str) -> Seat:
        """Return the seat with a name; a name without a seat is that of a model."""
        return self.seats.get(name) or Seat(model=name)


class Knowledge(Section):
    """How documents are read, split and searched."""

    embedding: str = Field(
        "auto",
        description="`auto` (by the languages of the corpus and of its questions), `minilm` (English, fast), `multilingual`, `openai:NAME` or `ollama:NAME`.",
    )
    chunk_tokens: int = Field(
        220,
        ge=32,
        le=1000,
        description="Size of a passage in words or, for Chinese and its like, in half as many characters.",
    )
    top_k: int = Field(5, ge=1, le=50, description="Maximum number of passages shown to the writer.")
    passage_budget_tokens: int = Field(1100, ge=100, description="Tokens of all passages that a writer sees.")
    max_file_bytes: int = Field(50_000_000, ge=1, description="A larger file is reported and left out.")
    max_text_chars: int = Field(5_000_000, ge=1, description="A document with more text is left out.")
    exclude: Annotated[tuple[str, ...], AfterValidator(_plain_patterns)] = Field(
        (".git", "node_modules", "dist", "build", "target", "venv", ".venv", "__pycache__", "vendor"),
        description="Names of files and folders in the corpus that are left out, or paths with `*` and `?`, as `.gitignore` files write them; what `.gitignore` files in the corpus name is left out too. In the variable: a JSON list.",
    )
    watch_seconds: float = Field(
        30.0,
        ge=0,
        description="Seconds between two looks for changed files that the system did not report, as with network drives; reported changes are read at once. 0: changed files are only read when somebody asks for it.",
    )
    loader_seconds: float = Field(60.0, gt=0, description="Time to read one document.")
    loader_memory_mb: int = Field(1024, ge=128, description="Memory to read one document.")
    ocr_languages: str = Field(
        "",
        pattern=r"^(?:[a-zA-Z]\w*(?:\+[a-zA-Z]\w*)*)?$",
        description="Languages in which pages of a PDF that are only a picture are read by Tesseract, by its names joined with +, e.g. `eng+deu`; the program must be installed (Debian: `tesseract-ocr` and a package a language). Empty: such pages are only named.",
    )
    addresses: dict[ExpandedPath, Address] = Field(
        default_factory=dict,
        examples=[{"/srv/handbook": "https://wiki.example.org/handbook/{path}"}],
        description='Web addresses of the documents by folder, so that sources can be opened, e.g. `{"/srv/handbook" = "https://wiki.example.org/{page}.html"}`. `{path}` stands for the file below the folder, `{page}` for the same without its ending; without either the file is appended.',
    )
    langchain_loaders: dict[str, LoaderName] = Field(
        default_factory=dict,
        examples=[{".csv": "langchain_community.document_loaders:CSVLoader"}],
        description='Loaders of `langchain-community` by file ending, e.g. `{".csv" = "langchain_community.document_loaders:CSVLoader"}`.',
    )


class Prompts(Section):
    """The prompt files to use."""

    folder: ExpandedPath | None = Field(None, description="Folder with prompt files; empty: ours.")
    versions: dict[str, int] = Field(
        default_factory=dict,
        examples=[{"evaluate": 2}],
        description="Version of a prompt by name, e.g. `{evaluate = 2}`; others use the newest.",
    )


class Settings(Section):
    """All settings of an answer engine."""

    self_correction: SelfCorrection = Field(default_factory=SelfCorrection)
    review: Review = Field(default_factory=Review)
    critique: Critique = Field(default_factory=Critique)
    budget: Budget = Field(default_factory=Budget)
    prices: Prices = Field(default_factory=Prices)
    models: Models = Field(default_factory=Models)
    council: Council = Field(default_factory=Council)
    knowledge: Knowledge = Field(default_factory=Knowledge)
    prompts: Prompts = Field(default_factory=Prompts)
