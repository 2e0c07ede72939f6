"""The C loops for 64-bit ARM, compiled for it and run by an emulator, where both are installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

EXT = Path(__file__).parents[2] / "ext"
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64"

# Counts beside the plain loop, for numbers of columns around whole vectors, on words that are
# random, empty and full; and pairs of columns beside the plain loop.
PROGRAM = r"""
#include <stdio.h>
#include "columns.h"
#include "rows.h"
#include "pairs.h"
#include "half_graph.h"
#include "vc.h"

int main(void)
{
    uint64_t words[80], state = 1;
    uint32_t found[81], wanted[81];
    long compared = 0;
    if (pac_columns_units() != 2)
        return 2;
    for (uint32_t m = 0; m <= 80; m++)
        for (int kind = 0; kind < 6; kind++) {
            for (uint32_t j = 0; j < 80; j++) {
                state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                words[j] = kind == 0 ? 0 : kind == 1 ? ~UINT64_C(0) : state ^ (state >> 29);
            }
            const uint64_t mask = kind < 3 ? ~UINT64_C(0) : state >> kind;
            for (uint32_t j = 0; j <= 80; j++)
                found[j] = wanted[j] = (uint32_t)(state >> 40) + j;
            pac_columns_use(1);
            pac_count(words, m, mask, found);
            pac_columns_use(0);
            pac_count(words, m, mask, wanted);
            for (uint32_t j = 0; j <= 80; j++, compared++)
                if (found[j] != wanted[j])
                    return 1;
        }
    /* Pairs: panels of up to 100 words, around those after which bytes would overflow. */
    static uint64_t panels[2][100 * PAC_PANEL];
    uint32_t common[PAC_PANEL * PAC_PANEL], expected[PAC_PANEL * PAC_PANEL];
    for (size_t width = 0; width <= 100; width++)
        for (int kind = 0; kind < 3; kind++) {
            for (size_t j = 0; j < 2 * PAC_PANEL * width; j++) {
                state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                panels[j & 1][j >> 1] = kind == 0 ? ~UINT64_C(0) : state ^ (state >> 29);
            }
            pac_columns_use(1);
            pac_common(panels[0], panels[kind > 1], width, common);
            pac_columns_use(0);
            pac_common(panels[0], panels[kind > 1], width, expected);
            for (int j = 0; j < PAC_PANEL * PAC_PANEL; j++, compared++)
                if (common[j] != expected[j])
                    return 3;
        }
    printf("%s %ld\n", pac_columns_name(1), compared);
    return 0;
}
"""


@pytest.mark.skipif(
    shutil.which(COMPILER) is None or shutil.which(EMULATOR) is None,
    reason=f"{COMPILER} and {EMULATOR} are not installed (gcc-aarch64-linux-gnu, qemu-user)",
)
def test_neon_counts_as_the_plain_loop_does(tmp_path: Path) -> None:
    source, program = tmp_path / "neon.c", tmp_path / "neon"
    source.write_text(PROGRAM, encoding="utf-8")
    flags = ["-O3", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-static", f"-I{EXT}"]
    subprocess.run([COMPILER, *flags, "-o", program, source], check=True)
    done = subprocess.run([EMULATOR, program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"neon {81 * 6 * 81 + 101 * 3 * 64}\n")
