"""Batches of Arrow with the results of an endpoint next to each row."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pajson

from whereabouts_client._api import ENDPOINTS
from whereabouts_client._process import LineProcess

Columns = str | Sequence[str]

_lot_rows = 1000
_scalars = {"string": pa.string(), "integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}


@dataclass(frozen=True)
class Question:
    """The query of each row, and the columns of its answer."""

    endpoint: str
    parameters: Mapping[str, tuple[str, ...]]
    """Columns of each parameter; several are joined by a blank."""
    fields: Mapping[str, Any]
    """Fields of a result with their types."""
    prefix: str

    def types(self) -> dict[str, Any]:
        """The columns that are added, with their types."""
        return {self.prefix + name: kind for name, kind in {**self.fields, "error": "string"}.items()}


def question_of(
    endpoint: str,
    address: Columns | None,
    parameters: Mapping[str, Columns] | None,
    fixed: Mapping[str, object],
    fields: Sequence[str] | None,
    prefix: str,
    existing: Sequence[str],
) -> Question:
    """Checks the query of a table; raises ValueError with the remedy."""
    described = ENDPOINTS.get(endpoint)
    if described is None:
        raise ValueError(f"there is no endpoint {endpoint!r}; there are {', '.join(ENDPOINTS)}")
    mapping = {**({} if address is None else {"q": address}), **(parameters or {})}
    columns = {name: (source,) if isinstance(source, str) else tuple(source) for name, source in mapping.items()}
    for name in (*columns, *fixed):
        if name not in described.parameters:
            raise ValueError(f"{endpoint} has no parameter {name!r}; it has {', '.join(described.parameters)}")
    for name in [column for source in columns.values() for column in source]:
        if name not in existing:
            raise ValueError(f"there is no column {name!r}; there are {', '.join(existing)}")
    if not columns:
        raise ValueError(f"name the columns with address= or parameters=; {endpoint} has {', '.join(described.parameters)}")
    for name in fields or ():
        if name not in described.fields:
            raise ValueError(f"a result of {endpoint} has no field {name!r}; it has {', '.join(described.fields)}")
    chosen = described.fields if fields is None else {name: described.fields[name] for name in fields}
    question = Question(endpoint, columns, dict(chosen), prefix)
    for name in question.types():
        if name in existing:
            raise ValueError(f"there is a column {name!r} already; choose another prefix")
    return question


def arrow_type(kind: Any) -> pa.DataType:
    """The type of a column, from its description in ENDPOINTS."""
    if isinstance(kind, str):
        return _scalars[kind]
    if isinstance(kind, list):
        return pa.list_(arrow_type(kind[0]))
    return pa.struct([(name, arrow_type(inner)) for name, inner in kind.items()])


def output_schema(question: Question, schema: pa.Schema) -> pa.Schema:
    """The input's columns, then the result's."""
    added = [pa.field(name, arrow_type(kind)) for name, kind in question.types().items()]
    return pa.schema([*schema, *added], metadata=schema.metadata)


def answered(
    batches: Iterable[pa.RecordBatch], question: Question, processes: Sequence[LineProcess]
) -> Iterator[pa.RecordBatch]:
    """The rows of all batches in their order, each with its result."""
    under_way: deque[tuple[LineProcess, pa.RecordBatch]] = deque()
    turn = 0
    for batch in batches:
        for start in range(0, batch.num_rows, _lot_rows):
            lot = batch.slice(start, _lot_rows)
            process = processes[turn % len(processes)]
            turn += 1
            process.send(_lines(lot, question))
            under_way.append((process, lot))
            # While the answers of a lot become columns, the process has the next ones to work on.
            if len(under_way) > 2 * len(processes):
                yield _finish(*under_way.popleft(), question)
    while under_way:
        yield _finish(*under_way.popleft(), question)


def _lines(batch: pa.RecordBatch, question: Question) -> list[bytes]:
    row = "{" + ",".join(f'"{name}":%s' for name in question.parameters) + "}"
    cells = [_json(_values(batch, columns)) for columns in question.parameters.values()]
    return [(row % each).encode() for each in zip(*cells)]


def _json(values: Sequence[Any]) -> list[str]:
    """Each value as JSON; null, as a row without that parameter has, for one that is not a number."""
    # All at once is several times as fast. No text has the separator in it, but lists do.
    cells = json.dumps(values, default=str, separators=("\n", ":"))[1:-1].split("\n")
    if len(cells) != len(values):
        cells = [json.dumps(value, default=str) for value in values]
    return ["null" if cell == "NaN" else cell for cell in cells]


def _values(batch: pa.RecordBatch, columns: Sequence[str]) -> list[Any]:
    cells = [batch.column(batch.schema.get_field_index(name)).to_pylist() for name in columns]
    if len(cells) == 1:
        return list(cells[0])
    return [" ".join(text for cell in row if cell is not None and (text := str(cell).strip())) for row in zip(*cells)]


def _finish(process: LineProcess, batch: pa.RecordBatch, question: Question) -> pa.RecordBatch:
    answers = process.receive()
    result = arrow_type(question.fields)
    table = pajson.read_json(
        pa.BufferReader(answers),
        read_options=pajson.ReadOptions(use_threads=False, block_size=len(answers) + 1),
        parse_options=pajson.ParseOptions(
            explicit_schema=pa.schema([("results", pa.list_(result)), ("error", pa.string())]),
            unexpected_field_behavior="ignore",
        ),
    )
    results = table["results"].combine_chunks()
    error = table["error"].combine_chunks()
    if len(results) != batch.num_rows:
        raise AssertionError(f"{len(results)} answers to {batch.num_rows} rows")
    is_found = pc.greater(pc.list_value_length(results), 0)
    first = results.values.take(pc.if_else(is_found, results.offsets.slice(0, len(results)), None))
    columns = [pc.struct_field(first, name) for name in question.fields]
    return pa.RecordBatch.from_arrays(
        [*batch.columns, *columns, error], schema=output_schema(question, batch.schema)
    )
