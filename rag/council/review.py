"""Stage 2: every member that answered criticises and ranks the others' answers, without their names."""

from __future__ import annotations

from functools import partial

from rag.council.anonymity import assign_letters
from rag.council.ballots import BallotReply, describe_problem, read_ballot
from rag.council.members import Assignment, ask_everybody
from rag.errors import BudgetExhaustedError, ModelError, ModelReplyError
from rag.language.detect import language_name
from rag.prompting.untrusted import labelled, number_passages
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.values import ModelCall
from rag.values.council import Abstention, Response, Review, Seat


async def review(run: Run, assignment: Assignment, responses: tuple[Response, ...]) -> tuple[Review, ...]:
    """Return the reviews of all members with a usable answer, at least two, in the order of the responses."""
    texts = {response.seat: response.text for response in responses}
    works = [
        (
            response.seat,
            partial(_review, run, assignment, texts, response.seat),
            Review(response.seat, (), abstention="no_reply"),
        )
        for response in responses
    ]
    return await ask_everybody(
        run,
        "stage2",
        "peer_review",
        works,
        lambda one: (one.abstention or "reviewed", one.seconds, one.tokens),
    )


async def _review(
    run: Run, assignment: Assignment, texts: dict[Seat, str], reviewer: Seat
) -> Outcome[Review]:
    letters = assign_letters(tuple(texts), reviewer, assignment.start_value)
    shown = [letter for letter, _seat in letters]
    classification = assignment.reading
    prompt = run.tools.prompts.render(
        "council_review",
        passages=number_passages(assignment.passages) if assignment.passages else "",
        question=classification.standalone,
        answers=labelled("answer", [(letter, texts[seat]) for letter, seat in letters]),
        letters=", ".join(shown),
        language=language_name(classification.language),
        persona=run.tools.council.seat(reviewer).persona,
    )
    read: list[BallotReply] = []

    def find_problem(written: BallotReply) -> str:
        read.append(written)
        return describe_problem(written, shown)

    try:
        reply, call = await run.ask_typed(
            "peer_review",
            prompt,
            BallotReply,
            seat=reviewer,
            max_tokens=run.tools.council.review_tokens,
            patience=run.tools.council.patience_seconds,
            validate=find_problem,
        )
    except (ModelError, BudgetExhaustedError) as exc:
        status: Abstention = "not_a_ranking" if isinstance(exc, ModelReplyError) else "no_reply"
        replies = exc.replies if isinstance(exc, ModelError) else ()
        said = read_ballot(read[-1], shown) if read else None
        kept = said if said and said.critiques else None
        abstained = Review(reviewer, letters, kept, status, "\n\n".join(replies), *_spent(exc.spent))
        detail = Reason("council-abstained", {"seat": reviewer, "status": status})
        return Outcome(abstained, detail, exc.spent, prompt.id)
    ballot = read_ballot(reply, shown)
    ranked = " > ".join(ballot.ranking)
    found = Review(reviewer, letters, ballot, None, reply.model_dump_json(), *_spent((call,)))
    return Outcome(found, Reason("council-ranked", {"seat": reviewer, "ranking": ranked}), (call,), prompt.id)


def _spent(calls: tuple[ModelCall, ...]) -> tuple[int, float]:
    tokens = sum(call.input_tokens + call.output_tokens for call in calls)
    return tokens, sum(call.seconds for call in calls)
