"""What the tests of the kernels share."""

from collections.abc import Iterator

import pytest

from pac_stability._core.littlestone import INSTRUCTIONS, use_instructions


@pytest.fixture(params=["baseline", "avx2"])
def instructions(request: pytest.FixtureRequest) -> Iterator[str]:
    """Columns are counted with these during the test."""
    name: str = request.param
    if name not in INSTRUCTIONS:
        pytest.skip(f"this processor has no {name}")
    use_instructions(name)
    yield name
    use_instructions(INSTRUCTIONS[-1])
