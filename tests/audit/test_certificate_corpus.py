"""Certificates of a hundred small audits, byte for byte as they were: a table of digests.

A change of the library that should not change an answer leaves the table alone. After one that
should, this prints it anew::

    PYTHONHASHSEED=0 PYTHONPATH=tests/shared python tests/audit/test_certificate_corpus.py

With the name of a folder it keeps there what was digested, and what else is said of each answer. No
field of a certificate carries the version of the code, or its fingerprint.
"""

import contextlib
import hashlib
import json
import math
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from pac_stability import Epsilon, audit, data, randomness, zoo
from pac_stability.audit import certificates
from pac_stability.audit.reports import html
from pac_stability.audit.reports.text import audit_to_text
from shared_subjects import errs

QUARTER = Fraction(1, 4)


def flipped(sample: data.Sample[str], rng: randomness.Coins) -> int:
    """The label of a random example, flipped in one case of four."""
    return sample.labels[rng.below(len(sample.labels))] ^ rng.bernoulli(QUARTER)


def published(sample: data.Sample[str], rng: randomness.Coins) -> tuple[int, ...]:
    """The labels, the first of them flipped in one case of four."""
    return (sample.labels[0] ^ rng.bernoulli(QUARTER), *sample.labels[1:])


def predicted(sample: data.Sample[str], point: str, rng: randomness.Coins) -> int:
    return flipped(sample, rng) if point == "a" else 0


def written(sample: data.Sample[str]) -> data.FiniteDistribution[object]:
    """Outcomes that only writing tells apart."""
    return data.FiniteDistribution({1.0 if sum(sample.labels) else 1: Fraction(1)})


def stopped(folder: Path) -> audit.AuditResult:
    """An audit that goes on from a checkpoint of the samples that were answered in time."""
    file = folder / "kept.json"

    def stop(_: audit.Progress) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(KeyboardInterrupt):
        # All of them, however slow the machine is.
        patch.setattr("pac_stability.audit.search.parallel.PIECE", math.inf)
        audit.differential_privacy(flipped, "ab", 3, checkpoint=file, progress=stop)
    return audit.differential_privacy(flipped, "ab", 3, checkpoint=file)


def flipped_at(sample: data.Sample[str], point: str, rng: randomness.Coins) -> int:
    return flipped(sample, rng) if point == "a" else 1


def corpus(folder: Path) -> Iterator[tuple[str, audit.AuditResult]]:
    """Every audit of the corpus, by a name."""
    three = Epsilon.exactly(3)
    for specimen in zoo.all():
        mechanism, records, n = specimen.mechanism, specimen.records, min(specimen.n, 3)
        for delta in ("0", "1/10"):
            yield (
                f"{specimen.name} at {delta}",
                audit.differential_privacy(
                    mechanism, records, n, delta, claim=three, labelled=False
                ),
            )
    for exhibit in zoo.museum.all():
        yield f"{exhibit.name}, wrong", exhibit.audit()
        yield f"{exhibit.name}, right", exhibit.audit_right()
    fair = data.FiniteDistribution.uniform(data.all_examples("x"))
    weights = [Fraction(1, 8), Fraction(3, 8), QUARTER, QUARTER]
    skewed = data.FiniteDistribution(dict(zip(data.all_examples("ab"), weights, strict=True)))
    for name, D in (("fair", fair), ("skewed", skewed)):
        for claim in ("0", "1/3", "1"):
            where = f"{claim} on {name}"
            yield f"eta {where}", audit.global_stability(flipped, D, 2, claim=claim)
            yield (
                f"robust {where}",
                audit.robust_generalization(published, D, 2, "1/4", claim=claim),
            )
            yield (
                f"perfect {where}",
                audit.perfect_generalization(flipped, D, 2, "1/8", "1/16", claim=claim),
            )
            yield (
                f"alpha {where}",
                audit.generalization(flipped, D, 2, "1/4", claim=claim, errs=errs),
            )
            yield (
                f"error {where}",
                audit.accuracy(flipped, D, 2, "1/4", claim=claim, errs=errs, hypotheses=[0, 1]),
            )
    yield "perfect without a claim", audit.perfect_generalization(published, skewed, 2, 0)
    yield ("up to order", audit.robust_generalization(flipped, skewed, 2, "1/5", symmetric=True))
    bounds: tuple[str | None, ...] = ("1/6", "1/8", None)
    for bound in bounds:
        yield f"gamma {bound}", audit.uniform_stability(flipped_at, "ab", 2, claim=bound)
        yield (
            f"predictions {bound}",
            audit.private_prediction(predicted, "ab", 2, "1/50", claim=bound, points="a"),
        )
    yield "declared", audit.private_prediction(predicted, "ab", 3, claim=1, symmetric=True)
    proof = audit.is_symmetric(predicted, "ab", 2)
    yield "shown", audit.private_prediction(predicted, "ab", 2, claim=1, symmetric=proof)
    yield (
        "comes and goes",
        audit.differential_privacy(
            data.Deterministic(len), "ab", 2, claim=5, relation=data.Neighbouring.ADD_REMOVE
        ),
    )
    yield "a group", audit.group_privacy(flipped, "a", 3, 2, claim=3)
    yield "a group at 1", audit.group_privacy(flipped, "a", 3, 2, claim=1)
    in_writing = audit.as_written(written)
    yield "as written", audit.differential_privacy(in_writing, "a", 2, claim=1)
    yield "from a checkpoint", stopped(folder)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def everything(result: audit.AuditResult) -> str:
    """What is said of a result, in every form."""
    text = certificates.to_json(result)
    document = json.loads(text)
    checked = audit.recheck(document)
    sentences = (*checked.proved, *checked.trusted)
    return "\n".join(
        [
            text,
            audit.explain(document),
            repr((checked.value, checked.refutes, checked.exact, checked.proven, *sentences)),
            audit_to_text(result, "it"),
            html.audit_to_html(result, "it", "1"),
        ]
    )


def test_certificates_are_byte_for_byte_what_they_were(tmp_path: Path) -> None:
    table = Path(__file__).with_name("certificate_corpus.txt").read_text(encoding="utf-8")
    found = [f"{digest(certificates.to_json(result))} {name}" for name, result in corpus(tmp_path)]
    assert found == table.splitlines()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        for title, audited in corpus(Path(scratch)):
            sys.stdout.write(f"{digest(certificates.to_json(audited))} {title}\n")
            if len(sys.argv) > 1:
                told = Path(sys.argv[1], f"{title.replace('/', '_')}.txt")
                told.write_text(everything(audited), encoding="utf-8")
