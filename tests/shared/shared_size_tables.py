"""Every size function of the library on a grid, for each word of ``constants``: golden tables.

A test compares them with ``tests/papers/size_tables.json``, by day a few rows of each kind, so a
size that changes by one is noticed; ``python tests/shared/shared_size_tables.py --write`` writes
that file. A row holds what a size says but for its budget (numbers, parameters, what binds), or the
argument that was refused.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import partial
from itertools import groupby, product
from pathlib import Path
from typing import TypeAlias

from pac_stability import Epsilon, Interval, errors, mechanisms
from pac_stability.compression import any_class, bounds
from pac_stability.papers.bun_livni_moran import StrongSizeBound, agnostic_accuracy, formulas
from pac_stability.papers.bun_livni_moran.formulas.sizes import (
    generic_size,
    private_decay,
    selection_size,
)
from pac_stability.papers.cummings_et_al import algorithm_1, implications, simulators
from pac_stability.papers.dagan_feldman import (
    least_sample_size,
    private_least_sample_size,
    sample_complexity as sizes,
)

FILE = Path(__file__).resolve().parents[1] / "papers" / "size_tables.json"
F = Fraction

Compute: TypeAlias = Callable[[], object]
Rows: TypeAlias = Iterator[tuple[str, Compute]]

ONE_WORD: Mapping[str, str] = {"": ""}
"""Of functions that have no ``constants``."""
PRINTED_SHARP = {"printed": "paper", "sharp": "sharp"}
ALL_WORDS = {word: word for word in ("printed", "proved", "sharp")}
PRINTED_PROVED = {"printed": "paper", "proved": "repaired"}
PROVED_SHARP = {"proved": "repaired", "sharp": "sharp"}
SHARP = {"sharp": "sharp"}


def text(value: object) -> str:
    """What a row keeps of a value."""
    if isinstance(value, Epsilon):
        return text(value.ratio)
    if isinstance(value, Interval):
        return f"{float(value.lower):.15g}..{float(value.upper):.15g}"
    if isinstance(value, Fraction) and len(str(value)) > 40:
        return f"~{float(value):.15g}"
    if isinstance(value, tuple):
        return ", ".join(map(text, value))
    if is_dataclass(value) and not isinstance(value, type):
        return said(
            value,
            *sorted({each.name for each in fields(value)} - {"budget", "constants", "neighbours"}),
        )
    return getattr(value, "__name__", str(value))


def said(value: object, *names: str) -> str:
    """What some attributes of a value are."""
    return "; ".join(f"{name}={text(getattr(value, name))}" for name in names)


def row(compute: Compute) -> str:
    """A row: what is computed, or the argument that is refused."""
    try:
        return text(compute())
    except errors.InvalidInput as refused:
        return f"refused: {refused.argument}"


def asked(
    words: Mapping[str, str], function: Callable[..., object], *given: object, **options: object
) -> Rows:
    """Rows of a function for each word of ``constants``."""
    label = " ".join(map(text, (function.__name__, *given, *options.values())))
    for word, constants in words.items():
        named = {**options, "constants": constants} if word else options
        yield f"{label} {word}".strip(), partial(function, *given, **named)


def parts(kind: Callable[..., object], *names: str) -> Callable[..., object]:
    """A function that makes a record and says some of its attributes."""

    def compute(*given: object, **options: object) -> object:
        return said(kind(*given, **options), *names)

    compute.__name__ = kind.__name__
    return compute


def implied(name: str) -> Callable[..., object]:
    """A bound or an implication of CLNRW16 by its name."""
    rule: Callable[..., object] = getattr(implications, name)

    def compute(*given: object, **options: object) -> object:
        return rule(*given, **options)

    compute.__name__ = name
    return compute


ALPHAS = (F(1, 3), F(1, 20), F(1, 500))
LEVELS = (F(1, 20), F(2, 3))
EPSILONS = (F(1, 20), F(1), F(3))
SHAPES: tuple[tuple[int, int | None], ...] = ((1, None), (3, None), (1, 2), (2, 1000))
B = F(1, 7)


def dagan_feldman() -> Rows:
    """The sizes of DF20."""
    given: tuple[object, ...]
    function: Callable[..., object]
    for a, (d, size) in product(ALPHAS, SHAPES):
        finite: dict[str, object] = {"class_size": size}
        for gamma in LEVELS:
            given = (a, B, gamma, d)
            yield from asked(ALL_WORDS, sizes.theorem_1, *given, **finite)
            for setting in ("agnostic", "realizable"):
                chosen = {"setting": setting, **finite}
                yield from asked(ALL_WORDS, sizes.disjoint_average_size, *given, **chosen)
                yield from asked(ALL_WORDS, sizes.subset_average_size, *given, **chosen)
        for epsilon in EPSILONS:
            given = (a, B, epsilon, d)
            for targets in ("one", "all"):
                chosen = {"targets": targets, **finite}
                yield from asked(ALL_WORDS, sizes.realizable_private_size, *given, **chosen)
            if size != 2:  # they take the longest
                yield from asked(ALL_WORDS, sizes.corollary_2, *given, **finite)
                yield from asked(ALL_WORDS, sizes.theorem_3, *given, **finite)
                yield from asked(ALL_WORDS, sizes.aggregation_size, *given, **finite)
        for b in (B, F(1, 1000)):
            yield from asked(ALL_WORDS, sizes.uniform_convergence_size, a, b, d, **finite)
            for population in (None, 30, 2000):
                chosen = {"population": population, **finite}
                yield from asked(ALL_WORDS, sizes.net_size, a, b, d, **chosen)
    for a, epsilon in product(ALPHAS, EPSILONS):
        yield from asked(ONE_WORD, sizes.threshold_scan_size, a, epsilon)
        for size in (1, 2, 1000, 2**64):
            yield from asked(ALL_WORDS, sizes.exponential_mechanism_size, a, epsilon, size)
            given = (a, B, epsilon, 1, size)
            yield from asked(ALL_WORDS, sizes.exponential_learner_size, *given)
    for a, n in product(ALPHAS, (10, 300)):
        yield from asked(ONE_WORD, sizes.threshold_net_size, a, B, n)
    grown = {"growth": _twice}
    for function in (sizes.theorem_1, sizes.corollary_2, sizes.realizable_private_size):
        yield from asked(ALL_WORDS, function, F(1, 5), B, F(1, 5), 1, **grown)


def _twice(m: int) -> int:
    return 2 * m


def lower_bounds() -> Rows:
    """What every learner needs."""
    given: tuple[object, ...]
    for a, b, d in product((F(1, 5), F(1, 50), F(1, 400)), (F(0), F(1, 20), F(2, 5)), (1, 2, 9)):
        yield from asked(ONE_WORD, sizes.agnostic_lower_bound, a, b, d)
        for level in (F(1, 10), F(1)):
            yield from asked(ONE_WORD, sizes.stable_lower_bound, a, level / 2, d, beta=b)
            yield from asked(ONE_WORD, sizes.private_lower_bound, a, level, d, beta=b)
            yield from asked(PRINTED_SHARP, least_sample_size, d, level, a, b)
    for a, d in product((F(1, 5), F(1, 20)), (1, 3)):
        for t, delta in ((F(2), F(0)), (F(5, 4), F(1, 100)), (F(1), F(0))):
            given = (d, Epsilon.exactly(t), delta, a)
            yield from asked(ONE_WORD, private_least_sample_size, *given)


def bun_livni_moran() -> Rows:
    """The sizes of BLM20."""
    given: tuple[object, ...]
    function: Callable[..., object]
    epsilons = (Epsilon("1/20"), Epsilon(1), Epsilon(3))
    frequency = parts(formulas.FrequencyThreshold, "value", "is_proved")
    stable = parts(formulas.GlobalStabilityParameters, "n", "budget", "sample_size", "eta")
    strong = parts(StrongSizeBound, "constant")
    for d in (1, 2, 4, 8, 9):
        yield from asked({**PRINTED_PROVED, **SHARP}, frequency, d)
        yield from asked(PRINTED_PROVED, strong, d)
        for a in (F(1, 3), F(1, 100), F(2)):
            yield from asked({**PRINTED_PROVED, **SHARP}, stable, d, a)
        for a, epsilon in product((F(1, 3), F(1, 100)), epsilons):
            given = (d, a, F(1, 10), epsilon, F(1, 10**6))
            for function in (_private_size, formulas.theorem_1_order, _agnostic, _strong_size):
                yield from asked(PRINTED_PROVED, function, *given)
            if d <= 4:  # beyond, the search takes seconds
                yield from asked(SHARP, _private_size, *given)
    names = ("noise", "runs", "cutoff", "decay", "list_size", "choice_size", "sample_size")
    private = parts(formulas.PrivateFromStable, *names)
    for a, epsilon in product((F(1, 3), F(1, 100)), epsilons):
        for eta in (F(1, 8), F(1, 60)):
            yield from asked(PROVED_SHARP, private, 500, eta, a, F(1, 10), epsilon, F(1, 10**6))
        for size in (1, 2, 1000):
            decay = private_decay(epsilon)
            yield from asked(ONE_WORD, generic_size, size, a, F(1, 10), decay)
            for loss in (F(0), a / 2, a * 9 / 10):
                yield from asked(ONE_WORD, selection_size, size, a, loss, F(1, 10), decay)
    for m, vc, a in product((1, 520), (1, 5), (F(1, 3), F(1, 100))):
        yield from asked(ONE_WORD, agnostic_accuracy.agnostic_sizes, m, vc, a, F(1, 10))
    for p, a in product((F(1, 8), F(1, 10), F(1)), (F(1, 3), F(1, 100), F(2))):
        yield from asked(ONE_WORD, formulas.fewest_fresh_examples, p, a)
        yield from asked(ONE_WORD, formulas.fresh_examples, p, a)


_private_size = parts(formulas.PrivateLearnerSizes, "sample_size")


def _agnostic(*given: object, constants: str) -> object:
    kind: Callable[..., formulas.PrivateLearnerSizes] = formulas.PrivateLearnerSizes
    return agnostic_accuracy.agnostic_sizes_over(kind(*given, constants=constants), 2)[0]


def _strong_size(
    d: int, alpha: Fraction, beta: Fraction, epsilon: Epsilon, delta: Fraction, *, constants: str
) -> object:
    kind: Callable[..., StrongSizeBound] = StrongSizeBound
    return kind(d, constants=constants).sample_size(alpha, beta, epsilon, delta)


def cummings_et_al() -> Rows:
    """The sizes and deviations of CLNRW16."""
    given: tuple[object, ...]
    function: Callable[..., object]
    three = {"printed": "paper", "proved": "proof", "sharp": "sharp"}
    generic = parts(algorithm_1.GenericAgnosticSize, "sample_size", "proved")
    for size, a in product((1, 4, 1000), (F(1, 3), F(1, 100))):
        for epsilon in (F(1, 20), F(1), F(30)):
            yield from asked(three, generic, size, a, B, F(1, 20), Epsilon(epsilon))
        for n in (2, 100):
            yield from asked(PRINTED_SHARP, _excess, n, size, a, F(1, 20))
        yield from asked(ONE_WORD, _uniform, size, B, a)
    for b, epsilon in product((F(0), F(1, 50)), (F(1, 20), F(1), F(3))):
        perfect = implications.PerfectGuarantee(b, Epsilon(epsilon), F(1, 1000))
        pure = mechanisms.PrivacyGuarantee(Epsilon(epsilon))
        private = mechanisms.PrivacyGuarantee(Epsilon(epsilon), b)
        for n in (2, 100):
            for name in ("perfect_deviation", "perfect_to_robust"):
                yield from asked(PRINTED_SHARP, implied(name), perfect, n)
            given = (pure, n, b or F(1, 3), 5)
            yield from asked(PRINTED_SHARP, implied("private_to_perfect_epsilon"), *given)
            yield from asked(PRINTED_SHARP, implied("private_to_perfect"), *given)
            yield from asked(PRINTED_SHARP, implied("group_to_perfect"), private, n)
        yield from asked(PRINTED_SHARP, implied("close_pair"), perfect)
        link = (Epsilon(epsilon), F(1, 1000))
        yield from asked(PRINTED_SHARP, implied("close_ends"), link, (Epsilon("1/2"), b))
    side = parts(simulators.ThresholdSideCondition, "allowed", "needed", "suffices")
    for n in (2, 100):
        yield from asked({**PRINTED_PROVED, "sharp": "sharp"}, side, n)
    resampled = parts(simulators.ResamplingPrivacy, "guarantee")
    for n, b, epsilon in product((1, 5, 100), (F(0), F(1, 10), F(1, 5)), (F(1, 20), F(3))):
        given = (n, b, Epsilon(epsilon), F(1, 1000))
        yield from asked({**PRINTED_PROVED, "halfway": "halfway"}, resampled, *given)
    for outputs, n, delta in product((1, 2, 50), (2, 100), (F(1, 2), F(1, 20))):
        for reading in ("joint", "split"):
            function = implied("finite_range_deviation")
            yield from asked(PRINTED_PROVED, function, outputs, n, delta, reading=reading)


def _excess(*given: object, constants: str) -> object:
    kind: Callable[..., object] = simulators.ResamplingAccuracy
    return simulators.ResamplingAccuracy.excess(kind(*given, constants))  # type: ignore[arg-type]  # made by it


def _uniform(size: int, gamma: Fraction, alpha: Fraction) -> object:
    return simulators.UniformConvergence(size, gamma).sample_size(alpha)


def compression() -> Rows:
    """The least n of the bounds of compression schemes."""
    for k, delta, epsilon in product((1, 3, 40), (F(1, 2), F(1, 20)), (F(1, 2), F(1, 20))):
        given = (k, delta, epsilon)
        yield from asked(ONE_WORD, _hoeffding, *given)
        for wording in ("statement", "proof"):
            yield from asked(ONE_WORD, _lemma_17, *given, wording=wording)
        yield from asked(PRINTED_SHARP, _theorem_18, *given)
    for n, eta in product((1, 100, 10**6), (F(1, 3), F(1, 10))):
        yield from asked(ONE_WORD, any_class.boosting_rounds, n, eta)
        yield from asked(ONE_WORD, any_class.counting_group, n, eta)
        yield from asked(ONE_WORD, any_class.net_group, n.bit_length(), eta)


def _hoeffding(k: int, delta: Fraction, epsilon: Fraction) -> int:
    return bounds.HoeffdingBound(k, k, delta).least_n(epsilon)


def _lemma_17(k: int, delta: Fraction, epsilon: Fraction, *, wording: str) -> int:
    kind: Callable[..., bounds.Lemma17] = bounds.Lemma17
    return kind(k, k, delta, wording).least_n(epsilon)


def _theorem_18(k: int, delta: Fraction, epsilon: Fraction, *, constants: str) -> int:
    kind: Callable[..., bounds.Theorem18] = bounds.Theorem18
    return kind(k, k, delta, constants).least_n(epsilon)


_FEW = 8
_TAKEN = (0, 1, 3, 5)  # no period of the grids is 7

TABLES: dict[str, Callable[[], Rows]] = {
    "DF20 sizes": dagan_feldman,
    "DF20 lower bounds": lower_bounds,
    "BLM20": bun_livni_moran,
    "CLNRW16": cummings_et_al,
    "compression": compression,
}


def asked_for(table: str) -> dict[str, Compute]:
    """What each row of a table computes: of each function four questions of seven of the grid."""
    rows: dict[str, Compute] = {}
    places: dict[str, dict[str, int]] = {}
    for name, compute in TABLES[table]():
        if name in rows:
            raise ValueError(f"two rows have the name {name!r}")
        known = places.setdefault(name.partition(" ")[0], {})
        if known.setdefault(_question(name), len(known)) % 7 in _TAKEN:
            rows[name] = compute
    return rows


def computed(table: str, every: bool = True) -> dict[str, str]:
    """A table as it is now; else of each function, for each word, a few rows from all over it."""
    rows = asked_for(table)
    kinds: dict[tuple[str, str], list[str]] = {}
    for name in rows:
        kinds.setdefault((name.partition(" ")[0], name.rpartition(" ")[2]), []).append(name)
    taken = {name for some in kinds.values() for name in some[:: -(-len(some) // _FEW)]}
    return {name: row(compute) for name, compute in rows.items() if every or name in taken}


def kept() -> dict[str, dict[str, str]]:
    """The tables as they were recorded."""
    tables: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return tables


def differences(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Rows that are new, gone, or other than they were."""
    return [
        f"{name}: was {before.get(name)}, is {now.get(name)}"
        for name in dict.fromkeys([*before, *now])
        if before.get(name) != now.get(name)
    ]


def _question(name: str) -> str:
    question, _, word = name.rpartition(" ")
    return question if word in ALL_WORDS else name


def written(tables: Mapping[str, Mapping[str, str]]) -> str:
    """The file of some tables: a line for each question, with the answers for all words."""
    said = partial(json.dumps, ensure_ascii=False)
    parts = (
        f"{said(table)}: {{\n"
        + ",\n".join(
            said(dict(some))[1:-1]
            for _, some in groupby(rows.items(), lambda item: _question(item[0]))
        )
        + "\n}"
        for table, rows in tables.items()
    )
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    FILE.write_text(written({table: computed(table) for table in TABLES}), encoding="utf-8")
