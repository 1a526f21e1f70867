"""Trains the reader from local clones: start, end, evidence and "covers", until a given time."""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zlib import crc32

import torch  # type: ignore[import-not-found, unused-ignore]
from tokenizers import Tokenizer
from torch import Tensor  # type: ignore[import-not-found, unused-ignore]
from torch.nn import functional  # type: ignore[import-not-found, unused-ignore]

from bench.reader import network, sources
from bench.reader.negatives import ASIDES, Asked, Spans, aside, of_headings, read, written
from bench.reader.sources import Row

SIZE = 32
ROOMS = (64, 64, 84, 84, 110, 150, 150, 220)
SHARES = {"spans": 0.3, "headings": 0.08, "written": 0.38, "asides": 0.14}
SHARES |= {"clapnq": 0.04, "tables": 0.04, "medical": 0.02}
WITH_SPANS = ("spans", "tables", "written", "asides")
AT_MOST = {
    "amazon_reviews": 5000,
    "reddit": 5000,
    "new_wiki": 8000,
    "jaquad": 12000,
    "squad-it": 4300,
    "rifkiaputri/IDK-MRC": 9500,
}
UNLICENSED = ("squad2-pt",)
Draw = Callable[[random.Random], Row]


@dataclass(frozen=True)
class Example:
    """Token ids with their targets: `span` is -1 where none is taught; `body` is where the passage begins."""

    ids: list[int]
    body: int
    evidence: list[int]
    span: tuple[int, int]
    covers: bool


def encode(tokens: Tokenizer, row: Row, chance: random.Random, short: bool) -> Example | None:
    """The row as tokens: a window of its passage with what answers, mostly with its head line.

    `short`: the row comes from a set with short answers, so that "nothing here" is taught as a span.
    """
    asked = tokens.encode(row.question).ids[: network.QUESTION_PIECES]
    head = tokens.encode(row.head + "\n").ids[:24] if row.head and chance.random() < 0.75 else []
    read = tokens.encode(row.passage)
    room, at = chance.choice(ROOMS) - len(head), read.offsets
    marked = [any(b > x and a < y and b > a for x, y in row.answers) for a, b in at]
    place = row.span or (row.answers[0] if row.answers else None)
    inside = [i for i, (a, b) in enumerate(at) if place and b > place[0] and a < place[1] and b > a]
    if place and not inside:
        return None
    low = 0
    if len(at) > room and inside:
        last = min(inside[-1], inside[0] + room - 1) if row.span is None else inside[-1]
        first = max(0, last - room + 1)
        if first > inside[0]:
            return None
        low = chance.randint(first, min(inside[0], max(first, len(at) - room)))
    elif len(at) > room:
        low = chance.randint(0, len(at) - room)
    body = len(asked) + 3 + len(head)
    close, window = network.CLOSE, read.ids[low : low + room]
    ids = [network.BEGIN, *asked, close, close, *head, *window, close]
    span = (-1, -1)
    if row.span:
        span = (body + inside[0] - low, body + inside[-1] - low)
    elif short and not row.answers:
        span = (0, 0)
    return Example(ids, body, [int(m) for m in marked[low : low + room]], span, any(marked[low : low + room]))


def gather(clones: Path, short: Path) -> dict[str, Draw]:
    """The ways to draw an example, by kind of source; what was found is printed with its licence."""
    by_source: dict[str, list[Row]] = {}
    more = [
        *sources.squad(clones, "rifkiaputri/IDK-MRC", "dataset/idk_mrc/train.json"),
        *sources.squad(clones, "liafacom/faquad", "data/train.json"),
        *sources.qed(clones),
    ]
    for row in (*sources.spans(short, UNLICENSED), *more):
        by_source.setdefault(row.source, []).append(row)
    kept = []
    for name, rows in by_source.items():
        random.Random(1).shuffle(rows)
        kept += rows[: AT_MOST.get(name, 4000)]
        print(f"{name}: {min(len(rows), AT_MOST.get(name, 4000))}")
    draws = {"spans": Spans(kept, 0.27).draw, "headings": _headings(clones)}
    sites = list(written(clones))
    draws["written"] = _any_of(sites)
    draws["asides"] = partial(aside, sites, [row["message"] for row in read(ASIDES)])
    clapnq = [row for row in sources.clapnq(clones) if not row.source.startswith("held-")]
    for name, rows, negative in (
        ("clapnq", clapnq, 0.2),
        ("tables", list(sources.tables(clones)), 0.4),
        ("medical", list(sources.medical(clones)), 0.4),
    ):
        print(f"{name}: {len(rows)}")
        draws[name] = Spans(rows, negative).draw
    return draws


