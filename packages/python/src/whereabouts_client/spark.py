"""DataFrames of Apache Spark through processes of `whereabouts geocode` on the executors: no server, no key."""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import types as T
from pyspark.sql.pandas.functions import pandas_udf

from whereabouts_client._process import LineProcess, ProcessFailed, command_line, program_of
from whereabouts_client._table import Columns, Question, answered, question_of

__all__ = ["geocode", "geocode_udf", "register"]

_scalars: Mapping[str, T.DataType] = {
    "string": T.StringType(),
    "integer": T.LongType(),
    "number": T.DoubleType(),
    "boolean": T.BooleanType(),
}

# Functions of SQL: the endpoint, and the parameters that their arguments are, of which the last may be left out.
_sql_functions: Mapping[str, tuple[str, Sequence[str]]] = {
    "WB_Address": ("address", ("q", "country")),
    "WB_Search": ("search", ("q", "country")),
    "WB_Reverse": ("reverse", ("lat", "lng")),
    "WB_Postal": ("postal", ("code", "country")),
    "WB_Timezone": ("timezone", ("lat", "lng")),
    "WB_IP": ("ip", ("ip",)),
}

# A worker of Spark answers one partition after another; the process and its dataset stay open between them.
_kept: dict[str, LineProcess] = {}


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

    Every worker runs one process of `command`, which has to be installed on the executors, as has this package.
    `data_directory` is a directory there, the name of one that `SparkContext.addArchive`, or `addFile` of a shared file
    system, sent, or the address of a published dataset (`https://…`, `s3://…`), which every executor fetches once.
    `address` names the column of the query text, or several columns; `parameters` the columns of other parameters, and
    `fixed` those that are the same for all rows. `fields` chooses among a result's fields.
    """
    question = question_of(endpoint, address, parameters, fixed or {}, fields, prefix, df.columns)
    source = _Source(command, data_directory, endpoint, dict(fixed or {}), retries, timeout_seconds)

    def partition(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _answered_by_kept(batches, question, source)

    return df.mapInArrow(partition, T.StructType([*df.schema.fields, *_struct_of(question)]))


def geocode_udf(
    endpoint: str = "address",
    parameters: Sequence[str] = ("q",),
    *,
    fixed: Mapping[str, object] | None = None,
    fields: Sequence[str] | None = None,
    command: str | Sequence[str] = "whereabouts",
    data_directory: str | None = None,
    retries: int = 2,
    timeout_seconds: float = 120,
) -> Callable[..., Column]:
    """
    A function of columns: the struct of each row's best result and its `error`. Its arguments are the columns of
    `parameters` in that order, of which the last may be left out; all else is as for `geocode`.

        df.withColumn("place", geocode_udf("reverse", ["lat", "lng"], fields=["name"])("y", "x")).select("place.name")
    """
    # The names of arguments and fields may be the same.
    columns = [f"argument {name}" for name in parameters]
    question = question_of(endpoint, None, dict(zip(parameters, columns)), fixed or {}, fields, "", columns)
    source = _Source(command, data_directory, endpoint, dict(fixed or {}), retries, timeout_seconds)

    def answers(batches: Iterator[tuple[pd.Series, ...]]) -> Iterator[pd.DataFrame]:
        return _answers_of_columns(batches, question, columns, source)

    # Annotations are texts in this file, which Spark does not evaluate for an inner function.
    answers.__annotations__ = {"batches": Iterator[tuple[pd.Series, ...]], "return": Iterator[pd.DataFrame]}
    return pandas_udf(answers, _struct_of(question))  # type: ignore[call-overload, no-any-return]


def register(session: SparkSession, **options: Any) -> None:
    """
    Adds `WB_Address(q, country)`, `WB_Search(q, country)`, `WB_Reverse(lat, lng)`, `WB_Postal(code, country)`,
    `WB_Timezone(lat, lng)` and `WB_IP(ip)` to SQL; `country` may be left out. `options` are those of `geocode_udf`.
    """
    for name, (endpoint, parameters) in _sql_functions.items():
        session.udf.register(name, geocode_udf(endpoint, parameters, **options))


@dataclass(frozen=True)
class _Source:
    """What answers, as an executor has it."""

    command: str | Sequence[str]
    data_directory: str | None
    endpoint: str
    fixed: Mapping[str, object]
    retries: int
    timeout_seconds: float

    def start(self) -> LineProcess:
        words = command_line(self.command, self._directory(), self.endpoint, self.fixed)
        return LineProcess(words, retries=self.retries, timeout_seconds=self.timeout_seconds)

    def _directory(self) -> str | None:
        """The directory that this executor has the dataset in; it is fetched where it is at an address."""
        if self.data_directory is None:
            return None
        if "://" not in self.data_directory:
            sent = SparkFiles.get(self.data_directory)
            return sent if os.path.exists(sent) else self.data_directory
        local = SparkFiles.get(f"whereabouts-{hashlib.sha256(self.data_directory.encode()).hexdigest()[:16]}")
        # Of several at the same time one fetches, and the others wait for it.
        pull = [*program_of(self.command), "--data-directory", local, "pull", self.data_directory]
        done = subprocess.run(pull, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise ProcessFailed(f"{shlex.join(pull)} failed: {done.stderr.decode(errors='replace').strip()}")
        return local


# Spark sends an inner function with copies of the globals that it uses; one of a module is found there, with `_kept`.
def _answered_by_kept(
    batches: Iterable[pa.RecordBatch], question: Question, source: _Source
) -> Iterator[pa.RecordBatch]:
    key = repr(source)
    process = _kept.get(key) or source.start()
    _kept[key] = process
    try:
        yield from answered(batches, question, [process])
    finally:
        # An interrupted partition leaves unread answers.
        if not process.is_idle:
            del _kept[key]
            process.close()


def _answers_of_columns(
    batches: Iterable[tuple[pd.Series, ...] | pd.Series], question: Question, names: Sequence[str], source: _Source
) -> Iterator[pd.DataFrame]:
    def tables() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            # A single argument comes without its tuple; those that are left out are null.
            given = [pa.Array.from_pandas(one) for one in (batch if isinstance(batch, tuple) else (batch,))]
            missing = [pa.nulls(len(given[0]))] * (len(names) - len(given))
            yield pa.RecordBatch.from_arrays([*given, *missing], names=list(names))

    for table in _answered_by_kept(tables(), question, source):
        yield table.select(range(len(names), table.num_columns)).to_pandas()


def _struct_of(question: Question) -> T.StructType:
    return T.StructType([T.StructField(name, _spark_type(kind)) for name, kind in question.types().items()])


def _spark_type(kind: Any) -> T.DataType:
    if isinstance(kind, str):
        return _scalars[kind]
    if isinstance(kind, list):
        return T.ArrayType(_spark_type(kind[0]))
    return T.StructType([T.StructField(name, _spark_type(inner)) for name, inner in kind.items()])
