from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sentencepiece

from rag.errors import OperatorError
from rag.verifier import bundled, word_table
from rag.verifier.word_table import WordTable


@pytest.fixture(scope="module")
def table() -> WordTable:
    return WordTable()


def test_each_piece_has_a_vector_of_its_own(table: WordTable) -> None:
    vectors = table.vectors(np.array([100, 5, 100], np.int64))
    assert vectors.shape == (3, table.dimension)
    assert np.array_equal(vectors[0], vectors[2])
    assert not np.allclose(vectors[0], vectors[1])
    assert table.vectors(np.array([], np.int64)).shape == (0, table.dimension)


def test_vectors_are_those_of_their_words(table: WordTable) -> None:
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(bundled.FILES / "pieces.model"))
    ids = [pieces.encode(word)[0] for word in ("Monday", "Tuesday", "water")]
    monday, tuesday, water = (one / np.linalg.norm(one) for one in table.vectors(np.array(ids, np.int64)))
    assert monday @ tuesday > monday @ water


@pytest.mark.parametrize("content", [None, b"", b"GGUF" + bytes(100), b"E5S1" + bytes(100)])
def test_file_of_another_layout_is_refused(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "table.bin"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setattr(word_table, "_FILE", str(file))
    with pytest.raises(OperatorError):
        WordTable()


def test_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_table, "_PACKAGE", "no_such_package")
    with pytest.raises(OperatorError, match="no_such_package"):
        WordTable()
