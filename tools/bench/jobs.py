"""All jobs by name, in the order of the page."""

from __future__ import annotations

from tools.bench import (
    answers,
    audit,
    choices,
    dimensions,
    growth,
    noise,
    online,
    selection,
    tournaments,
    waits,
)

JOBS = (
    dimensions.JOBS
    | online.JOBS
    | audit.JOBS
    | choices.JOBS
    | noise.JOBS
    | answers.JOBS
    | selection.JOBS
    | tournaments.JOBS
    | growth.JOBS
    | waits.JOBS
)
