"""Tables of pandas, Polars, DuckDB or Arrow through local processes of `whereabouts geocode`: no server, no key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from whereabouts_client._process import LineProcess, ProcessFailed, command_line
from whereabouts_client._table import Columns, answered, output_schema, question_of

__all__ = ["ProcessFailed", "geocode"]


def geocode(
    data: Any,
    address: Columns | None = None,
    *,
    endpoint: str = "address",
    parameters: Mapping[str, Columns] | None = None,
    fixed: Mapping[str, object] | None = None,
    fields: Sequence[str] | None = None,
    prefix: str = "result_",
    processes: int = 1,
    command: str | Sequence[str] = "whereabouts",
    data_directory: str | None = None,
    retries: int = 2,
    timeout_seconds: float = 120,
) -> pa.RecordBatchReader:
    """
    The rows of a table in their order, each with the columns of its best result and `result_error`.

    `data` is anything that exports an Arrow stream: a DataFrame of pandas or Polars, a relation of DuckDB, a table of
    Arrow. `address` names the column of the query text, or several columns; `parameters` the columns of other
    parameters, and `fixed` those that are the same for all rows. `fields` chooses among a result's fields.
    """
    source = pa.RecordBatchReader.from_stream(data)
    question = question_of(endpoint, address, parameters, fixed or {}, fields, prefix, source.schema.names)
    command_words = command_line(command, data_directory, endpoint, fixed or {})
    if processes < 1:
        raise ValueError(f"processes is {processes}, expected at least 1")

    def batches() -> Iterator[pa.RecordBatch]:
        started = [
            LineProcess(command_words, retries=retries, timeout_seconds=timeout_seconds) for _ in range(processes)
        ]
        try:
            yield from answered(source, question, started)
        finally:
            for process in started:
                process.close()

    return pa.RecordBatchReader.from_batches(output_schema(question, source.schema), batches())