def _headings(clones: Path) -> Draw:
    sites: list[Asked] = []
    for clone in sources.clones():
        if not sources.place(clones, clone.name).exists():
            print(f"{clone.name}: left out, it is not in {clones}", flush=True)
        elif not clone.held and (site := asked_of(clones, clone)):
            print(f"{clone.name}: {len(site.questions)} ({clone.licence})", flush=True)
            sites.append(site)
    return _any_of(sites)


def _any_of(sites: list[Asked]) -> Draw:
    sizes = [len(site.questions) for site in sites]
    return lambda chance: chance.choices(sites, sizes)[0].draw(chance)


def asked_of(clones: Path, clone: sources.Clone) -> Asked | None:
    """The headings of a clone that ask, as many as its share allows, and the sections they stand among."""
    site = sources.sections(clones, clone)
    questions = [one for one in of_headings(site, clone.every) if len(one.section.text) > 30]
    questions.sort(key=lambda one: crc32(f"{clone.name} {one.text}".encode()))
    return Asked(clone.name, questions[: clone.most], site) if questions else None


def batches(draws: dict[str, Draw], tokens: Tokenizer, seed: int) -> Iterator[list[Example]]:
    """Batches of examples of like length, without end."""
    chance = random.Random(seed)
    kinds, shares = list(SHARES), list(SHARES.values())
    while True:
        drawn: list[Example] = []
        while len(drawn) < SIZE * 16:
            kind = chance.choices(kinds, shares)[0]
            example = encode(tokens, draws[kind](chance), chance, kind in WITH_SPANS)
            drawn += [example] if example else []
        drawn.sort(key=lambda e: len(e.ids))
        cut = [drawn[i : i + SIZE] for i in range(0, len(drawn), SIZE)]
        chance.shuffle(cut)
        yield from cut


def loss_of(logits: Tensor, batch: list[Example], mask: Tensor) -> Tensor:
    """Spans where they are known, else their place within the evidence; evidence; covers."""
    rows, length = mask.shape
    spans = torch.tensor([e.span for e in batch], device=logits.device)
    body, evidence = torch.zeros_like(mask), torch.zeros(rows, length, device=logits.device)
    for i, e in enumerate(batch):
        body[i, e.body : len(e.ids) - 1] = 1
        evidence[i, e.body : e.body + len(e.evidence)] = torch.tensor(e.evidence, dtype=torch.float)
    covers = torch.tensor([float(e.covers) for e in batch], device=logits.device)
    seen = logits.masked_fill(mask[:, :, None] == 0, -1e4)
    known = spans[:, 0] >= 0
    total = logits.new_zeros(())
    for end in (network.START, network.END):
        if known.any():
            placed = functional.cross_entropy(seen[known, :, end], spans[known, end], reduction="sum")
            total = total + placed / rows / 2
        loose = ~known & (covers > 0)
        if loose.any():
            within = seen[loose, :, end].masked_fill(body[loose] == 0, -1e4)
            marked = within.masked_fill(evidence[loose] == 0, -1e4)
            total = total + 0.15 * (torch.logsumexp(within, 1) - torch.logsumexp(marked, 1)).sum() / rows
    crossed = functional.binary_cross_entropy_with_logits
    token = crossed(logits[:, :, network.EVIDENCE], evidence, reduction="none")
    total = total + ((token * body).sum(1) / body.sum(1).clamp(min=1)).mean()
    return total + 0.5 * crossed(logits[:, 0, network.COVERS], covers)


