"""Labelled drafts made from labelled questions: right answers, wrong ones, changed numbers, refusals.

A set of questions with answers provides right drafts and, by exchanging answers, wrong ones. The drafts are
the same in every run.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from bot.evaluate.rows import LabelledDraft, LabelledQuestion

_FRAMES = (
    "{}.",
    "Answer: {}.",
    "To my knowledge it was {}.",
    "I believe that it is {}.",
    "They are {}.",
    "This would be {}.",
)
_REFUSALS = (
    "Sorry, I do not know the answer to this question.",
    "I don't have access to real-time data.",
    "I couldn't find anything about that.",
    "I have no details on this; please ask your administrator.",
    "I am unable to say that for certain.",
    "We have no record of that, I'm afraid.",
)
_ELSEWHERE = (
    "Fold the letter twice and put it into an envelope that has a stamp.",
    "On Sundays the whole family bakes bread and plays cards in the kitchen.",
    "A bicycle chain wants a drop of oil after every ride in the rain.",
    "Water the tomatoes early in the morning, close to the roots.",
    "A guitar is tuned from the thinnest string to the thickest.",
    "Paint the wall twice and let it dry overnight before you hang pictures.",
)
_COMMON = (
    ("What is the capital of France?", "The capital of France is Paris."),
    ("Write a haiku about autumn.", "Leaves drift to the ground, a cold wind hums, the pond holds the moon."),
    ("How do I sort a list in Python?", "Use sorted(items) or items.sort()."),
    ("What does JSON stand for?", "JSON stands for JavaScript Object Notation."),
    ("Convert 10 miles to kilometres.", "10 miles is about 16.1 kilometres."),
    ("Who wrote Hamlet?", "Hamlet was written by William Shakespeare."),
    ("How many minutes are in a day?", "There are 1440 minutes in a day."),
    ("What is 15% of 80?", "15% of 80 is 12."),
    ("What does the HTTP status 404 mean?", "404 means that the server could not find the page."),
    ("Translate 'thank you' to German.", "Danke."),
    ("What is the largest ocean?", "The Pacific Ocean is the largest ocean."),
    ("Explain what a variable is in programming.", "A variable is a named place that holds a value."),
    ("What colour do you get when you mix blue and yellow?", "You get green."),
    ("Give me three synonyms for 'happy'.", "Glad, cheerful, joyful."),
    ("How do I undo the last git commit?", "Use git reset --soft HEAD~1."),
    ("What is the past tense of 'go'?", "The past tense of 'go' is 'went'."),
    ("Suggest a name for a cat.", "How about Whiskers?"),
    ("Rewrite this politely: send me the file.", "Could you please send me the file?"),
    ("Is 97 a prime number?", "Yes, 97 is a prime number."),
    ("wrong window, ignore me", "No problem!"),
    ("hold on a second", "Sure, take your time."),
    ("haha nice one", "Glad you liked it!"),
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w./-])\d+(?![\w/-]|\.\s|\.\d)")
_SAME = re.compile(r"\W")
_EXPECTED = {
    "doc_right": "adequate", "doc_wrong": "hallucination", "doc_changed_number": "hallucination",
    "doc_refusal": "needs_docs", "off_topic": "off_topic", "not_in_corpus": "hallucination",
    "general": "adequate",
}  # fmt: skip


def short_answers(questions: Sequence[LabelledQuestion], seed: int = 7) -> Iterator[LabelledDraft]:
    chance = random.Random(seed)
    by_type: dict[str, list[LabelledQuestion]] = defaultdict(list)
    for question in questions:
        by_type[_type(question)].append(question)

    def framed(answer: str) -> str:
        return chance.choice(_FRAMES).format(answer.strip())

    for position, question in enumerate(
        question for question in questions if question.kind != "unanswerable"
    ):
        yield _row(question, "doc_right", framed(question.answers[0]))
        for pool in (by_type[_type(question)], questions):
            if wrong := _other(question, pool, chance):
                yield _row(question, "doc_wrong", framed(wrong))
        if changed := _changed(question.answers[0], chance):
            yield _row(question, "doc_changed_number", framed(changed))
        texts, kind = (_REFUSALS, "doc_refusal") if position % 2 else (_ELSEWHERE, "off_topic")
        yield _row(question, kind, texts[position // 2 % len(texts)])
    for question in questions:
        if question.kind == "unanswerable" and (wrong := _other(question, questions, chance)):
            yield _row(question, "not_in_corpus", framed(wrong))
    for asked, draft in _COMMON:
        yield _row(LabelledQuestion(id="", question=asked), "general", draft)


def long_answers(questions: Sequence[LabelledQuestion], seed: int = 3) -> Iterator[LabelledDraft]:
    """Drafts of several sentences with a conversation before them, from reference answers."""
    chance = random.Random(seed)
    answerable = [question for question in questions if question.kind == "answerable"]
    for position, question in enumerate(questions):
        reference = question.reference or ""
        if question.kind == "unanswerable":
            yield _row(question, "doc_refusal", reference)
        if question.kind != "answerable":
            continue
        yield _row(question, "doc_right", reference)
        changed = _changed(reference, chance)
        if changed and "http" not in reference:
            yield _row(question, "doc_changed_number", changed)
        # Fluent and on topic, but made of what the documents say about something else.
        other = answerable[(position * 11 + 7) % len(answerable)].reference or ""
        subject = question.question.strip(" ?!.")
        yield _row(question, "doc_wrong", f"As for {subject}: {other}")
        yield _row(question, "off_topic", _ELSEWHERE[position % len(_ELSEWHERE)])


def _row(question: LabelledQuestion, kind: str, draft: str) -> LabelledDraft:
    return LabelledDraft.model_validate(
        {
            "id": f"{question.id}-{kind}",
            "kind": kind,
            "lang": question.lang or "en",
            "question": question.question,
            "history": [message.model_dump() for message in question.history],
            "draft": draft,
            "expected": _EXPECTED[kind],
        }
    )


def _type(question: LabelledQuestion) -> str:
    words = question.question.lower().split()
    return "occupation" if "occupation?" in words else words[0]


def _other(question: LabelledQuestion, pool: Sequence[LabelledQuestion], chance: random.Random) -> str | None:
    right = {_SAME.sub("", answer.lower()) for answer in question.answers}
    wrong = [
        other.answers[0]
        for other in pool
        if other.answers and not right & {_SAME.sub("", answer.lower()) for answer in other.answers}
    ]
    return chance.choice(wrong) if wrong else None


def _changed(text: str, chance: random.Random) -> str | None:
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return None
    number = chance.choice(numbers)
    changed = max(0, int(number.group()) + chance.choice([-7, -5, -3, -2, 2, 3, 4, 7, 10]))
    if changed == int(number.group()):
        changed += 11
    return f"{text[: number.start()]}{changed}{text[number.end() :]}"
