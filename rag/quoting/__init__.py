"""Choose, without a model, the sentence of the documents that answers a question."""

from rag.quoting.choosing import CarryingSentence, Choice, choose, preload
from rag.quoting.siblings import speaks_of_sibling

__all__ = ["CarryingSentence", "Choice", "choose", "preload", "speaks_of_sibling"]
