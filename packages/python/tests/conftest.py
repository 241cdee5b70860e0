"""What the tests run against; test/python of the repository starts it and says where it is."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

RELAY = [sys.executable, str(Path(__file__).parent / "relay.py")]


@pytest.fixture(scope="session")
def program() -> list[str]:
    """The command line of Whereabouts with its dataset."""
    words = json.loads(os.environ["PROGRAM"])
    assert isinstance(words, list)
    return words


@pytest.fixture(scope="session")
def relayed(program: list[str]) -> list[str]:
    """The same behind a relay that ends it where a line says so."""
    return [*RELAY, *program]
