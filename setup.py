"""Build the compiled core: every ``ext/NAME.pyx`` becomes ``pac_stability._core.NAME``.

All other metadata lives in ``pyproject.toml``.  One environment variable chooses how the core
is compiled:

``PAC_STABILITY_BUILD=release``   (default) optimised, portable, reproducible
``PAC_STABILITY_BUILD=strict``    release, with Cython's and the C compiler's warnings as errors
``PAC_STABILITY_BUILD=sanitize``  AddressSanitizer and UndefinedBehaviorSanitizer
``PAC_STABILITY_BUILD=coverage``  line tracing for ``coverage`` (the C lies beside the ``.pyx``)
``PAC_STABILITY_BUILD=annotate``  release, with Cython's HTML report beside the C
``PAC_STABILITY_BUILD=quick``     hardly optimised, for runs that compile often

The wheel targets the stable ABI of Python 3.11, so that one file serves every later version;
a free-threaded interpreter has no stable ABI and gets an ordinary build.
"""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup

LIMITED_API = "0x030B0000"
WHEEL_TAG = "cp311"

RELEASE = ["-O3", "-g0", "-fno-strict-aliasing"]
COMPILE: dict[str, list[str]] = {
    "release": RELEASE,
    "annotate": RELEASE,
    "strict": [*RELEASE, "-Wall", "-Wextra", "-Werror"],
    "quick": ["-O1", "-g0"],
    "coverage": ["-O0", "-DCYTHON_TRACE=1", "-DCYTHON_TRACE_NOGIL=1"],
    "sanitize": [
        *("-O1", "-g", "-fno-omit-frame-pointer", "-fno-wrapv"),
        *("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"),
    ],
}
LINK: dict[str, list[str]] = {
    "release": ["-Wl,--build-id=none"],
    "annotate": [],
    "strict": [],
    "quick": [],
    "coverage": [],
    "sanitize": ["-fsanitize=address,undefined"],
}
DIRECTIVES: dict[str, object] = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    # Without these two, stubtest would see names that belong to Cython, not to us.
    "autotestdict": False,
    "auto_pickle": False,
}


def extensions(mode: str) -> list[Extension]:
    """One extension per Cython source."""
    # Line tracing needs interpreter internals that the stable ABI hides.
    stable = mode != "coverage" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    return [
        Extension(
            f"pac_stability._core.{source.stem}",
            [source.as_posix()],
            include_dirs=["ext"],
            depends=[header.as_posix() for header in sorted(Path("ext").glob("*.h"))],
            define_macros=[("Py_LIMITED_API", LIMITED_API)] if stable else [],
            py_limited_api=stable,
            extra_compile_args=COMPILE[mode],
            extra_link_args=LINK[mode],
        )
        for source in sorted(Path("ext").glob("*.pyx"))
    ]


def main() -> None:
    """Read the mode and hand the extensions to setuptools."""
    mode = os.environ.get("PAC_STABILITY_BUILD", "release")
    if mode not in COMPILE:
        raise SystemExit(f"PAC_STABILITY_BUILD: got {mode!r}, want one of {', '.join(COMPILE)}")
    Options.warning_errors = mode == "strict"
    modules = extensions(mode)
    stable = all(module.py_limited_api for module in modules)
    setup(
        ext_modules=cythonize(
            modules,
            # Cython.Coverage finds the sources only when the C lies beside them.
            build_dir=None if mode == "coverage" else "build/cython",
            compiler_directives={**DIRECTIVES, "linetrace": mode == "coverage"},
            annotate=mode == "annotate",
            emit_linenums=mode == "sanitize",
            force=mode in ("annotate", "coverage", "sanitize", "strict"),
        ),
        options={
            "build_ext": {"parallel": os.cpu_count()},
            "bdist_wheel": {"py_limited_api": WHEEL_TAG if stable else False},
        },
    )


main()
