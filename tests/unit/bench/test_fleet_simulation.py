"""The arithmetic of the simulated fleet, on cases that can be calculated by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.fleet_simulation import Costs, Station, asked_by, main, simulate

# 1 s of processor, 0.5 s of database, 2 s of model, 0.25 s of Telegram: 3.75 s.
COSTS = Costs(
    processor_seconds=1.0,
    transactions=5.0,
    transactions_a_second=10.0,
    model_seconds=2.0,
    messages=1.0,
    messages_a_second=4.0,
)


def test_single_question_takes_the_sum_of_its_parts() -> None:
    assert simulate([10.0], 1, COSTS).waits == (3.75,)


def test_second_question_waits_for_the_processor_of_its_machine() -> None:
    assert simulate([10.0, 10.0], 1, COSTS).waits == (3.75, 4.75)


def test_on_two_machines_the_second_question_waits_for_the_one_database_only() -> None:
    assert simulate([10.0, 10.0], 2, COSTS).waits == (3.75, 4.25)


def test_question_without_a_place_begins_when_the_first_is_answered() -> None:
    assert simulate([10.0, 10.0], 1, replace(COSTS, places=1)).waits == (3.75, 7.5)


def test_loads_are_shares_of_what_there_is() -> None:
    result = simulate([0.0, 5.0, 10.0], 2, COSTS)

    # Of 10 s: 3 of the 20 s of two processors, 1.5 of the database, 0.75 of Telegram.
    assert result.loads == pytest.approx({"machines": 0.15, "database": 0.15, "telegram": 0.075})


def test_limit_of_the_bot_does_not_move_with_the_machines() -> None:
    questions = asked_by(1_000, minutes_between=1, minutes=2)
    costs = Costs(processor_seconds=0.01, transactions=1, messages=3)

    results = [simulate(questions, machines, costs) for machines in (4, 40)]

    # 16.7 questions a second with 3 messages each, of the 30 that Telegram allows.
    assert [one.first_limit for one in results] == ["telegram", "telegram"]
    assert [one.loads["telegram"] for one in results] == pytest.approx([1.67, 1.67], abs=0.02)


def test_every_question_is_answered_also_in_a_rush() -> None:
    assert len(simulate([0.0] * 1_000, 3, replace(COSTS, places=7)).waits) == 1_000


def test_station_with_two_servers_lets_the_third_wait_for_the_first_that_is_free() -> None:
    station = Station(2)

    assert [station.serve(0.0, 3.0), station.serve(0.0, 1.0), station.serve(0.0, 1.0)] == [3.0, 1.0, 2.0]


def test_chats_ask_as_often_as_they_are_said_to() -> None:
    questions = asked_by(100, minutes_between=2, minutes=10)

    assert len(questions) == 500
    assert 0 <= min(questions) <= max(questions) <= 600


def test_costs_can_be_given_as_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--chats", "3600", "--machines", "2", "--minutes", "10", "--messages", "15"])

    # The first row: a question a second with 15 of the 30 messages of a second.
    first = capsys.readouterr().out.splitlines()[2].split()
    assert (first[2], first[-1]) == ("1.0", "50%")
