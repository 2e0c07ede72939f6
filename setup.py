"""Build the compiled core: every ``ext/NAME.pyx`` becomes ``pac_stability._core.NAME``.

What Cython writes for every module (memory views) stands once, in ``_core._cyutility``: half of the
C, of the time that it takes to compile, and of the wheel.

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
from setuptools.command.build_ext import build_ext

MODE = os.environ.get("PAC_STABILITY_BUILD", "release")
LIMITED_API = "0x030B0000"
WHEEL_TAG = "cp311"
SHARED = "pac_stability._core._cyutility"

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
    """One extension per Cython source, and what they share."""
    # Line tracing needs interpreter internals that the stable ABI hides.
    stable = mode != "coverage" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    sources = {f"pac_stability._core.{path.stem}": path for path in Path("ext").glob("*.pyx")}
    if mode != "coverage":  # Cython.Coverage finds the sources only when the C lies beside them
        sources[SHARED] = Path(*SHARED.split(".")).with_suffix(".c")
    return [
        Extension(
            name,
            [source.as_posix()],
            include_dirs=["ext"],
            depends=[header.as_posix() for header in sorted(Path("ext").glob("*.h"))],
            define_macros=[("Py_LIMITED_API", LIMITED_API)] if stable else [],
            py_limited_api=stable,
            # What is shared only opens and closes memory views.
            extra_compile_args=[*COMPILE[mode], *(["-O1"] if name == SHARED else [])],
            extra_link_args=LINK[mode],
        )
        for name, source in sorted(sources.items())
    ]


class CompiledCore(build_ext):
    """Write the C when it is compiled, and not whenever setuptools asks what there is."""

    def run(self) -> None:
        """Write and compile."""
        Options.warning_errors = MODE == "strict"
        written = cythonize(
            self.extensions,
            build_dir=None if MODE == "coverage" else "build/cython",
            compiler_directives={**DIRECTIVES, "linetrace": MODE == "coverage"},
            annotate=MODE == "annotate",
            emit_linenums=MODE == "sanitize",
            force=MODE in ("annotate", "coverage", "sanitize", "strict"),
            nthreads=os.cpu_count(),
            shared_utility_qualified_name=None if MODE == "coverage" else SHARED,
        )
        sources = {module.name: module.sources for module in written}
        for module in self.extensions:
            module.sources = sources[module.name]
        super().run()


if MODE not in COMPILE:
    raise SystemExit(f"PAC_STABILITY_BUILD: got {MODE!r}, want one of {', '.join(COMPILE)}")
modules = extensions(MODE)
stable = all(module.py_limited_api for module in modules)
if __name__ == "__main__":
    setup(
        ext_modules=modules,
        cmdclass={"build_ext": CompiledCore},
        options={
            "build_ext": {"parallel": os.cpu_count()},
            "bdist_wheel": {"py_limited_api": WHEEL_TAG if stable else False},
        },
    )
