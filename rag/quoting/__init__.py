"""Choose, without a model, the sentence of the documents that answers a question."""

from rag.quoting.choosing import CarryingSentence, Choice, choose, preload

__all__ = ["CarryingSentence", "Choice", "choose", "preload"]
