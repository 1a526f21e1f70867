from __future__ import annotations

import hmac

import pytest

from bot.service.owner_claim import Claim
from bot.telegram.ids import to_peer


def test_machines_with_one_secret_have_one_code_and_others_have_their_own() -> None:
    code = Claim("token and database").code
    assert Claim("token and database").code == code
    assert len({code, Claim("another").code, Claim().code, Claim().code}) == 4
    assert len(code) == 10


def test_code_is_read_as_people_type_it() -> None:
    claim = Claim()
    assert claim.try_code(to_peer(1), f" {claim.code[:5].lower()}-{claim.code[5:]} ") == "owner"


@pytest.mark.parametrize(
    "typed", ["", "x", "🔑", "\ud800"], ids=["empty", "short", "emoji", "half of a pair"]
)
def test_wrong_code_is_wrong(typed: str) -> None:
    assert Claim().try_code(to_peer(1), typed) == "wrong"


def test_a_person_has_five_tries_and_others_have_theirs() -> None:
    claim = Claim()
    assert [claim.try_code(to_peer(1), "wrong") for _ in range(5)] == ["wrong"] * 5
    assert claim.try_code(to_peer(1), claim.code) == "too_many"
    assert claim.try_code(to_peer(2), claim.code) == "owner"


def test_many_people_together_cannot_guess() -> None:
    claim = Claim()
    outcomes = [claim.try_code(to_peer(user_id), "wrong") for user_id in range(300)]
    assert outcomes.count("wrong") == 200
    assert claim.try_code(to_peer(999), claim.code) == "too_many"


def test_codes_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []

    def compare(first: bytes, second: bytes) -> bool:
        compared.append(second)
        return first == second

    monkeypatch.setattr(hmac, "compare_digest", compare)
    claim = Claim()
    claim.try_code(to_peer(1), "wrong")
    assert compared == [claim.code.encode()]


def test_code_works_again_when_its_owner_could_not_be_written_down() -> None:
    claim = Claim()
    assert claim.try_code(to_peer(1), claim.code) == "owner"
    assert claim.try_code(to_peer(2), claim.code) == "closed"
    claim.reopen()
    assert claim.try_code(to_peer(1), claim.code) == "owner"
