"""The client over HTTP."""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast
from urllib.parse import quote, urlencode

import urllib3

from whereabouts_client._api import BatchRequestsItem, BatchResult, Methods
from whereabouts_client.errors import ApiError, ConnectionFailed


_MAX_BYTES = 100_000_000
_Answer = tuple[urllib3.BaseHTTPResponse, bytes]


class Client(Methods):
    """
    Every endpoint of the service as a method. Safe to share among threads; connections are kept and reused.

    `base_url` and `api_key` come from WHEREABOUTS_URL and WHEREABOUTS_API_KEY by default. After 429 and 503 a call waits
    as long as `Retry-After` says, after a failed connection a moment, and is sent again, at most `retries` times. A wait
    of more than `max_wait_seconds` is not made: the error is raised at once. A try whose answer is not whole after
    `timeout_seconds`, or has more than 100 MB unpacked, ends as `ConnectionFailed`. `http` replaces the pool of connections, for
    instance by an `urllib3.ProxyManager`.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        retries: int = 2,
        max_wait_seconds: float = 30,
        timeout_seconds: float = 30,
        http: urllib3.PoolManager | None = None,
    ) -> None:
        address = base_url or os.environ.get("WHEREABOUTS_URL")
        if not address:
            raise ValueError("give base_url, or set WHEREABOUTS_URL, such as https://location.example.org")
        self._base = re.sub(r"/v1$", "", address.rstrip("/"))
        self._key = api_key or os.environ.get("WHEREABOUTS_API_KEY")
        self._retries = retries
        self._max_wait_seconds = max_wait_seconds
        self._timeout_seconds = timeout_seconds
        self._http = http or urllib3.PoolManager(maxsize=16)

    def csv(self, path: str, parameters: Mapping[str, object] | None = None) -> str:
        """A list as CSV with a header; `path` as in `cities`."""
        answer = self._send("GET", f"/v1/{path}", {**(parameters or {}), "format": "csv"})
        return cast(str, _read(answer, is_text=True))

    def geojson(self, path: str, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
        """A list of points as a GeoJSON FeatureCollection; `path` as in `nearby`."""
        answer = self._send("GET", f"/v1/{path}", {**(parameters or {}), "format": "geojson"})
        return cast(dict[str, Any], _read(answer))

    def in_batches(
        self, requests: Iterable[BatchRequestsItem], *, size: int = 100
    ) -> Iterator[BatchResult]:
        """Any number of requests as batches of `size`; an answer for each, in their order, with its own `status`."""
        rest = iter(requests)
        position = 0
        while lot := list(islice(rest, size)):
            for entry in self.batch(lot)["results"]:
                yield {**entry, "index": position}
                position += 1

    def close(self) -> None:
        """Closes all connections."""
        self._http.clear()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, object],
        *,
        is_text: bool = False,
        is_once: bool = False,
    ) -> object:
        return _read(self._send(method, path, parameters, is_once=is_once), is_text=is_text)

    def _send(
        self, method: str, path: str, parameters: Mapping[str, object], *, is_once: bool = False
    ) -> _Answer:
        present = {name: value for name, value in parameters.items() if value is not None}
        headers = {"X-API-Variant": "default", "Accept-Encoding": "gzip"}
        if self._key:
            headers["X-API-Key"] = self._key
        if method == "POST":
            headers["Content-Type"] = "application/json"
            body = json.dumps(present).encode()
            return self._until_answered(method, self._base + path, headers, body, is_once)
        return self._until_answered(method, self._base + _address(path, present), headers, None, is_once)

    def _until_answered(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, is_once: bool
    ) -> _Answer:
        """A request that only reads may be sent twice; one that does more is not, where its answer is lost."""
        for tries in range(self._retries + 1):
            is_last = tries == self._retries
            wait: float | None
            try:
                deadline = time.monotonic() + self._timeout_seconds
                answer = self._http.request(
                    method,
                    url,
                    headers=headers,
                    body=body,
                    timeout=urllib3.Timeout(self._timeout_seconds),
                    retries=False,
                    preload_content=False,
                )
                data = _whole(answer, deadline)
            except urllib3.exceptions.HTTPError as error:
                # To urllib3 a refused connection is a kind of time-out.
                is_refused = isinstance(error, urllib3.exceptions.NewConnectionError)
                if isinstance(error, urllib3.exceptions.TimeoutError) and not is_refused:
                    raise ConnectionFailed(f"no answer within the time limit: {error}") from error
                if is_last or is_once:
                    raise ConnectionFailed(str(error)) from error
                # The first time at once: another process of the service is often there.
                wait = 0 if tries == 0 else _back_off(tries)
            else:
                if answer.status < 300:
                    return answer, data
                failure = ApiError(answer.status, answer.headers, data)
                wait = None if is_last else _wait_before_next(failure, tries)
                if wait is None or wait > self._max_wait_seconds:
                    raise failure
            time.sleep(wait)
        raise AssertionError("the last try returns or raises")


def _whole(answer: urllib3.BaseHTTPResponse, deadline: float) -> bytes:
    """The unpacked body; urllib3's time limit is of each read, so that one that drips would never end."""
    parts = bytearray()
    while part := answer.read1(1 << 16):
        parts += part
        if time.monotonic() > deadline or len(parts) > _MAX_BYTES:
            answer.close()
            what = "has more than 100 MB" if len(parts) > _MAX_BYTES else "did not come whole within the time limit"
            raise ConnectionFailed(f"the answer {what}; ask for less, or raise timeout_seconds")
    return bytes(parts)


def _read(sent: _Answer, *, is_text: bool = False) -> object:
    """The value of an answer. A network's page to sign in, for one, is none."""
    answer, data = sent
    try:
        return data.decode() if is_text else json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ApiError(answer.status, answer.headers, data) from error


def _address(path: str, parameters: Mapping[str, object]) -> str:
    """The path with its `{names}` replaced, and the other parameters as a query."""
    rest = dict(parameters)
    filled = re.sub(r"\{(\w+)\}", lambda name: _segment(name[1], _text(rest.pop(name[1]))), path)
    query = urlencode([(name, _text(value)) for name, value in rest.items()])
    return f"{filled}?{query}" if query else filled


def _segment(name: str, text: str) -> str:
    """A part of a path; nothing and dots would lead to another path, such as from one job to the list of all."""
    if text in ("", ".", ".."):
        raise ValueError(f"{name} is {text!r}, which no identifier is")
    return quote(text, safe="")


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # Numbers are decimal: no exponents.
    if isinstance(value, float):
        return format(value, "f") if "e" in repr(value) else repr(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(_text, value))
    return str(value)


def _wait_before_next(error: ApiError, tries: int) -> float | None:
    """Seconds until another try makes sense; None where none does."""
    if error.status not in (429, 503):
        return None
    # A layer that the dataset lacks does not appear by waiting.
    if error.code == "dataset_missing":
        return None
    return error.retry_after if error.retry_after is not None else _back_off(tries)


def _back_off(tries: int) -> float:
    """Half a second, doubled with each try, with as much chance in it that many clients do not come back together."""
    return float(0.5 * 2**tries * (0.5 + random.random()))
