"""DataFrames of Apache Spark through processes of `whereabouts geocode` on the executors: no server, no key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import types as T

from whereabouts_client._process import LineProcess, command_line
from whereabouts_client._table import Columns, Question, answered, question_of

__all__ = ["geocode"]

_scalars: Mapping[str, T.DataType] = {
    "string": T.StringType(),
    "integer": T.LongType(),
    "number": T.DoubleType(),
    "boolean": T.BooleanType(),
}

# A worker of Spark answers one partition after another; the process and its dataset stay open between them.
_kept: dict[tuple[object, ...], LineProcess] = {}


def geocode(
    df: DataFrame,
    address: Columns | None = None,
    *,
    endpoint: str = "address",
    parameters: Mapping[str, Columns] | None = None,
    fixed: Mapping[str, object] | None = None,
    fields: Sequence[str] | None = None,
    prefix: str = "result_",
    command: str | Sequence[str] = "whereabouts",
    data_directory: str | None = None,
    retries: int = 2,
    timeout_seconds: float = 120,
) -> DataFrame:
    """
    The DataFrame with the columns of each row's best result and `result_error`: exactly one row for each.

    Every worker runs one process of `command`, which has to be installed on the executors, as have this package and the
    dataset in `data_directory`. `address` names the column of the query text, or several columns;
    `parameters` the columns of other parameters, and `fixed` those that are the same for all rows. `fields` chooses among
    a result's fields.
    """
    question = question_of(endpoint, address, parameters, fixed or {}, fields, prefix, df.columns)
    words = command_line(command, data_directory, endpoint, fixed or {})

    def partition(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _answered_by_kept(batches, question, words, retries, timeout_seconds)

    added = [T.StructField(name, _spark_type(kind)) for name, kind in question.types().items()]
    return df.mapInArrow(partition, T.StructType([*df.schema.fields, *added]))


# Spark sends an inner function with copies of the globals that it uses; one of a module is found there, with `_kept`.
def _answered_by_kept(
    batches: Iterable[pa.RecordBatch], question: Question, words: tuple[str, ...], retries: int, timeout_seconds: float
) -> Iterator[pa.RecordBatch]:
    key = (words, retries, timeout_seconds)
    process = _kept.get(key) or LineProcess(words, retries=retries, timeout_seconds=timeout_seconds)
    _kept[key] = process
    try:
        yield from answered(batches, question, [process])
    finally:
        # An interrupted partition leaves unread answers.
        if not process.is_idle:
            del _kept[key]
            process.close()


def _spark_type(kind: Any) -> T.DataType:
    if isinstance(kind, str):
        return _scalars[kind]
    if isinstance(kind, list):
        return T.ArrayType(_spark_type(kind[0]))
    return T.StructType([T.StructField(name, _spark_type(inner)) for name, inner in kind.items()])
