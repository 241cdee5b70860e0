"""What the tests run against; test/python of the repository starts it and says where it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
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


@pytest.fixture(scope="session")
def published(program: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address at which the dataset is published."""
    folder = tmp_path_factory.mktemp("published")
    subprocess.run([*program, "publish", str(folder)], check=True, stdout=subprocess.DEVNULL)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
