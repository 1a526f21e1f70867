"""A knowledge base whose first retrieval returns the passages that the writer of a recorded text saw.

The search changes with the product. A text that is replayed with other passages than its writer saw would be
judged by text that the writer could not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from rag.knowledge.embedder import Vectors
from rag.knowledge.search import SearchResult
from rag.loop.run import Corpus
from rag.values import Passage, PassageId

_FAR = 200


class ShownPassages:
    """Implements `Corpus`.

    Args:
        base: The knowledge base of the text's question.
        shown: The passages that its writer read, best first.
    """

    def __init__(self, base: Corpus, shown: Sequence[Passage]) -> None:
        self._base = base
        self._shown = tuple(shown)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to read at all."""
        return self._base.is_empty

    async def search(
        self, queries: Sequence[str], limit: int = 20, exclude: Collection[PassageId] = ()
    ) -> SearchResult:
        """Search as the knowledge base does today."""
        return await self._base.search(queries, limit, exclude)

    async def retrieve(
        self,
        queries: Sequence[str],
        *,
        carried: Sequence[Passage] = (),
        exclude: Collection[PassageId] = (),
    ) -> tuple[Passage, ...]:
        """The shown passages; for a second retrieval, what else the knowledge base finds."""
        if not exclude:
            return self._shown
        keys = {passage.source for passage in self._shown}
        hits = (await self._base.search(queries, _FAR)).hits
        seen = {hit.passage.id for hit in hits if hit.passage.source in keys}
        return await self._base.retrieve(queries, carried=carried, exclude={*exclude, *seen})

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Embed as the knowledge base does."""
        return await self._base.embed_texts(texts)

    def knows(self, text: str) -> bool:
        """Whether the embedding knows the language of a text."""
        return self._base.knows(text)

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        """How rare index terms are in the whole knowledge base."""
        return self._base.rarity(terms)
