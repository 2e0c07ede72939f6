"""A hypothesis on finitely many points, as an integer."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from pac_stability.arguments import described
from pac_stability.classes.hypothesis import SHOWN, labels_in_words
from pac_stability.errors import InvalidInput


class Mask(int):
    """The labels of finitely many points, packed into an integer that can be called.

    It is the integer whose bit ``i`` is the label of the i-th point: equal to it, with its hash,
    so that counts and kernels take it for one. Besides, it gives the label of a point, and is
    printed with its points.

    Parameters
    ----------
    bits
        A non-negative integer below ``2**len(domain)``.
    domain
        The points, in order.

    Raises
    ------
    InvalidInput
        The integer labels more points than there are; on use, a point is not in the domain.

    Examples
    --------
    >>> h = Mask(5, "abc")
    >>> h, h("a"), h("b"), h == 5
    (<Mask 'a': 1, 'b': 0, 'c': 1>, 1, 0, True)
    """

    domain: tuple[Hashable, ...]

    def __new__(cls, bits: int, domain: Iterable[Hashable]) -> Mask:
        """Return the hypothesis."""
        made = super().__new__(cls, bits)
        made.domain = tuple(domain)
        if made < 0 or made >> len(made.domain):
            wanted = f"a labelling of {len(made.domain)} points, below 2**{len(made.domain)}"
            raise InvalidInput("bits", described(bits), wanted)
        return made

    def __call__(self, point: Hashable, /) -> int:
        """Label of a point of the domain."""
        try:
            return self >> self.domain.index(point) & 1
        except ValueError:
            wanted = f"one of the {len(self.domain)} points"
            raise InvalidInput("point", described(point), wanted) from None

    def __repr__(self) -> str:
        # Where labels are left out the integer tells hypotheses apart.
        rest = f": {self:#x}" if len(self.domain) > SHOWN else ""
        return f"<Mask {labels_in_words(self.domain, self)}{rest}>"

    def __reduce__(self) -> tuple[type[Mask], tuple[int, tuple[Hashable, ...]]]:
        return type(self), (int(self), self.domain)