def train(
    net: network.Reader,
    table: Tensor,
    stream: Iterator[list[Example]],
    folder: Path,
    until: float,
    rate: float,
    frozen: int = 0,
) -> None:
    """AdamW with a rate that falls to nothing as the time runs out; state is kept every 200 steps."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    # Half precision is slower on a processor that does not compute in it.
    half = device == "cuda" or torch.cpu.get_capabilities().get("avx512_bf16", False)
    net.to(device).train()
    net.pos.requires_grad_(False)
    net.typ.requires_grad_(False)
    for layer in net.layers[:frozen]:
        layer.requires_grad_(False)
    if frozen:
        net.eln.requires_grad_(False)
    body = [p for name, p in net.named_parameters() if p.requires_grad and not name.startswith("head")]
    rates = (rate, rate * 10)
    groups = [{"params": body, "lr": rates[0]}, {"params": list(net.head.parameters()), "lr": rates[1]}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    state, begun, first = folder / "state.pt", time.time(), 0
    if state.exists():
        kept = torch.load(state)
        net.load_state_dict(kept["net"])
        optimizer.load_state_dict(kept["optimizer"])
        begun, first = kept["begun"], kept["step"] + 1
    mean, step, resumed = 0.0, first, time.time()
    while (now := time.time()) < until:
        factor = min((step + 1) / 100, (step - first + 1) / 20, 1.0) * (until - now) / (until - begun)
        for group, full in zip(optimizer.param_groups, rates, strict=True):
            group["lr"] = full * factor
        batch = next(stream)
        length = -(-max(len(e.ids) for e in batch) // 16) * 16
        ids = torch.full((len(batch), length), network.PAD)
        for i, e in enumerate(batch):
            ids[i, : len(e.ids)] = torch.tensor(e.ids)
        mask = (ids != network.PAD).long().to(device)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=half):
            logits = net(functional.embedding(ids, table).to(device), mask)
        loss = loss_of(logits.float(), batch, mask)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        mean = loss.item() if step == first else 0.97 * mean + 0.03 * loss.item()
        step += 1
        if step % 20 == 0:
            pace = (time.time() - resumed) / (step - first)
            print(f"{step} loss {mean:.3f} rate {factor * rate:.1e} {pace:.2f} s a step", flush=True)
        if step % 200 == 0:
            kept = {"net": net.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(kept | {"step": step - 1, "begun": begun}, state.with_suffix(".new"))
            state.with_suffix(".new").replace(state)
            network.save(net, folder / "reader-fp16.npz")
    network.save(net, folder / "reader-fp16.npz")
    print(f"{step} steps, processor time {time.process_time() / 60:.0f} minutes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", type=Path, help="folder of local clones, each as owner+name")
    parser.add_argument("spans", type=Path, help="rows with short answers (spans.jsonl.xz)")
    parser.add_argument("start", type=Path, help="checkpoint to go on from (reader-fp16.npz)")
    parser.add_argument("out", type=Path, help="folder for the state and the checkpoint")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--frozen", type=int, default=0, help="layers, from the first, that stay as they are")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    until = time.time() + given.minutes * 60
    torch.manual_seed(given.seed)
    packed = network.read_packed()
    table = torch.from_numpy(packed.tensor("emb.word")).reshape(-1, packed.sizes["width"])
    draws = gather(given.clones, given.spans)
    gc.freeze()
    kept = given.out / "state.pt"
    seed = given.seed + (int(kept.stat().st_mtime) if kept.exists() else 0)
    stream = batches(draws, network.tokenizer(packed), seed)
    train(network.load(packed, given.start), table, stream, given.out, until, given.rate, given.frozen)


if __name__ == "__main__":
    main()
