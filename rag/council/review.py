"""Stage 2: every member that answered criticises and ranks the others' answers, without their names."""

from __future__ import annotations

from functools import partial

from rag.council.anonymity import assign_letters
from rag.council.ballots import BallotReply, describe_problem, read_ballot
from rag.council.members import Assignment
from rag.council.values import Response, Review, Seat
from rag.errors import BudgetExhaustedError, ModelError, ModelReplyError, ThinkTwiceError
from rag.language.detect import language_name
from rag.loop.run import Outcome, Run
from rag.prompting.untrusted import labelled, number_passages
from rag.reasons import Reason


async def review(run: Run, assignment: Assignment, responses: tuple[Response, ...]) -> tuple[Review, ...]:
    """Return the reviews of all members with a usable answer, in the order of the responses.

    Args:
        run: The council's run.
        assignment: What the members work on.
        responses: The usable answers of stage 1, at least two.
    """
    texts = {response.seat: response.text for response in responses}
    works = [partial(_review, run, assignment, texts, response.seat) for response in responses]
    reviewed = await run.steps("peer_review", works)
    return tuple(
        Review(response.seat, (), abstention="no_reply") if isinstance(one, ThinkTwiceError) else one
        for response, one in zip(responses, reviewed, strict=True)
    )


async def _review(
    run: Run, assignment: Assignment, texts: dict[Seat, str], reviewer: Seat
) -> Outcome[Review]:
    letters = assign_letters(tuple(texts), reviewer, assignment.start_value)
    shown = [letter for letter, _seat in letters]
    reading = assignment.reading
    prompt = run.tools.prompts.render(
        "council_review",
        passages=number_passages(assignment.passages) if assignment.passages else "",
        question=reading.standalone,
        answers=labelled("answer", [(letter, texts[seat]) for letter, seat in letters]),
        letters=", ".join(shown),
        language=language_name(reading.language),
    )
    try:
        reply, call = await run.ask_typed(
            "peer_review",
            prompt,
            BallotReply,
            seat=reviewer,
            max_tokens=run.tools.council.review_tokens,
            patience=run.tools.council.patience_seconds,
            validate=lambda written: describe_problem(written, shown),
        )
    except ModelReplyError as exc:
        abstained = Review(reviewer, letters, abstention="not_a_ranking", text=str(exc))
        return Outcome(
            abstained,
            Reason("council-abstained", {"seat": reviewer, "status": "not_a_ranking"}),
            exc.spent,
            prompt.id,
        )
    except (ModelError, BudgetExhaustedError) as exc:
        abstained = Review(reviewer, letters, abstention="no_reply", text=str(exc))
        return Outcome(
            abstained,
            Reason("council-abstained", {"seat": reviewer, "status": "no_reply"}),
            exc.spent,
            prompt.id,
        )
    ballot = read_ballot(reply, shown)
    ranked = " > ".join(ballot.ranking) if ballot else ""
    found = Review(reviewer, letters, ballot, text=reply.model_dump_json())
    return Outcome(found, Reason("council-ranked", {"seat": reviewer, "ranking": ranked}), (call,), prompt.id)
