"""A student's learner: every example trains a voter, and a voter drawn at random answers."""

from fractions import Fraction


class Threshold(int):
    """The hypothesis that is 1 from this point on."""

    def __call__(self, point):
        """Return the label of a point."""
        return int(point >= self)


def trained_on(example):
    """Return a threshold that labels this one example correctly."""
    return Threshold(example.point + 1 - example.label)


def average(sample, point, rng):
    """Let one voter answer: label 1 has the share of the votes that it got."""
    voter = trained_on(sample[rng.below(len(sample))])
    return voter(point)


def flipped(sample, point, rng):
    """The same, but one answer in four is flipped."""
    return average(sample, point, rng) ^ rng.bernoulli(Fraction(1, 4))


class Labels(tuple):
    """The hypothesis that has these labels at the points 0, 1, ..."""

    __slots__ = ()

    def __call__(self, point):
        """Return the label of a point."""
        return self[point]


def average_everywhere(sample, rng):
    """Publish answers at both points."""
    return Labels(average(sample, point, rng) for point in (0, 1))


def flipped_everywhere(sample, rng):
    """Publish flipped answers at both points."""
    return Labels(flipped(sample, point, rng) for point in (0, 1))
