"""Subsampling keeps examples without looking at them, and needs no union bound (Remark 27)."""

from __future__ import annotations

from pac_stability.arguments import AnyNumber, as_open_unit, as_size
from pac_stability.arithmetic import Interval
from pac_stability.errors import InvalidInput


def balanced_subsample(n: int, vc_dimension: int) -> int:
    """Return the size k of a subsample that is about as accurate as it is robust.

    Parameters
    ----------
    n
        Sample size, at least 1.
    vc_dimension
        d, the VC dimension, from 1 to n.

    Returns
    -------
    int
        The least k with ``k**3 >= d n**2``, at most n.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The best hypothesis on k examples loses an accuracy of order ``e = sqrt(d/k)`` (CLNRW16, Remark
    15). Indices that are independent of the examples leave fresh examples behind, so that the
    :class:`~pac_stability.compression.bounds.HoeffdingBound` with ``Selection.OBLIVIOUS`` grows
    with k by ``k/n`` only. Both are ``(d/n)**(1/3)`` at this k. Where every one of n^k selections
    is counted, the balance is at :func:`remark_27`, of order ``(d/n)**(1/4)`` but for a logarithm.

    Examples
    --------
    >>> from pac_stability.compression import Selection
    >>> from pac_stability.compression.bounds import HoeffdingBound
    >>> for n in (10**4, 10**6):
    ...     k = balanced_subsample(n, 5)
    ...     robust = HoeffdingBound(n, k, "1/20", Selection.OBLIVIOUS)
    ...     print(k, round(float(robust.value()), 4), round(float(remark_27(n, 5, "1/20")), 4))
    794 0.0924 0.2795
    17100 0.0184 0.0958
    """
    size = as_size(n, "n", least=1)
    d = as_size(vc_dimension, "vc_dimension", least=1)
    if d > size:
        raise InvalidInput("vc_dimension", str(d), f"at most n = {size}")
    target = d * size**2
    low, high = 1, size
    while low < high:
        middle = (low + high) // 2
        if middle**3 >= target:
            high = middle
        else:
            low = middle + 1
    return low


def remark_27(n: int, vc_dimension: int, delta: AnyNumber, bits: int = 64) -> Interval:
    """Enclose ``(d ln(n/delta) / n)**(1/4)``, the order that is printed for subsampling.

    Parameters
    ----------
    n
        Sample size, at least 1.
    vc_dimension
        d, the VC dimension, at least 1.
    delta
        The probability of failure allowed, above 0 and below 1.
    bits
        Working precision.

    Notes
    -----
    Source: CLNRW16 Remark 27. It stands inside an O().
    """
    size = as_size(n, "n", least=1)
    d = as_size(vc_dimension, "vc_dimension", least=1)
    inside = Interval.log(size / as_open_unit(delta, "delta"), bits) * d / size
    return Interval.sqrt(Interval.sqrt(inside, bits), bits)
