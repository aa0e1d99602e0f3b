# SPDX-License-Identifier: Apache-2.0
"""Compiles the BPF programs of this folder, and keeps what comes out."""

import contextlib
import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .errors import Unusable

FOLDER = Path(__file__).parent
# Parameters that a program does not use are those of the kernel's interface. v3: atomic exchange.
_CLANG = ("-O2", "-g", "-target", "bpf", "-mcpu=v3", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter",
          f"-I{FOLDER}")
_COMPILE_SECONDS = 120


def compiled(name: str, cache: Path | None, options: Sequence[str] = ()) -> bytes:
    """The BPF object of ``name.bpf.c``, from the cache if one of the same sources and the compiler's ``options`` is there; else
    made and kept there. Unusable if it cannot be made."""
    source = FOLDER / f"{name}.bpf.c"
    kept = place(name, cache, options) if cache else None
    if kept and kept.is_file():
        return kept.read_bytes()
    code = compile_source(source, options)
    if kept:
        # The cache saves half a second; it may be full, or not ours to write.
        with contextlib.suppress(OSError):
            fresh = kept.with_suffix(f".{os.getpid()}")
            fresh.write_bytes(code)
            fresh.replace(kept)
    return code


def place(name: str, cache: Path, options: Sequence[str] = ()) -> Path:
    """Where a cache keeps the BPF object of these sources and options."""
    # Controls may be made of each other.
    sources = [*sorted(FOLDER.glob("*.bpf.c")), *sorted(FOLDER.glob("*.h"))]
    return cache / f"{name}-{_digest(sources, options)}.bpf.o"


def _digest(sources: Sequence[Path], options: Sequence[str]) -> str:
    digest = hashlib.sha256(repr((*_CLANG[:-1], *options)).encode())
    for one in sources:
        digest.update(hashlib.sha256(one.read_bytes()).digest())
    return digest.hexdigest()[:16]


def compile_source(source: Path, options: Sequence[str]) -> bytes:
    """The BPF object of a file. Unusable if it cannot be made."""
    clang = shutil.which("clang")
    if not clang:
        raise Unusable("there is no clang to compile the BPF program: install clang and libbpf-dev")
    try:
        done = subprocess.run([clang, *_CLANG, *options, "-c", str(source), "-o", "/dev/stdout"], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=_COMPILE_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as failure:
        raise Unusable(f"clang does not run: {failure}") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").splitlines() or ["it does not say why"]
        raise Unusable(f"clang cannot compile the BPF program (is libbpf-dev installed?): {said[0]}")
    return done.stdout
