"""Writes the reader as ONNX in 8 bits and checks that its spans and scores agree with 32 bits."""

from __future__ import annotations

import argparse
import json
import logging
import tempfile
import warnings
from pathlib import Path

import numpy as np
import onnx  # type: ignore[import-not-found, unused-ignore]
import onnxruntime
import torch  # type: ignore[import-not-found, unused-ignore]
from onnxruntime.quantization.matmul_nbits_quantizer import (  # type: ignore[import-not-found, unused-ignore]
    MatMulNBitsQuantizer,
)

from bench.reader import network
from rag.verifier.spans import best_span

BLOCK = 64
"""Weights, and numbers that pass between layers, that share a scale. With one scale a channel and one a layer
the best span is that of 32 bits in .70 of rows, with blocks of 64 in .99, at 1.7 times the time."""
_IN_8_BITS = 4


def export(net: network.Reader, out: Path) -> None:
    """Write the reader as ONNX with 8 bits a weight, one scale a block."""
    width = net.head.in_features
    sample = (torch.zeros(2, 64, width), torch.ones(2, 64, dtype=torch.long))
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = Path(folder) / "reader.onnx"
        torch.onnx.export(
            net.eval(),
            sample,
            str(whole),
            input_names=["vectors", "mask"],
            output_names=["logits"],
            dynamic_axes={name: {0: "b", 1: "n"} for name in ("vectors", "mask", "logits")},
            opset_version=17,
            dynamo=False,
        )
        logging.getLogger("onnxruntime.quantization").setLevel(logging.WARNING)
        small = MatMulNBitsQuantizer(
            onnx.load(str(whole)), bits=8, block_size=BLOCK, is_symmetric=True, accuracy_level=_IN_8_BITS
        )
        small.process()
        small.model.save_model_to_file(str(out), use_external_data_format=False)


def session(path: Path, threads: int = 1) -> onnxruntime.InferenceSession:
    """Open an ONNX model that runs on so many threads."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def agreement(net: network.Reader, path: Path, rows: list[tuple[str, str]]) -> dict[str, float]:
    """How far the 8-bit file stands from 32 bits over questions and passages."""
    packed = network.read_packed()
    tokens, table = network.tokenizer(packed), packed.tensor("emb.word").reshape(-1, net.head.in_features)
    small = session(path)
    same, evidence, covers = [], [], []
    for question, passage in rows:
        encoded = network.Encoded(tokens, question, passage)
        vectors = table[encoded.ids][None]
        mask = np.ones((1, len(encoded.ids)), dtype=np.int64)
        with torch.no_grad():
            exact = net.eval()(torch.from_numpy(vectors), torch.from_numpy(mask))[0].numpy()
        rough = small.run(None, {"vectors": vectors, "mask": mask})[0][0]
        read = [network.scores(one, encoded) for one in (exact, rough)]
        same.append(float(best_span(read[0]) == best_span(read[1])))
        chances = [1 / (1 + np.exp(-one.evidence)) for one in read]
        evidence.append(float(np.abs(chances[0] - chances[1]).mean()))
        covered = [1 / (1 + np.exp(-one.covers)) for one in read]
        covers.append(abs(covered[0] - covered[1]))
    means = {"same span": same, "evidence off by": evidence, "covers off by": covers}
    return {name: round(float(np.mean(values)), 4) for name, values in means.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--check", type=Path, help="rows with question and passage to compare on")
    given = parser.parse_args()
    net = network.load(network.read_packed(), given.checkpoint)
    export(net, given.out)
    print(f"{given.out.stat().st_size / 1e6:.1f} MB")
    if given.check:
        read = [json.loads(line) for line in given.check.read_text().splitlines()[:300]]
        print(agreement(net, given.out, [(row["question"], row["passage"]) for row in read]))


if __name__ == "__main__":
    main()
