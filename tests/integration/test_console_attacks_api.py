"""Texts that mean harm do none in any place of any operation of the console's API."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sized
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.support.attacked_console import EACH, Seeds, chosen, faults_of, seeded
from tests.support.attacks import Operation, attack_texts, operations, without_halves


def prepared(seeds: Seeds, operation: Operation, name: str, where: str, attack: str) -> dict[str, Any]:
    """A request with the text in one place, and something that is taken in all others."""
    things = {
        "run_id": seeds.paths["run"].rpartition("/")[2],
        "session_id": seeds.paths["session"].rpartition("/")[2],
        "number": "1",
    }
    path, body = operation.path, dict(operation.required)
    headers = {"Authorization": f"Bearer {seeds.token}", "Content-Type": "application/json"}
    params: dict[str, Any] = {}
    for place in operation.places:
        if place.where == "path":
            named = attack if (place.name, place.where) == (name, where) else things[place.name]
            path = path.replace(f"{{{place.name}}}", quote(without_halves(named), safe=""))
    if where == "query":
        params[name] = without_halves(attack)
    elif where == "header":
        # A client sends no line breaks in a header.
        headers[name] = re.sub(r"[\x00-\x1f\x7f]", " ", attack).strip()
    elif where == "body":
        (place,) = (one for one in operation.places if (one.name, one.where) == (name, where))
        body[name] = place.value_of(attack)
    return {
        "method": operation.method,
        "url": path,
        "params": params,
        "headers": {key: value.encode("utf-8", "replace") for key, value in headers.items()},
        "content": json.dumps(body) if operation.method == "POST" else None,
    }


@EACH
async def test_attack_stays_a_text_in_every_place_of_every_operation(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    shared: Path,
    part: int,
    slices: int,
    words: int,
    others: int,
    attacked: Callable[[int, Sized], None],
) -> None:
    attacks = attack_texts(shared)[part::slices]
    faults: list[tuple[str, ...]] = []
    tried, taken = Counter[tuple[str, str]](), Counter[tuple[str, str, int]]()
    async with (
        seeded(tmp_path, monkeypatch) as seeds,
        httpx.AsyncClient(base_url=seeds.console.base, trust_env=False, timeout=60) as client,
    ):
        document = (await seeds.browser.get("/api/openapi.json")).json()
        for operation in operations(document):
            for place in operation.places:
                takes_words = place.where == "body" and place.is_text
                for attack in chosen(attacks, words if takes_words else others, operation.path, place.name):
                    reply = await client.request(
                        **prepared(seeds, operation, place.name, place.where, attack)
                    )
                    about = (operation.path, f"{place.where} {place.name}")
                    tried[about] += 1
                    taken[*about, reply.status_code] += 1
                    kind = reply.headers.get("content-type", "")
                    if reply.status_code >= 500 or reply.headers["x-content-type-options"] != "nosniff":
                        faults.append((*about, attack, str(reply.status_code)))
                    elif reply.content and not kind.startswith(
                        ("application/json", "text/event-stream", "text/plain")
                    ):
                        faults.append((*about, attack, kind))
                    if reply.is_success and (where := reply.headers.get("location")):
                        if "/runs/" in where:
                            await client.get(
                                f"{where}/events", headers={"Authorization": f"Bearer {seeds.token}"}
                            )
                        page = await seeds.browser.get(
                            where.removeprefix("/api").replace("/session/", "/interviews/")
                        )
                        faults += [(*about, attack, fault) for fault in faults_of(page, attack)]
        faults += await seeds.broken()
        assert seeds.console.jobs.failures == []
    attacked(tried.total(), faults)
    for path, name in (
        ("/api/runs", "body question"),
        ("/api/session", "body initial_message"),
        ("/v1/chat/completions", "body messages"),
    ):
        done = sum(taken[path, name, status] for status in (200, 201, 202))
        assert done > tried[path, name] / 2 > 2, taken
