"""Shared by the tests of the readers: files to read, and what was said about them."""

import gzip

import pytest


@pytest.fixture
def write(tmp_path):
    """Write an input file (gzip if its name says so) and return its path."""

    def write(name: str, content: str | bytes):
        raw = content.encode("utf-8") if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
        return path

    return write
