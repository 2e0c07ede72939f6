"""Samples in all their forms, where a learner takes any of them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from pac_stability.arguments import require_instance, require_size
from pac_stability.classes import ErrorCounter
from pac_stability.data import AnySample, ArraySample, Sample

AnyData: TypeAlias = AnySample | ErrorCounter
"""A sample of Python values, one in arrays, or one of the two made ready for counting."""


def as_sample(data: AnyData, least: int = 0) -> AnySample:
    """Return the sample that was given, however it was; refuse what is none, or too small.

    Parameters
    ----------
    data
        What came.
    least
        How many examples it must have.

    Raises
    ------
    InvalidInput
        It is none of the three, or too small.

    Examples
    --------
    >>> as_sample(ErrorCounter(Sample([1], [0])))
    Sample(points=(1,), labels=(0,))
    """
    require_instance(data, (Sample, ArraySample, ErrorCounter), "sample")
    sample = data.sample if isinstance(data, ErrorCounter) else data
    require_size(sample, least, "sample")
    return sample


def as_listed(data: AnyData, least: int = 0) -> Sample[Hashable]:
    """Return the sample that was given as Python values: what exact laws are computed from.

    Parameters
    ----------
    data, least
        As for :func:`as_sample`.

    Raises
    ------
    InvalidInput
        As for :func:`as_sample`.

    Examples
    --------
    >>> as_listed(ArraySample([0.5, 2], [0, 1]))
    Sample(points=(0.5, 2.0), labels=(0, 1))
    """
    sample = as_sample(data, least)
    return sample.subset(range(len(sample))) if isinstance(sample, ArraySample) else sample


def as_counter(data: AnyData, least: int = 0) -> ErrorCounter:
    """Return what counts errors on the sample that was given.

    Parameters
    ----------
    data, least
        As for :func:`as_sample`.

    Raises
    ------
    InvalidInput
        As for :func:`as_sample`.
    """
    sample = as_sample(data, least)
    return data if isinstance(data, ErrorCounter) else ErrorCounter(sample)
