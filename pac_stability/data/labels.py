"""Labels: 0 and 1 inside the library, whatever the paper at hand writes."""

from __future__ import annotations

from pac_stability.errors import InvalidInput


def as_label(value: object, argument: str = "label") -> int:
    """Return 0 or 1, or refuse the value.

    Anything equal to 0 or 1 is a label: booleans and NumPy's integers too.

    Raises
    ------
    InvalidInput
        The value is neither; for -1 the message names :func:`label_from_sign`.

    Examples
    --------
    >>> as_label(True)
    1
    """
    try:
        if value == 0:
            return 0
        if value == 1:
            return 1
        negative = bool(value == -1)
    except (TypeError, ValueError):
        negative = False
    if negative:
        raise InvalidInput(argument, "-1", "0 or 1 (label_from_sign turns -1/+1 into 0/1)")
    raise InvalidInput(argument, repr(value)[:40].replace("\n", " "), "0 or 1")


def label_from_sign(sign: object) -> int:
    """Return the label that stands for a sign: 0 for -1 and 1 for +1.

    This is the one place that relates the two notations (BLM20 labels by -1/+1).

    Raises
    ------
    InvalidInput
        The value is neither -1 nor +1.

    Examples
    --------
    >>> label_from_sign(-1), label_from_sign(+1)
    (0, 1)
    """
    if sign in (-1, 1):
        return int(sign == 1)
    raise InvalidInput("sign", repr(sign)[:40], "-1 or +1")
