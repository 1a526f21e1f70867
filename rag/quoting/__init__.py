"""Quote the part of the documents that answers a question."""

from rag.quoting.choosing import Quotation, choose, shorten, widen

__all__ = ["Quotation", "choose", "shorten", "widen"]
