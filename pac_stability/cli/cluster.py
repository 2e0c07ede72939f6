"""A cluster of dask.distributed, by the address of its scheduler, for ``verify`` and ``audit``."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from pac_stability.errors import InvalidInput


@contextmanager
def cluster(address: str, *, file: str | None = None) -> Iterator[Executor]:
    """Yield an executor whose work is done by the workers of a cluster.

    Parameters
    ----------
    address
        Of the scheduler.
    file
        A file of Python that the workers are to import; what it imports must be there already.

    Raises
    ------
    InvalidInput
        The extra is not installed, or nothing answers at the address.
    """
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise InvalidInput(
            "--scheduler", address, "pip install 'pac_stability[distributed]' first"
        ) from None
    try:
        client = distributed.Client(address)
    except (OSError, ValueError) as error:
        raise InvalidInput(
            "--scheduler", f"{address}: {error}", "the address of a scheduler that runs"
        ) from error
    with client:
        if file is not None:
            client.upload_file(file)
        yield client.get_executor()
