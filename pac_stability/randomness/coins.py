"""The random choices that coins offer, made exactly from fair bits.

:class:`SeededCoins` are repeatable, for tests and figures; they give no privacy.
"""

from __future__ import annotations

import operator
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from threading import RLock
from typing import Final, Protocol, SupportsIndex, final

from pac_stability._alarm import alone
from pac_stability.arguments import as_fraction, as_size, in_words
from pac_stability.errors import InvalidInput
from pac_stability.randomness.exact_generator import ExactGenerator
from pac_stability.randomness.weights import WeightedChoice


class Coins(Protocol):
    """A source of independent random choices with exactly rational probabilities."""

    def below(self, n: int, /) -> int:
        """Return one of ``0 .. n - 1``, each with probability ``1/n``."""
        ...

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        """Return an index, each with probability its weight over the sum of the weights."""
        ...

    def bernoulli(self, p: int | Fraction, /) -> int:
        """Return 1 with probability ``p`` and 0 otherwise."""
        ...


class BitCoins(ExactGenerator):
    """Coins that turn fair bits into exactly weighted choices, in integers throughout.

    A subclass supplies the bits. A choice among ``n`` equal cases reads as many bits as ``n - 1``
    has and starts again when they exceed it, so the law is exact and it makes less than two
    attempts on average. It reads nothing where only one case is possible. The methods of
    ``random.Random`` and ``numpy.random.Generator`` that have an exact law are available, too:
    :class:`~pac_stability.randomness.ExactGenerator`.
    """

    __slots__ = ()

    @abstractmethod
    def bits(self, count: int, /) -> int:
        """Return an integer made of ``count >= 1`` independent fair bits."""

    def below(self, n: int, /) -> int:
        """Return one of ``0 .. n - 1``, each with probability ``1/n``.

        Raises
        ------
        InvalidInput
            ``n`` is not a positive integer.
        """
        size = as_size(n, "n", least=1)
        if size == 1:
            return 0
        count = (size - 1).bit_length()
        while True:
            candidate = self.bits(count)
            if candidate < size:
                return candidate

    def choose(self, weights: Sequence[int | Fraction], /) -> int:
        """Return an index, each with probability its weight over the sum of the weights.

        Parameters
        ----------
        weights
            Non-negative exact numbers, not all zero. To draw many times from the same ones, make a
            :class:`~pac_stability.randomness.WeightedChoice` of them first.

        Raises
        ------
        InvalidInput
            A weight is negative or not exact, or they sum to zero.
        """
        table = weights if isinstance(weights, WeightedChoice) else WeightedChoice(weights)
        return table.at(self.below(table.total))

    def bernoulli(self, p: int | Fraction, /) -> int:
        """Return 1 with probability ``p`` and 0 otherwise.

        Raises
        ------
        InvalidInput
            ``p`` is not an exact number between 0 and 1.
        """
        probability = as_fraction(p, "p")
        above, below = probability.as_integer_ratio()  # compared faster than the fraction
        if not 0 <= above <= below:
            raise InvalidInput("p", in_words(probability), "a probability between 0 and 1")
        return 1 if self.below(below) < above else 0


class SystemCoins(BitCoins):
    """Coins from the operating system's entropy, the source for anything private.

    Each request reads its bits from the system and stores none, so a forked process does not repeat
    its parent's choices.

    Examples
    --------
    >>> 0 <= SystemCoins().below(6) < 6
    True
    """

    __slots__ = ()

    def bits(self, count: int, /) -> int:
        """Return an integer made of ``count`` bits of the operating system's entropy."""
        return secrets.randbits(count)

    def spawn(self, n_children: int) -> list[SystemCoins]:
        """Return generators that draw independently, as NumPy's does."""
        return [self] * n_children


SYSTEM_COINS: Final = SystemCoins()
"""The default coins wherever a method takes some."""


# What can be put back to where it was


class Rewindable(ABC):
    """A stream of coins whose state a watch over a program can read and restore."""

    __slots__ = ()

    @abstractmethod
    def state(self) -> object:
        """Return where the stream stands."""

    @abstractmethod
    def rewind(self, state: object, /) -> None:
        """Restore an earlier state of the stream."""


# Reproducible coins, for tests and figures

_BLOCK_BYTES = 64
_BLOCK_BITS = 8 * _BLOCK_BYTES
_LARGEST_POSITION = 1 << 128  # no stream is read as far, and block numbers have 16 bytes


