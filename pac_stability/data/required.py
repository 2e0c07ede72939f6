"""Checks of an argument that must be a sample."""

from __future__ import annotations

from pac_stability.arguments import require_instance, require_size
from pac_stability.data.array_sample import ArraySample
from pac_stability.data.sample import Sample


def require_sample(sample: object, least: int = 0, argument: str = "sample") -> None:
    """Refuse what is no sample, and one with fewer examples than are needed.

    Parameters
    ----------
    sample
        What came.
    least
        How many examples it must have.
    argument
        What it is called in the message.

    Raises
    ------
    InvalidInput
        It is no :class:`~pac_stability.data.Sample`, or too small.

    Examples
    --------
    >>> require_sample(Sample([1], [0]), 2)
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: sample: got 1 examples, want at least 2 examples
    """
    require_instance(sample, Sample, argument)
    assert isinstance(sample, Sample)  # noqa: S101  # just seen
    require_size(sample, least, argument)


def require_any_sample(sample: object, least: int = 0, argument: str = "sample") -> None:
    """The same, where a sample may be in arrays.

    Parameters
    ----------
    sample, least, argument
        As for :func:`require_sample`.

    Raises
    ------
    InvalidInput
        It is neither a :class:`~pac_stability.data.Sample` nor an
        :class:`~pac_stability.data.ArraySample`, or too small.
    """
    require_instance(sample, (Sample, ArraySample), argument)
    assert isinstance(sample, Sample | ArraySample)  # noqa: S101  # just seen
    require_size(sample, least, argument)
