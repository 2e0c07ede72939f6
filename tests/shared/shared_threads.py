"""Searches that two threads ask at once."""

import threading
from typing import Protocol


class Resumable(Protocol):
    """A search that goes on from where it is."""

    @property
    def nodes(self) -> int: ...

    def advance(self, budget: float, /) -> bool: ...


def refused_beside_another_thread(search: Resumable, whole: float) -> int:
    """Ask a search while another thread works on it, finish it, and count the refusals."""
    worker = threading.Thread(target=search.advance, args=(whole,))
    begun = search.nodes
    worker.start()
    while search.nodes == begun and worker.is_alive():
        pass
    refused = 0
    while worker.is_alive():
        try:
            search.advance(1)
        except RuntimeError as error:
            refused += "another thread" in str(error)
    worker.join()
    while search.advance(whole):
        pass
    return refused