@final
class SeededCoins(BitCoins, Rewindable):
    """Repeatable coins: the same seed gives the same choices everywhere.

    Their choices carry **no privacy guarantee**: anyone who guesses the seed knows the noise.

    Parameters
    ----------
    seed
        An integer, a string or bytes; different seeds give independent-looking streams.

    Raises
    ------
    InvalidInput
        The seed is of another type.

    Notes
    -----
    Block ``i`` of the stream is BLAKE2b of ``i`` under a key made from the seed, read from its low
    end. It depends neither on the platform nor on the version of Python.

    Several threads may share them: each bit is given once. The operating system then decides which
    thread gets which bit, so another run differs. To repeat runs, give each thread its own
    :meth:`spawn`.

    Examples
    --------
    >>> SeededCoins(7).below(1000) == SeededCoins(7).below(1000)
    True
    >>> coins = SeededCoins(7)
    >>> _ = coins.below(10)
    >>> resumed = SeededCoins.from_state(coins.state())
    >>> coins.below(1000) == resumed.below(1000)
    True
    """

    __slots__ = ("_available", "_begun", "_key", "_left", "_lock", "_next_block")

    def __init__(self, seed: int | str | bytes) -> None:
        self._start(_derive(_encode(seed, "seed"), b"", b"seed"), 0)

    def _start(self, key: bytes, position: int) -> None:
        """Begin reading the stream of a key at a bit position."""
        self._key = key
        # Each block goes on from here: the key is taken in once.
        self._begun = blake2b(key=key, person=b"stream")
        # One that its holder may take again: whoever watches this thread may ask for the state in
        # the middle of a draw.
        self._lock = RLock()
        self._next_block, skipped = divmod(position, _BLOCK_BITS)
        self._available, self._left = 0, 0
        if skipped:
            self.bits(skipped)

    def bits(self, count: int, /) -> int:
        """Return an integer made of the next ``count`` bits of the stream."""
        # On one line, so that no interrupt keeps the lock: see pac_stability._alarm.alone.
        with self._lock: return self._next_bits(count)  # fmt: skip  # noqa: E701

    def _next_bits(self, count: int) -> int:
        if count > self._left:
            blocks = -(-(count - self._left) // _BLOCK_BITS)
            first = self._next_block
            fresh = b"".join(map(self._block, range(first, first + blocks)))
            self._next_block = first + blocks
            self._available |= int.from_bytes(fresh, "little") << self._left
            self._left += blocks * _BLOCK_BITS
        result = self._available & ((1 << count) - 1)
        self._available >>= count
        self._left -= count
        return result

    def _block(self, index: int) -> bytes:
        block = self._begun.copy()
        block.update(index.to_bytes(16, "little"))
        return block.digest()

    def spawn(self, key: int | str | bytes) -> SeededCoins:
        """Return an independent stream, a function of the seed and the key alone.

        Earlier draws do not affect it, so parallel workers can each spawn their own.
        """
        return self._at(_derive(_encode(key, "key"), self._key, b"spawn"), 0)

    def state(self) -> dict[str, str | int]:
        """Return where the stream stands, as strings and integers that fit in JSON."""
        position = alone(self._lock, lambda: self._next_block * _BLOCK_BITS - self._left)
        return {"key": self._key.hex(), "position": position}

    def rewind(self, state: object, /) -> None:
        """Continue from a :meth:`state`, of these coins or of others.

        Raises
        ------
        InvalidInput
            The state is not one that :meth:`state` returned.
        """
        earlier = SeededCoins.from_state(state)

        def go_on() -> None:
            for name in SeededCoins.__slots__:
                if name != "_lock":
                    setattr(self, name, getattr(earlier, name))

        alone(self._lock, go_on)

    def __reduce__(self) -> tuple[Callable[[object], SeededCoins], tuple[dict[str, str | int]]]:
        return SeededCoins.from_state, (self.state(),)

    @classmethod
    def from_state(cls, state: object) -> SeededCoins:
        """Return coins that continue from a :meth:`state`.

        Raises
        ------
        InvalidInput
            The state is not one that :meth:`state` returned.
        """
        wanted = "what SeededCoins.state() returned"
        if not isinstance(state, Mapping) or set(state) != {"key", "position"}:
            raise InvalidInput("state", "a value of another form", wanted)
        key, position = state["key"], as_size(state["position"], "position")
        if not isinstance(key, str):
            raise InvalidInput("state", "a key that is no string", wanted)
        try:
            raw = bytes.fromhex(key)
        except ValueError:
            raise InvalidInput("state", "a key that is not hexadecimal", wanted) from None
        if len(raw) != _BLOCK_BYTES:
            raise InvalidInput("state", f"a key of {len(raw)} bytes", wanted)
        if position >= _LARGEST_POSITION:
            raise InvalidInput("state", "a position beyond 2**128", wanted)
        return cls._at(raw, position)

    @classmethod
    def _at(cls, key: bytes, position: int) -> SeededCoins:
        coins = cls.__new__(cls)
        coins._start(key, position)
        return coins


def _encode(seed: object, argument: str) -> bytes:
    """Return bytes that differ for different seeds, their types included."""
    if isinstance(seed, str):
        return b"str:" + seed.encode("utf-8", "surrogatepass")
    if isinstance(seed, bytes):
        return b"bytes:" + seed
    if isinstance(seed, SupportsIndex) and not isinstance(seed, bool):  # NumPy's integers too
        return b"int:" + hex(operator.index(seed)).encode()
    raise InvalidInput(
        argument, f"a value of type {type(seed).__name__}", "an integer, a string or bytes"
    )


def _derive(text: bytes, key: bytes, purpose: bytes) -> bytes:
    return blake2b(text, key=key, person=purpose, digest_size=_BLOCK_BYTES).digest()
