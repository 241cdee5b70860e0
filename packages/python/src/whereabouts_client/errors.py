"""What a call can raise."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any


class WhereaboutsError(Exception):
    """Any failure of a call."""


class ConnectionFailed(WhereaboutsError):
    """There was no whole answer: no connection, one that broke off, or none within the time limit."""


class ApiError(WhereaboutsError):
    """The service answered with an error (RFC 9457)."""

    status: int
    """HTTP status."""
    code: str
    """Stable and for programs; `unexpected_answer` where something else than the service answered."""
    message: str
    """What was sent, what is expected, and the remedy."""
    errors: list[Mapping[str, str]]
    """Every parameter at fault, with `parameter` and `detail`; empty where none is."""
    request_id: str | None
    """To name when the error is reported."""
    retry_after: float | None
    """Seconds to wait before the next try, where the service knows."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        problem = _problem(headers, body)
        self.status = status
        self.code = _text(problem.get("code")) or "unexpected_answer"
        what = "no problem document" if status >= 300 else "something other than JSON"
        self.message = _text(problem.get("detail")) or (
            f"the service answered {status} with {what}; is base_url right?"
        )
        errors = problem.get("errors")
        self.errors = errors if isinstance(errors, list) else []
        self.request_id = _text(problem.get("request_id")) or headers.get("X-Request-Id")
        self.retry_after = _retry_after(headers.get("Retry-After"))
        super().__init__(f"{self.code}: {self.message}")


def _text(value: object) -> str | None:
    """What others than the service send has any type."""
    return value if isinstance(value, str) else None


def _problem(headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    if not headers.get("Content-Type", "").startswith("application/problem+json"):
        return {}
    try:
        problem = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return problem if isinstance(problem, dict) else {}


def _retry_after(written: str | None) -> float | None:
    """Seconds from now; the header has a number of seconds or a date (RFC 9110, 10.2.3)."""
    if written is None:
        return None
    if written.isdecimal():
        return float(written)
    try:
        return max(0.0, parsedate_to_datetime(written).timestamp() - time.time())
    except ValueError:
        return None
