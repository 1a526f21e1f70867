"""Simulates a fleet that no test machine could play, with the costs that `bench/fleet.py` measured.

    python -m bench.fleet_simulation [--chats 10000] [--machines 20] [--minutes 10]

Chats ask at random moments. A question needs a place and processor time on a machine, transactions of the one
database, model calls, and messages of the one bot. Prints how busy each of these is and how long answers
take. The measured costs are arguments, so that figures of another machine can be tried.
"""

from __future__ import annotations

import argparse
import heapq
import random
import statistics
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count


@dataclass(frozen=True, slots=True)
class Costs:
    """What one answer needs, and what there is.

    Args:
        processor_seconds: Processor time of an answer on its machine, from `bench.fleet`.
        transactions: Transactions of an answer, from `bench.fleet`.
        transactions_a_second: What the database bears; an assumption.
        model_seconds: Seconds of all model calls of an answer; an assumption.
        messages: Messages and edits in Telegram that an answer takes; `bench.telegram` prints it.
        messages_a_second: Telegram's limit for one bot, whatever the number of machines.
        processors: Processors of each machine that answers can use: one, as Python's threads share one.
        places: Answers that a machine works on at the same time, the setting `limits.answers_at_work`.
    """

    processor_seconds: float = 0.2
    transactions: float = 35.0
    transactions_a_second: float = 3_000.0
    model_seconds: float = 4.0
    messages: float = 3.0
    messages_a_second: float = 30.0
    processors: int = 1
    places: int = 200


class Station:
    """Servers that work on one thing each, in the order of arrival.

    Args:
        servers: How many things are worked on at the same time.
    """

    def __init__(self, servers: int) -> None:
        self._free = [0.0] * servers
        self._servers = servers
        self.busy_seconds = 0.0

    def serve(self, arrived: float, seconds: float) -> float:
        """Return when something that arrives then and takes so long is done.

        Arrivals have to come in the order of time.
        """
        begun = max(arrived, heapq.heappop(self._free))
        heapq.heappush(self._free, begun + seconds)
        self.busy_seconds += seconds
        return begun + seconds

    def load(self, seconds: float) -> float:
        """The share of its capacity that was asked for; more than 1 is more than it can do."""
        return self.busy_seconds / (self._servers * seconds)


@dataclass(frozen=True, slots=True)
class Result:
    """What came out.

    Args:
        waits: Seconds from each question to its answer.
        loads: By the name of a resource, the share of its capacity that was asked for.
    """

    waits: tuple[float, ...]
    loads: dict[str, float]

    @property
    def first_limit(self) -> str:
        """The resource of which the largest share is asked for."""
        return max(self.loads, key=lambda name: self.loads[name])


def simulate(questions: Sequence[float], machines: int, costs: Costs) -> Result:
    """Simulate the questions that are asked at these seconds.

    A question goes to the machine with the fewest questions. There it waits for a place, then for a
    processor, the database, the model and Telegram, one after another.
    """
    processors = [Station(costs.processors) for _ in range(machines)]
    database, telegram = Station(1), Station(1)
    steps = (
        ("place", 0.0),
        ("machines", costs.processor_seconds),
        ("database", costs.transactions / costs.transactions_a_second),
        ("model", costs.model_seconds),
        ("telegram", costs.messages / costs.messages_a_second),
        ("done", 0.0),
    )
    order = count()
    # The moment, a number that keeps equal moments in order, the question, its machine and its next step.
    events = [(asked, next(order), asked, -1, 0) for asked in questions]
    heapq.heapify(events)
    at_work = [0] * machines
    waiting: list[deque[float]] = [deque() for _ in range(machines)]
    waits = []
    while events:
        now, _, asked, machine, step = heapq.heappop(events)
        name, seconds = steps[step]
        done = now
        match name:
            case "place":
                machine = min(range(machines), key=lambda one: at_work[one] + len(waiting[one]))
                if at_work[machine] >= costs.places:
                    waiting[machine].append(asked)
                    continue
                at_work[machine] += 1
            case "machines":
                done = processors[machine].serve(now, seconds)
            case "database":
                done = database.serve(now, seconds)
            case "model":
                done = now + seconds
            case "telegram":
                done = telegram.serve(now, seconds)
            case _:
                waits.append(now - asked)
                if waiting[machine]:
                    heapq.heappush(events, (now, next(order), waiting[machine].popleft(), machine, 1))
                else:
                    at_work[machine] -= 1
                continue
        heapq.heappush(events, (done, next(order), asked, machine, step + 1))
    seconds = max(questions, default=0.0) or 1.0
    loads = {
        "machines": statistics.fmean(one.load(seconds) for one in processors),
        "database": database.load(seconds),
        "telegram": telegram.load(seconds),
    }
    return Result(tuple(waits), loads)


def asked_by(chats: int, minutes_between: float, minutes: float, seed: int = 1) -> list[float]:
    """Return the seconds at which chats ask that ask at random, so often on average."""
    drawn = random.Random(seed)
    return [drawn.uniform(0, minutes * 60) for _ in range(round(chats * minutes / minutes_between))]


def main(words: Sequence[str] | None = None) -> None:
    """Simulate a fleet at several paces of its chats, and print it."""
    usual = Costs()
    parser = argparse.ArgumentParser(description="Simulate a fleet with measured costs.")
    parser.add_argument("--chats", type=int, default=10_000)
    parser.add_argument("--machines", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--processor-seconds", type=float, default=usual.processor_seconds)
    parser.add_argument("--transactions", type=float, default=usual.transactions)
    parser.add_argument("--messages", type=float, default=usual.messages)
    given = parser.parse_args(words)
    costs = replace(
        usual,
        processor_seconds=given.processor_seconds,
        transactions=given.transactions,
        messages=given.messages,
    )
    print(f"{given.chats} chats on {given.machines} machines")
    print("a question each  answers/s  median s   p95 s  machines  database  telegram")
    for pause in (60.0, 30.0, 20.0, 15.0, 10.0):
        questions = asked_by(given.chats, pause, given.minutes)
        result = simulate(questions, given.machines, costs)
        p95 = statistics.quantiles(result.waits, n=20)[-1]
        shares = "  ".join(f"{result.loads[name]:8.0%}" for name in ("machines", "database", "telegram"))
        rate = len(questions) / (given.minutes * 60)
        print(f"{pause:11.0f} min {rate:11.1f} {statistics.median(result.waits):9.1f} {p95:7.1f}  {shares}")


if __name__ == "__main__":
    main()
