"""What Prometheus reads of a fleet."""

from __future__ import annotations

from datetime import UTC, datetime

from prometheus_client import CollectorRegistry, generate_latest

from bot.fleet.machines import Machine
from bot.web.metrics import Collected, describe_machines


def test_every_machine_has_its_load_and_its_last_heartbeat() -> None:
    began = datetime(2026, 11, 23, tzinfo=UTC)
    machines = [Machine("one", "1.0", began, 0.5, 3), Machine('tw"o', "1.1", began, 12.0, 0)]
    registry = CollectorRegistry()
    registry.register(Collected(describe_machines(machines)))
    text = generate_latest(registry).decode()
    assert 'thinktwice_machine_jobs{machine="one",version="1.0"} 3.0' in text
    assert 'thinktwice_machine_silent_seconds{machine="tw\\"o",version="1.1"} 12.0' in text
