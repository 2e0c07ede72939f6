"""``pac-stability follows``: what the papers let one conclude from a guarantee."""

from __future__ import annotations

import argparse
from fractions import Fraction

from pac_stability import claims
from pac_stability.arithmetic import Epsilon
from pac_stability.claims.report import consequences_to_text
from pac_stability.cli.exits import Exit
from pac_stability.cli.reports import emit
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.guarantees import (
    FrequencyGuarantee,
    OutputCount,
    PredictionGuarantee,
    StabilityGuarantee,
    Wanted,
)


def run(options: argparse.Namespace) -> int:
    """List the conclusions: of each kind the strongest, or all."""
    known, delta = _known(options), options.delta is not None
    if delta and not isinstance(known, PrivacyGuarantee | PredictionGuarantee):
        raise InvalidInput("--delta", "one", "none: it belongs to an epsilon")
    wanted = Wanted(
        failure=options.failure,
        outputs=options.outputs,
        elements=options.elements,
        group=options.group,
        flip=options.flip,
        consistent=options.consistent,
    )
    found = claims.what_follows(known, options.n, wanted)
    emit(consequences_to_text(found, every=options.all))
    return Exit.OK


def _known(options: argparse.Namespace) -> object:
    delta = Fraction(options.delta or 0)
    if options.differential_privacy is not None:
        return PrivacyGuarantee(Epsilon(options.differential_privacy), delta)
    if options.private_prediction is not None:
        return PredictionGuarantee(Epsilon(options.private_prediction), delta)
    if options.uniform_stability is not None:
        return StabilityGuarantee(options.uniform_stability)
    if options.global_stability is not None:
        return FrequencyGuarantee(options.global_stability)
    return OutputCount(options.few_outputs)
