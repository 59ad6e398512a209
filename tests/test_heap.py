"""Threads share one heap, and what is freed is given back, where the C library lets them."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion import heap

_PROGRAM = """
import ctypes, sys, threading
from companion import heap

if sys.argv[2] == "shared":
    assert heap.share()
together = threading.Barrier(4)

def allocate():
    kept = [bytes(1000 + n) for n in range(1000)]
    together.wait()
    assert len(kept) == 1000

threads = [threading.Thread(target=allocate) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
c = ctypes.CDLL(None)
c.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(c.fopen(sys.argv[1].encode(), b"w"))
c.malloc_info(0, file)
c.fclose(file)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives each thread a heap")
@pytest.mark.parametrize("how", ["shared", "as it is"])
def test_threads_allocate_from_one_heap(tmp_path: Path, how: str) -> None:
    told = tmp_path / "heaps.xml"
    subprocess.run([sys.executable, "-c", _PROGRAM, told, how], check=True, timeout=60)
    heaps = len(re.findall("<heap nr=", told.read_text()))
    assert (heaps == 1) == (how == "shared")


_SCATTERED = """
import os
from companion import heap

def resident():
    with open("/proc/self/statm") as told:
        return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

pieces = [bytes(20_000) for _ in range(2000)]  # 40 MB in pieces too small to be mapped one by one
kept = pieces[::100]
del pieces
held = resident()
assert heap.trim()
print(held - resident(), len(kept))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives back what lies between what is kept")
def test_what_is_freed_between_what_is_kept_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", _SCATTERED], check=True, timeout=60, capture_output=True, text=True)
    given_back, kept = map(int, done.stdout.split())
    assert kept == 20
    assert given_back > 20_000_000


def test_room_is_made_for_large_pictures_only(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(heap, "trim", lambda: made.append(True))
    heap.make_room((1536, 864))
    assert not made
    heap.make_room((4056, 3040))
    assert made
