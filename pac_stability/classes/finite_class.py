"""A finite hypothesis class as a 0/1 table: one row a hypothesis, one column a point.

Hypotheses come first: maps from points to 0 and 1, as integers on finitely many points. After the
class come targets, which a hypothesis labels, and random tables.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from html import escape
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Protocol, Self, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from pac_stability._report import html_table
from pac_stability.arguments import AnyNumber, as_number, as_size, described
from pac_stability.classes import bits, validation
from pac_stability.classes.bits import Indices, Table, Words
from pac_stability.classes.tables.formats import is_frame
from pac_stability.classes.tables.sheets import MAX_BYTES, TableOptions
from pac_stability.classes.tables.text import text_of_table
from pac_stability.classes.tables.values import NamedTable, TableReading
from pac_stability.classes.tables.whole import read_table, table_of_frame
from pac_stability.data import Example, FiniteDistribution
from pac_stability.data.sample import encode_point
from pac_stability.errors import InvalidInput, near
from pac_stability.keeping.writing import FilePath, write_text

if TYPE_CHECKING:  # what operators return stands on this module
    from pac_stability.classes.family import Product, Union


class Hypothesis(Protocol):
    """A hypothesis can be evaluated at every point of its domain.

    The hypotheses of this library are immutable values: hashable, comparable with ``==``, and
    picklable, so they can be outcomes of a randomised learner.
    """

    def __call__(self, point: Hashable, /) -> int:
        """Label of ``point``, 0 or 1."""
        ...


SHOWN = 16
"""How many labels are shown."""


def labels_in_words(domain: Sequence[Hashable], h: Hypothesis) -> str:
    """Return the labels of the first points, with names, and the number of further points.

    Examples
    --------
    >>> labels_in_words("abc", lambda point: int(point > "b"))
    "'a': 0, 'b': 0, 'c': 1"
    """
    labels = [f"{point!r}: {h(point)}" for point in domain[:SHOWN]]
    left = len(domain) - len(labels)
    return ", ".join([*labels, *[f"{left} more"] * bool(left)])


# A hypothesis on finitely many points, as an integer


class Mask(int):
    """The labels of finitely many points, packed into an integer that can be called.

    It is the integer whose bit ``i`` is the label of the i-th point: it equals that integer and has
    its hash, so counts and kernels accept it. It also gives the label of a point, and prints with
    its points.

    Parameters
    ----------
    bits
        A non-negative integer below ``2**len(domain)``.
    domain
        The points, in order.

    Raises
    ------
    InvalidInput
        The integer has more bits than there are points; on use, a point is not in the domain.

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


# Targets: points drawn by weights, and labelled by a hypothesis

Weights = Mapping[Hashable, AnyNumber] | Iterable[AnyNumber]
"""A weight for each point by its name, others having none; or one for each point, in order."""


def target_of(
    domain: tuple[Hashable, ...], concept: Hypothesis, weights: Weights | None
) -> FiniteDistribution[Example[Hashable]]:
    """Return the law of an example with a point drawn by weights and labelled by a hypothesis.

    Raises
    ------
    InvalidInput
        A weight is negative or not for a point of the domain, there is not one for each point, or
        all are 0.
    """
    shares = _shares(domain, weights)
    whole = sum(shares.values())
    if not whole:
        raise InvalidInput("weights", "only 0", "a positive weight of some point")
    return FiniteDistribution(
        {Example(x, concept(x)): share / whole for x, share in shares.items() if share}
    )


def _shares(domain: tuple[Hashable, ...], weights: Weights | None) -> dict[Hashable, Fraction]:
    if weights is None:
        return dict.fromkeys(domain, Fraction(1))
    if not isinstance(weights, Mapping):
        listed = list(weights)
        if len(listed) != len(domain):
            given = f"{len(listed)} of them"
            raise InvalidInput("weights", given, f"{len(domain)}, one for each point")
        weights = dict(zip(domain, listed, strict=True))
    shares = {}
    points = set(domain)
    for point, weight in weights.items():
        if point not in points:
            raise InvalidInput("weights", f"a weight of {described(point)}", "points of the domain")
        shares[point] = as_number(weight, "weights")
        if shares[point] < 0:
            raise InvalidInput("weights", described(weight), "weights of at least 0")
    return shares


