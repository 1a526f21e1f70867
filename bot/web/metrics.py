"""Figures for Prometheus, made from the database at each request, so that a restart loses none.

Counters are sums over everything that is kept; they shrink only when somebody takes rows away.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from bot.fleet.machines import Machine
from bot.statistics.values import Totals
from bot.web.context import Context

_PREFIX: Final = "thinktwice_"


class Collected:
    """Hands figures out in the form of the library."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = tuple(metrics)

    def collect(self) -> Iterable[Metric]:
        """Return the figures."""
        return self._metrics


async def collected(context: Context) -> bytes:
    """Return the figures as text; raise `StorageError` if the database cannot be used."""
    parts = context.parts
    totals = await parts.answers.totals()
    metrics: list[Metric] = [
        _questions(totals),
        *_sums(totals),
        _gauge("runs_at_work", "Runs that have not ended.", await parts.stored_runs.running()),
        _gauge("dead_letters", "Jobs that were given up.", len(await context.jobs.dead_letters())),
        _gauge(
            "recording_trouble", "1 while no work can be recorded.", int(context.jobs.trouble is not None)
        ),
        _gauge(
            "uptime_seconds",
            "Seconds since the process began.",
            max((context.clock() - context.started_at).total_seconds(), 0.0),
        ),
    ]
    if parts.machines is not None:
        metrics += describe_machines(await parts.machines())
    registry = CollectorRegistry()
    registry.register(Collected(metrics))
    return generate_latest(registry)


def _questions(totals: Totals) -> Metric:
    family = CounterMetricFamily(
        f"{_PREFIX}questions",
        "Questions that were answered.",
        labels=("channel", "label", "source"),
    )
    for (channel, label, source), count in totals.questions.items():
        family.add_metric((channel, label, source), count)
    return family


def _sums(totals: Totals) -> Iterable[Metric]:
    sums = (
        ("answer_seconds", "Seconds that people waited for answers.", totals.seconds),
        ("model_calls", "Calls to chat models.", totals.calls),
        ("input_tokens", "Tokens that chat models read.", totals.input_tokens),
        ("output_tokens", "Tokens that chat models wrote.", totals.output_tokens),
        ("cost", "What the calls with a known price cost.", totals.cost),
        ("saved_judge_calls", "Judge calls that free checks made unnecessary.", totals.saved_calls),
    )
    for name, help_text, value in sums:
        yield CounterMetricFamily(f"{_PREFIX}{name}", help_text, value=value)


def describe_machines(machines: Iterable[Machine]) -> list[Metric]:
    """Return how busy each machine of a fleet is, and how long ago its last heartbeat was."""
    labels = ("machine", "version")
    jobs = GaugeMetricFamily(f"{_PREFIX}machine_jobs", "Jobs that a machine carries out.", labels=labels)
    silent = GaugeMetricFamily(
        f"{_PREFIX}machine_silent_seconds", "Seconds since a machine's last heartbeat.", labels=labels
    )
    for machine in machines:
        jobs.add_metric((machine.id, machine.version), machine.at_work)
        silent.add_metric((machine.id, machine.version), machine.silent_seconds)
    return [jobs, silent]


def _gauge(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"{_PREFIX}{name}", help_text, value=value)
