"""A local process of `whereabouts geocode --ndjson`: lots of lines in, the answers of each lot out."""

from __future__ import annotations

import json
import os
import queue
import selectors
import shlex
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from typing import IO

from whereabouts_client.errors import WhereaboutsError

if sys.platform == "linux":
    import fcntl

_chunk_bytes = 1 << 20
_shown_bytes = 2000
# A large dataset is opened from a cold disk.
_start_seconds = 600.0


class ProcessFailed(WhereaboutsError):
    """`whereabouts geocode` cannot be started or does not answer at all; the message has what it wrote."""


def program_of(command: str | Sequence[str]) -> list[str]:
    return shlex.split(command) if isinstance(command, str) else list(command)


def command_line(
    command: str | Sequence[str], data_directory: str | None, endpoint: str, fixed: Mapping[str, object]
) -> tuple[str, ...]:
    """The arguments of a process that answers lines for an endpoint."""
    directory = [] if data_directory is None else ["--data-directory", data_directory]
    settings = [part for name, value in fixed.items() for part in ("--set", f"{name}={value}")]
    return (*program_of(command), *directory, "geocode", "-", "--endpoint", endpoint, "--ndjson", *settings)


class _Answers:
    """Whole lines, as they come."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.count = 0

    def add(self, lines: bytes, count: int) -> None:
        self._pieces.append(lines)
        self.count += count

    def text(self) -> bytes:
        return b"".join(self._pieces)


class _Ended(Exception):
    """The process ended, or was ended because it did not answer in time."""


class _Running:
    """One run of the program."""

    def __init__(self, command: Sequence[str]) -> None:
        self._errors = tempfile.TemporaryFile()
        try:
            self._child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        except OSError as error:
            self._errors.close()
            raise ProcessFailed(
                f"{command[0]} cannot be started: {error}; install it (npm install --global whereabouts) or name it "
                "with command="
            ) from error
        assert self._child.stdin and self._child.stdout
        _widen(self._child.stdin, self._child.stdout)
        self._input, self._output = self._child.stdin, self._child.stdout
        self._buffer = b""
        # Windows cannot wait for a pipe with a limit.
        self._selector = selectors.DefaultSelector() if os.name == "posix" else None
        if self._selector:
            self._selector.register(self._output, selectors.EVENT_READ)
        # Written by a thread: writing to a process without reading from it may block for ever.
        self._writes: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._write_all, daemon=True).start()

    def _write_all(self) -> None:
        while (text := self._writes.get()) is not None:
            try:
                self._input.write(text)
                self._input.flush()
            except OSError:
                break
        try:
            self._input.close()
        except OSError:
            pass

    def write(self, lines: Sequence[bytes]) -> None:
        self._writes.put(b"\n".join(lines) + b"\n")

    def read(self, answers: _Answers, count: int, timeout_seconds: float) -> None:
        """Adds answers until there are `count`; raises _Ended after adding those that had arrived."""
        while True:
            end = self._buffer.rfind(b"\n") + 1
            arrived, wanted = self._buffer.count(b"\n", 0, end), count - answers.count
            if arrived > wanted:
                end = len(self._buffer) - len(self._buffer.split(b"\n", wanted)[wanted])
            answers.add(self._buffer[:end], min(arrived, wanted))
            self._buffer = self._buffer[end:]
            if answers.count == count:
                return
            if self._selector and not self._selector.select(timeout_seconds):
                raise _Ended(f"no answer within {timeout_seconds:g} s")
            chunk = os.read(self._output.fileno(), _chunk_bytes)
            if not chunk:
                raise _Ended("it ended")
            self._buffer += chunk

    def end(self) -> str:
        """Ends it; returns the end of what it wrote to standard error."""
        self._writes.put(None)
        self._child.kill()
        self._child.wait()
        if self._selector:
            self._selector.close()
        self._output.close()
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _shown_bytes))
        written = self._errors.read().decode(errors="replace").strip()
        self._errors.close()
        return written


def _widen(*pipes: IO[bytes]) -> None:
    """Lets a lot of answers wait in a pipe, so that the process goes on meanwhile."""
    if sys.platform == "linux":
        for pipe in pipes:
            try:
                fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _chunk_bytes)
            except OSError:
                # A user has a limit for all pipes.
                return


class LineProcess:
    """
    Answers lots of lines in the order they were sent, over as many runs of the program as it takes. The run starts with
    the first lot. After a run that ended in the middle, the lines without an answer are sent one at a time, at most
    `retries` times each: the one that ends the program gets an error, and no other does.
    """

    def __init__(self, command: Sequence[str], *, retries: int = 2, timeout_seconds: float = 120) -> None:
        self._command = command
        self._retries = max(1, retries)
        self._timeout_seconds = timeout_seconds
        self._running: _Running | None = None
        self._lots: deque[Sequence[bytes]] = deque()

    @property
    def is_idle(self) -> bool:
        """Whether all that was sent is answered."""
        return not self._lots

    def send(self, lines: Sequence[bytes]) -> None:
        """Sends a lot without waiting for its answers."""
        running = self._run()
        self._lots.append(lines)
        running.write(lines)

    def receive(self) -> bytes:
        """The answers of the oldest lot: a line for each of its lines."""
        lot = self._lots[0]
        answers = _Answers()
        try:
            self._run().read(answers, len(lot), self._timeout_seconds)
        except _Ended:
            self.close()
            for line in lot[answers.count :]:
                answers.add(self._alone(line), 1)
            self._lots.popleft()
            running = self._run()
            for later in self._lots:
                running.write(later)
        else:
            self._lots.popleft()
        return answers.text()

    def close(self) -> str:
        """Ends the program; returns the end of what it wrote to standard error."""
        running, self._running = self._running, None
        return running.end() if running else ""

    def _run(self) -> _Running:
        if self._running:
            return self._running
        self._running = _Running(self._command)
        # A first line distinguishes a program that cannot start from one that a later line ends.
        try:
            self._running.write([b"{}"])
            self._running.read(_Answers(), 1, _start_seconds)
        except _Ended as ended:
            written = self.close()
            raise ProcessFailed(f"{shlex.join(self._command)}: {ended}; it wrote: {written or 'nothing'}") from None
        return self._running

    def _alone(self, line: bytes) -> bytes:
        reason = ""
        for _ in range(self._retries):
            answer = _Answers()
            try:
                running = self._run()
                running.write([line])
                running.read(answer, 1, self._timeout_seconds)
                return answer.text()
            except _Ended as ended:
                reason = str(ended)
                self.close()
        error = f"process_failed: whereabouts geocode was tried {self._retries} more times, and {reason}"
        return json.dumps({"results": [], "error": error}).encode() + b"\n"