# Classes

_MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A dimension that is known in closed form.

    Families and finite tables carry a mapping ``known`` from ``"littlestone"``, ``"vc"``,
    ``"dual_vc"`` and ``"threshold"`` to such values; a key is absent when no closed form is known
    for all parameters.  The threshold dimension is the largest ``k`` with hypotheses
    ``h_1..h_k`` and points ``x_1..x_k`` such that ``h_i(x_j) = 1`` exactly when ``i <= j``.

    Attributes
    ----------
    value
        The dimension; ``math.inf`` for an infinite one.
    source
        A citation, or a proof in one line.
    """

    value: int | float
    source: str


_NOTHING_KNOWN: Mapping[str, KnownValue] = MappingProxyType({})


def _algebra() -> ModuleType:
    return import_module("pac_stability.classes.family")  # it stands on this module


class FiniteClass:
    """A finite hypothesis class over finitely many points.

    Parameters
    ----------
    table
        Array of shape ``(|H|, |X|)`` with values 0 and 1: lists, booleans, integers, or floats that
        are exactly 0.0 or 1.0; or a data frame of pandas or polars (with its names), or a sparse
        matrix of SciPy.  Rows that equal an earlier one are dropped; the others keep their order.
        A table without rows (the empty class) or without columns is allowed.
    domain
        One distinct hashable point for each column; by default ``0, 1, ..., |X| - 1``, or the names
        of a data frame.
    known
        Dimensions known in closed form, by name; see :class:`KnownValue`.
    names
        Names of the hypotheses for trees and reports: text for each row of the table. Of equal rows
        the first keeps its name; the kept names must differ.

    Raises
    ------
    InvalidInput
        The table is ragged, not two-dimensional, or has another value than 0 and 1 (the message
        names row and column, counted from 0); the domain has a wrong length or repeats a point; the
        numbers of names and rows differ, or two hypotheses have the same name.

    Notes
    -----
    Stored bit-packed, ``|H| |X| / 8`` bytes; :attr:`table` is unpacked on first use.  The given
    array is read in blocks, so one that is mapped from a file need not fit into memory: ``O(|H|
    |X|)``, about a second for ``10**9`` entries of one byte.

    A class is immutable.  Two classes are equal if their domains and rows are equal, in order;
    names do not matter.

    As a sequence it holds its hypotheses: ``H[i]`` is row ``i``, callable at any point.

    Examples
    --------
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1], [0, 1]], domain=["a", "b"])
    >>> len(H), H.domain
    (3, ('a', 'b'))
    >>> H(1, "b"), H[1]("a")
    (1, 0)
    >>> H.restrict(["b"]).table.tolist()
    [[0], [1]]
    """

    def __init__(
        self,
        table: npt.ArrayLike | FiniteClass,
        domain: Iterable[Hashable] | None = None,
        *,
        known: Mapping[str, KnownValue] = _NOTHING_KNOWN,
        names: Iterable[str] | None = None,
    ) -> None:
        if isinstance(table, FiniteClass):
            domain = table.domain if domain is None else domain
            names = table.names if names is None else names
            table = table.table
        elif is_frame(table):
            found = table_of_frame(table)
            table = found.table
            domain = found.points if domain is None else domain
            names = found.hypotheses if names is None else names
        self._read(table, domain, known, names, "table")

    def _read(
        self,
        table: npt.ArrayLike,
        domain: Iterable[Hashable] | None,
        known: Mapping[str, KnownValue],
        names: Iterable[str] | None,
        argument: str,
    ) -> None:
        points = None if domain is None else tuple(domain)
        words, columns = validation.packed_table(
            table, None if points is None else len(points), argument
        )
        given = validation.checked_names(names, len(words))
        kept = bits.first_occurrences(words)
        duplicates = len(words) - len(kept)
        dropped: tuple[tuple[str, str], ...] = ()
        if given is not None:
            dropped = _dropped(words, kept.tolist(), given) if duplicates else ()
            given = validation.distinct_names(given, kept.tolist())
        self._assign(
            words[kept] if duplicates else words,
            validation.checked_domain(points, columns),
            known,
            given,
        )
        self._duplicates = duplicates
        self._dropped = dropped

    def _assign(
        self,
        words: Words,
        domain: tuple[Hashable, ...],
        known: Mapping[str, KnownValue],
        names: tuple[str, ...] | None = None,
    ) -> None:
        words.setflags(write=False)
        self._words = words
        self._domain = domain
        self._known = MappingProxyType(dict(known))
        self._names = names
        self._duplicates = 0
        self._dropped = ()
        self._reading = TableReading()

    @classmethod
    def _of(
        cls, words: Words, domain: tuple[Hashable, ...], names: tuple[str, ...] | None = None
    ) -> FiniteClass:
        """Wrap packed rows that are known to be distinct, over a checked domain."""
        made = FiniteClass.__new__(FiniteClass)
        made._assign(words, domain, _NOTHING_KNOWN, names)
        return made

    @classmethod
    def from_file(
        cls,
        path: FilePath,
        *,
        table_format: str | None = None,
        header: bool | None = None,
        names: bool | None = None,
        ones: str | None = None,
        columns: Sequence[str | int] | None = None,
        delimiter: str | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> FiniteClass:
        r"""Read a class from a table of two values, with a line for each hypothesis.

        Parameters
        ----------
        path
            Text in columns (separated by commas, semicolons, tabs, ``|`` or spaces; UTF-8, UTF-16
            or Latin-1), JSON (rows, ``to_json``, sets of points, the output of pandas), arrays of
            NumPy (``.npy``, ``.npz``), sparse matrices of SciPy, formal contexts (``.cxt``), ARFF,
            Parquet, Feather; any of them compressed by gzip.
        table_format
            One of :data:`pac_stability.classes.TABLE_FORMATS`; by default found by extension and
            content. In ``"sets"`` each line lists the points that its hypothesis labels 1.
        header
            Whether the first line names the points. By default it does if it cannot be data. The
            names, as text, become the domain.
        names
            Whether the first column names the hypotheses. By default it does if it is text, or an
            index as pandas and R write it. With ``False`` a first column of text is left out.
        ones
            Which of two values is 1. By default the known one of 0/1, True/False, yes/no, X and
            blank, +/- and the like.
        columns
            The columns to read, by name or by number from 1.
        delimiter
            The separator of cells, if the library does not detect it.
        max_bytes
            Refuse a larger file.

        Returns
        -------
        FiniteClass
            Its :attr:`reading` tells how the file was read.

        Raises
        ------
        InvalidInput
            The file cannot be read, is not such a table, or has two readings; the message then
            names the arguments that decide.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import mkdtemp
        >>> path = Path(mkdtemp()) / "frame.csv"
        >>> _ = path.write_text(",flies,swims\n0,True,False\n1,True,True\n")
        >>> H = FiniteClass.from_file(path)
        >>> H.domain, H.table.tolist(), H.reading.more
        (('flies', 'swims'), [[1, 0], [1, 1]], ("1 = 'True'",))
        """
        options = TableOptions(table_format, header, names, ones, columns, delimiter, max_bytes)
        return cls.read(path, options)

    @classmethod
    def read(cls, path: FilePath, options: TableOptions) -> FiniteClass:
        """Read a class from a file, with all options in one value; see :meth:`from_file`."""
        return cls._of_read(read_table(path, options), str(path))

    @classmethod
    def _of_read(cls, found: NamedTable, argument: str) -> FiniteClass:
        made = FiniteClass.__new__(FiniteClass)
        made._read(found.table, found.points, _NOTHING_KNOWN, found.hypotheses, argument)
        made._reading = found.reading
        return made

    @classmethod
    def from_csv(
        cls,
        path: FilePath,
        *,
        header: bool | None = None,
        names: bool | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> FiniteClass:
        """Read a class from text in columns; see :meth:`from_file`."""
        return cls.read(path, TableOptions("csv", header, names, max_bytes=max_bytes))

    @classmethod
    def from_npy(cls, path: FilePath, *, max_bytes: int = MAX_BYTES) -> FiniteClass:
        """Read a class from a two-dimensional array in NumPy's ``.npy`` format.

        Raises
        ------
        InvalidInput
            The file cannot be read, is truncated, holds Python objects (pickles are never loaded),
            or is not such a table.

        Notes
        -----
        The file is mapped and packed block by block: ``|H| |X| / 8`` bytes of memory.  The file
        must not change meanwhile.
        """
        return cls.read(path, TableOptions("npy", max_bytes=max_bytes))

    @classmethod
    def from_json(cls, path: FilePath, *, max_bytes: int = MAX_BYTES) -> FiniteClass:
        """Read a class from JSON: rows, the output of pandas, or an object with ``"table"``.

        The object can also have ``"domain"``, a list of points, and ``"names"``, of hypotheses.
        Points are numbers, text, lists of points (read as tuples) and ``{"fraction": "p/q"}``.

        Raises
        ------
        InvalidInput
            The file cannot be read, or is not such a table.
        """
        return cls.read(path, TableOptions("json", max_bytes=max_bytes))

    def to_csv(self, path: FilePath) -> None:
        """Write the table as comma-separated text, for :meth:`from_csv`.

        The first line names the points, unless they are ``0, ..., |X| - 1``; the first column the
        hypotheses, if they have names.  Names are text: a domain of other values comes back as
        text; :meth:`to_json` keeps every domain.  If names look like data, or data like names, a
        comment above tells which they are.

        Raises
        ------
        InvalidInput
            The file cannot be written; an existing one stays unchanged.
        """
        rows: list[list[int]] = self.table.tolist()
        write_text(path, text_of_table(rows, self._domain, self._names))

    def to_json(self, path: FilePath) -> None:
        """Write domain and table as JSON, for :meth:`from_json`.

        Raises
        ------
        InvalidInput
            The file cannot be written, or a point is not a number, a text or a tuple of these.
        """
        domain = [encode_point(point, "domain") for point in self._domain]
        names = {} if self._names is None else {"names": list(self._names)}
        content = {"domain": domain, **names, "table": self.table.tolist()}
        write_text(path, json.dumps(content) + "\n")

    @property
    def domain(self) -> tuple[Hashable, ...]:
        """The points, one for each column."""
        return self._domain

    @property
    def names(self) -> tuple[str, ...] | None:
        """The names of the hypotheses, in order, if they have any."""
        return self._names

    def name(self, row: int) -> str:
        """The name of a hypothesis, or ``h`` and its row.

        Examples
        --------
        >>> FiniteClass([[0], [1]], names=["never", "always"]).name(1), FiniteClass([[0]]).name(0)
        ('always', 'h0')
        """
        return f"h{row}" if self._names is None else self._names[row]

    def named(self, name: str) -> Row:
        """Return the hypothesis with a name.

        Raises
        ------
        InvalidInput
            There is none.

        Examples
        --------
        >>> FiniteClass([[0], [1]], names=["never", "always"]).named("always").index
        1
        """
        for row in range(len(self)):
            if self.name(row) == name:
                return Row(self, row)
        other = near(str(name), map(self.name, range(len(self))))
        raise InvalidInput("name", f"{described(name)}{other}", "the name of a hypothesis")

    def target(
        self, hypothesis: str | int | Row, weights: Weights | None = None
    ) -> FiniteDistribution[Example[Hashable]]:
        """Return a target: the law of a random point labelled by a hypothesis of this class.

        Parameters
        ----------
        hypothesis
            The hypothesis, its name or its row.
        weights
            Weights of the points, exact numbers of any sum: a mapping from points (missing ones
            have weight 0), or one for each point in order. Uniform by default.

        Returns
        -------
        FiniteDistribution
            The law of the example.

        Raises
        ------
        InvalidInput
            There is no such hypothesis, or the weights are not valid.

        Examples
        --------
        >>> H = FiniteClass([[0, 0], [1, 1]], domain=["wings", "beak"], names=["dog", "owl"])
        >>> H.target("owl").support
        (Example(point='wings', label=1), Example(point='beak', label=1))
        >>> H.target("owl", {"wings": 3, "beak": 1}).probability(H.target("owl").support[0])
        Fraction(3, 4)
        """
        if isinstance(hypothesis, str):
            concept = self.named(hypothesis)
        elif isinstance(hypothesis, Row):
            concept = hypothesis
            if concept.hypotheses != self:
                raise InvalidInput("hypothesis", described(concept), "one of this class")
        else:
            row = as_size(hypothesis, "hypothesis")
            if row >= len(self):
                raise InvalidInput("hypothesis", f"{row}", f"a row below {len(self)}")
            concept = self[row]
        return target_of(self._domain, concept, weights)

    @property
    def duplicates(self) -> int:
        """The number of dropped rows, which equal earlier rows of the given table."""
        return self._duplicates

    @property
    def dropped(self) -> tuple[tuple[str, str], ...]:
        """The name of each dropped row, with the name of the row that it equals.

        Examples
        --------
        >>> FiniteClass([[0, 1], [1, 1], [0, 1]], names=["frog", "duck", "toad"]).dropped
        (('toad', 'frog'),)
        """
        return self._dropped

    @property
    def reading(self) -> TableReading:
        """How the file was read, if the class comes from a file."""
        return self._reading

    @reading.setter
    def reading(self, reading: TableReading) -> None:
        self._reading = reading

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""
        return self._known

    @property
    def packed(self) -> Words:
        """The table in bits, read-only, of shape ``(|H|, ceil(|X| / 64))``.

        Entry ``(i, j)`` of the table is bit ``j % 64`` of ``packed[i, j // 64]``; bits beyond the
        last column are 0.
        """
        return self._words

    @cached_property
    def table(self) -> Table:
        """The table, read-only and C-contiguous, of shape ``(|H|, |X|)``; its rows are distinct."""
        table = bits.unpack(self._words, len(self._domain))
        table.setflags(write=False)
        return table

    def table_in_pieces(self) -> Generator[None, None, Table]:
        """Unpack :attr:`table`, pausing about every 10 ms, so that a time limit holds.

        Examples
        --------
        >>> H = FiniteClass([[0], [1]])
        >>> for _ in H.table_in_pieces():
        ...     pass
        >>> H.table.tolist()
        [[0], [1]]
        """
        if "table" not in self.__dict__:
            table = yield from bits.unpacked(self._words, len(self._domain))
            table.setflags(write=False)
            self.__dict__["table"] = table
        return self.table

    @cached_property
    def _columns(self) -> dict[Hashable, int]:
        return {point: column for column, point in enumerate(self._domain)}

    def column(self, point: Hashable) -> int:
        """Index of the column of a point.

        Raises
        ------
        InvalidInput
            The point is not in the domain.
        """
        try:
            return self._columns[point]
        except (KeyError, TypeError):
            wanted = f"one of the {len(self._domain)} points"
            raise InvalidInput("point", repr(validation.hashable(point, "point")), wanted) from None

    def _distinct_columns(self, points: Iterable[Hashable]) -> list[int]:
        return list(dict.fromkeys(self.column(point) for point in points))

    def __len__(self) -> int:
        return int(self._words.shape[0])

    def __call__(self, row: int, point: Hashable) -> int:
        """Label that hypothesis ``row`` gives to ``point``."""
        return self[row](point)

    def __getitem__(self, row: int | str) -> Row:
        if isinstance(row, str):
            return self.named(row)
        if not isinstance(row, SupportsIndex):
            raise InvalidInput(
                "row", described(row), "a number or a name; H[row](point) is a label"
            )
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of a class of {len(self)} hypotheses")
        return Row(self, row)

    def __iter__(self) -> Iterator[Row]:
        return (Row(self, row) for row in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FiniteClass):
            return NotImplemented
        return self._domain == other._domain and np.array_equal(self._words, other._words)

    @cached_property
    def _hash(self) -> int:
        return hash((self._domain, self._words.shape, self._words.tobytes()))

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        lost = self._duplicates
        dropped = f", {lost} duplicate row{'s' * (lost > 1)} dropped" if lost else ""
        size = f"{len(self)} hypotheses on {len(self._domain)} points"
        return f"<{type(self).__name__}: {size}{dropped}>"

    def _repr_html_(self) -> str:
        told = f"<p>{escape(repr(self)[1:-1])}</p>"
        if len(self) > _MOST_SHOWN or len(self._domain) > _MOST_SHOWN:
            return told
        rows = [(self.name(h), *map(str, labels)) for h, labels in enumerate(self.table.tolist())]
        return f"{told}\n{html_table(rows, ('', *map(str, self._domain)))}"

    def __reduce__(self) -> tuple[object, ...]:
        known = dict(self._known)
        return _restored, (
            *(self._words, self._domain, known, self._names),
            *(self._duplicates, self._dropped, self._reading),
        )

    def with_known(self, known: Mapping[str, KnownValue]) -> FiniteClass:
        """Return the same class (without representatives) with these closed forms."""
        made = FiniteClass._of(self._words, self._domain, self._names)
        made._known = MappingProxyType(dict(known))
        made._duplicates, made._dropped = self._duplicates, self._dropped
        made._reading = self._reading
        return made

    def _names_of(self, rows: Iterable[int]) -> tuple[str, ...] | None:
        names = self._names
        return None if names is None else tuple(names[row] for row in rows)

    def select_rows(self, rows: Iterable[int]) -> FiniteClass:
        """Return the class of some of the hypotheses, in the order given, on the same points.

        Raises
        ------
        InvalidInput
            An index is out of range.
        """
        chosen = list(dict.fromkeys(rows))
        for row in chosen:
            if not 0 <= row < len(self):
                raise InvalidInput("rows", str(row), f"indices from 0 to {len(self) - 1}")
        words = self._words[np.array(chosen, dtype=np.intp)]
        return FiniteClass._of(words, self._domain, self._names_of(chosen))

    def version_space(self, points: Iterable[Hashable], labels: Iterable[int]) -> FiniteClass:
        """Return the hypotheses that label every point as given, in order.

        Raises
        ------
        InvalidInput
            A point is unknown, a label is not 0 or 1, or their numbers differ.
        """
        columns = [self.column(point) for point in points]
        wanted = validation.checked_labels(labels, len(columns))
        agree = np.flatnonzero(np.all(self.table[:, columns] == wanted, axis=1))
        return FiniteClass._of(self._words[agree], self._domain, self._names_of(agree.tolist()))

    def representative_rows(self, points: Iterable[Hashable]) -> tuple[int, ...]:
        """Row that represents each pattern on a set of points, increasing.

        The representative is the first row with its pattern, so it depends only on the set of
        points: neither their order, nor repetition, nor labels matter (DF20 needs this for
        ``H_T``).
        """
        return tuple(self._first_rows(self._distinct_columns(points))[1].tolist())

    def representatives_on(self, points: Iterable[Hashable]) -> tuple[Row, ...]:
        """Hypotheses, one for each pattern on a set of points: those of ``restrict``."""
        return tuple(Row(self, row) for row in self.representative_rows(points))

    def _first_rows(self, columns: Sequence[int]) -> tuple[Words, Indices]:
        words = bits.pack(self.table[:, list(columns)])
        first = bits.first_occurrences(words)
        return words[first], first

    def restrict(self, points: Iterable[Hashable]) -> Restriction:
        """Patterns of the class on a *set* of points, with representatives.

        Parameters
        ----------
        points
            Points of the domain; the result has a column for each distinct point, in order of first
            appearance.

        Returns
        -------
        Restriction
            One row for each pattern, in order of first appearance in this class; its
            ``representatives`` are rows of this class, those of :meth:`representative_rows`.  Its
            hypotheses are patterns, which have no names; their representatives may have some.

        Raises
        ------
        InvalidInput
            A point is not in the domain.

        Notes
        -----
        ``O(|H| (m + log |H|))`` for ``m`` points.
        """
        columns = self._distinct_columns(points)
        words, rows = self._first_rows(columns)
        return Restriction._of_patterns(
            words,
            tuple(self._domain[column] for column in columns),
            lambda: tuple(Row(self, row) for row in rows.tolist()),
        )

    def complement(self) -> FiniteClass:
        """Return the class of all ``1 - h``, in the same order; also ``~H``."""
        made = FiniteClass._of(bits.pack(1 - self.table), self._domain)
        return made.with_known(_algebra().kept_by_complements(self.known))

    @overload
    def __or__(self, other: FiniteClass) -> FiniteClass: ...

    @overload
    def __or__(self, other: object) -> FiniteClass | Union: ...

    def __or__(self, other: object) -> FiniteClass | Union:
        """Union of the sets of hypotheses: a table of tables, else a family.

        :mod:`pac_stability.classes.family` says more of the operators.

        Examples
        --------
        >>> from pac_stability.classes import singletons, thresholds
        >>> H, G = thresholds(3), singletons(3)
        >>> len(H | G), len(H & G), len(H * G), (~G).table.tolist()
        (6, 1, 12, [[0, 1, 1], [1, 0, 1], [1, 1, 0]])
        """
        made: FiniteClass | Union = _algebra().joined("|", self, other)
        return made

    def __and__(self, other: object) -> FiniteClass:
        """Intersection of the sets of hypotheses, of two tables."""
        made: FiniteClass = _algebra().joined("&", self, other)
        return made

    @overload
    def __mul__(self, other: FiniteClass) -> FiniteClass: ...

    @overload
    def __mul__(self, other: object) -> FiniteClass | Product: ...

    def __mul__(self, other: object) -> FiniteClass | Product:
        """Product on disjoint domains: a table of tables, else a family."""
        made: FiniteClass | Product = _algebra().joined("*", self, other)
        return made

    __invert__ = complement

    def dual(self) -> FiniteClass:
        """Return the dual class: points label hypotheses.

        The points of the dual are the row indices ``0, ..., |H| - 1``; its hypotheses are the
        distinct columns of this class, in order.
        """
        turned = bits.finished(bits.transposed(self._words, len(self._domain)))
        return FiniteClass._of(turned[bits.first_occurrences(turned)], tuple(range(len(self))))


_UNREAD = TableReading()


def _restored(  # noqa: PLR0917  # what a class holds
    words: Words,
    domain: tuple[Hashable, ...],
    known: Mapping[str, KnownValue],
    names: tuple[str, ...] | None,
    duplicates: int,
    dropped: tuple[tuple[str, str], ...],
    reading: TableReading = _UNREAD,
) -> FiniteClass:
    """Return a class that was pickled."""
    made = FiniteClass._of(words, domain, names)
    made._known = MappingProxyType(dict(known))
    made._duplicates, made._dropped, made._reading = duplicates, dropped, reading
    return made


def _dropped(
    words: Words, kept: Sequence[int], names: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the names of the rows that are not kept, each with that of the one it equals."""
    first = {words[row].tobytes(): names[row] for row in kept}
    left = set(range(len(words))) - set(kept)
    return tuple((names[row], first[words[row].tobytes()]) for row in sorted(left))


@dataclass(frozen=True, slots=True)
class Row:
    """A hypothesis of a finite class.

    Attributes
    ----------
    hypotheses
        The class.
    index
        The row.
    """

    hypotheses: FiniteClass
    index: int

    def __call__(self, point: Hashable) -> int:
        """Label of a point of the domain."""
        column = self.hypotheses.column(point)
        word = int(self.hypotheses.packed[self.index, column // 64])
        return word >> (column % 64) & 1

    @property
    def name(self) -> str:
        """Its name in the class, or ``h`` and its row."""
        return self.hypotheses.name(self.index)

    def __repr__(self) -> str:
        called = "" if self.hypotheses.names is None else f" {self.name!r}:"
        labels = labels_in_words(self.hypotheses.domain, self)
        return f"<Row{called} {self.index} of {len(self.hypotheses)}: {labels}>"


class Restriction(FiniteClass):
    """The patterns of a class on a finite set of points, each with a hypothesis that realizes it.

    What ``restrict`` returns.  It is a finite class over the distinct points. In addition,
    ``representatives[i]`` is a hypothesis of the restricted class that labels the points as row
    ``i`` does and that can be evaluated at every point of the original domain.

    Parameters
    ----------
    table
        Array of shape ``(patterns, points)``; its rows must be distinct.
    domain
        The points.
    representatives
        One hypothesis for each row.

    Examples
    --------
    >>> H = FiniteClass([[0, 0, 0], [0, 1, 1], [0, 1, 0]])
    >>> on_one_point = H.restrict([1])
    >>> [h.index for h in on_one_point.representatives], on_one_point.representatives[1](2)
    ([0, 1], 1)
    """

    _representatives: tuple[Hypothesis, ...] | Callable[[], tuple[Hypothesis, ...]]

    def __init__(
        self,
        table: npt.ArrayLike,
        domain: Iterable[Hashable],
        representatives: Sequence[Hypothesis],
    ) -> None:
        super().__init__(table, domain)
        if len(representatives) != len(self):
            wanted = f"{len(self)}, one for each distinct pattern"
            raise InvalidInput("representatives", f"{len(representatives)}", wanted)
        self._representatives = tuple(representatives)

    @classmethod
    def _of_patterns(
        cls,
        words: Words,
        domain: tuple[Hashable, ...],
        representatives: Callable[[], tuple[Hypothesis, ...]],
    ) -> Self:
        made = cls.__new__(cls)
        made._assign(words, domain, _NOTHING_KNOWN)
        made._representatives = representatives
        return made

    @property
    def representatives(self) -> tuple[Hypothesis, ...]:
        """One hypothesis for each row; a fixed function of the set of points."""
        if callable(self._representatives):  # many are never asked for
            self._representatives = self._representatives()
        return self._representatives

    def __reduce__(self) -> tuple[object, ...]:
        return Restriction, (self.table, self.domain, self.representatives)


# Random tables


def random_class(
    hypotheses: int, points: int, density: Fraction | float = Fraction(1, 2), seed: int = 0
) -> FiniteClass:
    """Random table with independent entries, repeated rows dropped.

    Parameters
    ----------
    hypotheses, points
        Shape of the table before repeated rows are dropped.
    density
        Probability of a 1, from 0 to 1.
    seed
        A non-negative integer; equal seeds give equal tables.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the table would be too large.

    Examples
    --------
    >>> random_class(4, 3, seed=1) == random_class(4, 3, seed=1)
    True
    """
    rows, columns = as_size(hypotheses, "hypotheses"), as_size(points, "points")
    validation.check_cells("random", rows, columns)
    if not 0 <= density <= 1:
        raise InvalidInput("density", str(density), "a probability")
    # The raw words of PCG64 are the same in every version of NumPy; its floats need not be.
    words = np.random.PCG64(as_size(seed, "seed")).random_raw(rows * columns)
    cut = int(Fraction(density) * 2**64)
    ones = words < np.uint64(cut) if cut < 2**64 else np.ones(rows * columns, dtype=np.bool_)
    return FiniteClass(ones.reshape(rows, columns))
