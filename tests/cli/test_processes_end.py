"""Processes that are started end with the one that started them, however that ends."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not hasattr(os, "pidfd_open"), reason="only Linux lets a test wait for processes of others"
)

PATIENCE = 30  # seconds, only ever waited for when something is broken

POOL = """\
import os, sys
from pac_stability.audit.search.parallel import worker_pool

def main():
    with worker_pool(2) as pool:
        print(*pool.map(pid, range(8)), flush=True)
        sys.stdin.read()

def pid(_):
    return os.getpid()

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_process_that_started_them(tmp_path: Path, how: int) -> None:
    program = tmp_path / "pool_in_a_process.py"
    program.write_text(POOL)
    with subprocess.Popen(
        [sys.executable, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        workers = set(map(int, process.stdout.readline().split()))
        assert workers
        # Handles that can be waited for, of the very processes that run now.
        handles = [os.pidfd_open(worker) for worker in workers]
        process.send_signal(how)
    for handle in handles:
        ended, _, _ = select.select([handle], [], [], PATIENCE)
        os.close(handle)
        assert ended


SLOW_IMPORT = """\
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)

class Presses:
    # The interrupt comes while the command is being imported.
    def find_spec(self, name, path=None, target=None):
        if name == "pac_stability.cli.app":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Presses())
from pac_stability.cli import main
sys.exit(main(["dims", "--family", "thresholds:3"]))
"""


def test_an_interrupt_during_the_import_is_clean() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW_IMPORT], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "pac-stability: interrupted\n"
