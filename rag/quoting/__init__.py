"""Quote the part of the documents that answers a question."""

from rag.quoting.cells import put_into_cell
from rag.quoting.choosing import Quotation, choose, shorten, widen

__all__ = ["Quotation", "choose", "put_into_cell", "shorten", "widen"]
