"""Tables through local processes: what becomes of each row, also where a process ends in the middle."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

from whereabouts_client import bulk
from whereabouts_client._table import _json


def test_each_row_of_pandas_gets_its_result_or_its_error(program: list[str]) -> None:
    frame = pd.DataFrame({"town": ["Berlin", None, "zzzzqqq"], "land": ["DE", "DE", None], "n": [3, 1, 2]})
    done = bulk.geocode(
        frame, "town", endpoint="search", parameters={"country": "land"}, command=program
    ).read_pandas()
    assert list(done["n"]) == [3, 1, 2]
    assert done["result_id"][0] == 2950159 and done["result_confidence"][0] == 100
    assert list(done["result_sources"][0]) == ["geonames"]
    errors = [error if isinstance(error, str) else None for error in done["result_error"]]
    assert errors[0] is None and errors[2] == "no_result"
    assert str(errors[1]).startswith("missing_parameter: q")


def test_addresses_say_how_well_they_match(program: list[str]) -> None:
    table = pa.table({"number": [10, 99], "street": ["Downing Street", "zzzzqqq Street"], "country": ["GB", "GB"]})
    fields = ["street", "match_type"]
    done = bulk.geocode(table, ["number", "street"], fixed={"country": "GB"}, fields=fields, command=program).read_all()
    assert done.column_names == [*table.column_names, "result_street", "result_match_type", "result_error"]
    assert done["result_match_type"].to_pylist() == ["exact", None]
    assert done["result_error"].to_pylist() == [None, "no_result"]


def test_order_is_kept_by_several_processes_and_many_batches(program: list[str]) -> None:
    rows = 5000
    points = pa.table({"n": range(rows), "lat": [at % 80 for at in range(rows)], "lng": [at % 170 for at in range(rows)]})
    batches = pa.Table.from_batches(points.to_batches(max_chunksize=700))
    position_columns = {"lat": "lat", "lng": "lng"}
    one = bulk.geocode(points, endpoint="reverse", parameters=position_columns, command=program).read_all()
    two = bulk.geocode(batches, endpoint="reverse", parameters=position_columns, processes=2, command=program).read_all()
    assert one.num_rows == rows and one["n"].to_pylist() == list(range(rows))
    assert one.to_pylist() == two.to_pylist()


def test_a_table_of_duckdb_goes_there_and_back(program: list[str]) -> None:
    towns = duckdb.sql("SELECT 'Berlin' AS q, 7 AS n")
    done = bulk.geocode(towns, "q", endpoint="search", command=program).read_all()
    assert done.num_rows == 1
    assert duckdb.execute("SELECT n, result_name FROM done").fetchall() == [(7, "Berlin")]


def test_cells_of_any_type_are_one_json_value_each() -> None:
    cells = ["a\nb", None, float("nan"), 1.5, Decimal("1.50"), "NaN"]
    assert _json(cells) == [r'"a\nb"', "null", "null", "1.5", '"1.50"', '"NaN"']
    assert _json([[1, 2], {"x": 3}]) == ["[1, 2]", '{"x": 3}']
    assert _json([]) == []


def test_an_empty_table_sends_no_query() -> None:
    table = pa.table({"q": pa.array([], pa.string())})
    assert bulk.geocode(table, "q", command="no-such-program").read_all().num_rows == 0


@pytest.mark.parametrize("what", ["kill", "hang"])
def test_a_process_that_ends_in_the_middle_is_started_again(what: str, relayed: list[str], tmp_path: Path) -> None:
    towns = ["Berlin", "Paris"] * 700
    towns[1234] = f"{what}:{tmp_path / 'done.once'}"
    table = pa.table({"n": range(len(towns)), "q": towns})
    # Only what hangs has to be waited for; what is killed is noticed by itself.
    timeout = 30 if what == "hang" else 600
    done = bulk.geocode(table, "q", endpoint="search", command=relayed, timeout_seconds=timeout).read_all()
    assert done["n"].to_pylist() == list(range(len(towns)))
    for town, name, error in zip(towns, done["result_name"].to_pylist(), done["result_error"].to_pylist()):
        assert (name, error) == ((town, None) if ":" not in town else (name, error))
    assert not str(done["result_error"][1234].as_py()).startswith("process_failed")


def test_a_row_that_always_ends_the_process_gets_an_error_and_no_other_does(
    relayed: list[str], tmp_path: Path
) -> None:
    towns = ["Berlin"] * 20
    towns[7] = f"kill:{tmp_path / 'always'}"
    done = bulk.geocode(pa.table({"q": towns}), "q", endpoint="search", command=relayed, retries=1).read_all()
    errors = done["result_error"].to_pylist()
    assert errors[7].startswith("process_failed: ")
    assert errors[:7] + errors[8:] == [None] * 19


def test_a_program_that_cannot_work_is_an_exception_with_what_it_wrote(program: list[str], tmp_path: Path) -> None:
    table = pa.table({"q": ["Berlin"]})
    with pytest.raises(bulk.ProcessFailed, match="no-such-program"):
        bulk.geocode(table, "q", command="no-such-program").read_all()
    empty = [*program[:2], "--data-directory", str(tmp_path)]
    with pytest.raises(bulk.ProcessFailed, match="whereabouts: "):
        bulk.geocode(table, "q", command=empty).read_all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"address": "town"}, "no column 'town'"),
        ({"address": "q", "endpoint": "addresses"}, "no endpoint 'addresses'"),
        ({"parameters": {"town": "q"}}, "no parameter 'town'"),
        ({"address": "q", "fixed": {"land": "DE"}}, "no parameter 'land'"),
        ({"address": "q", "fields": ["quality"]}, "no field 'quality'"),
        ({"address": "q", "prefix": ""}, "a column 'error' already"),
        ({}, "address="),
    ],
)
def test_what_does_not_fit_is_refused_before_a_row_is_read(options: dict[str, object], message: str) -> None:
    table = pa.table({"q": ["Berlin"], "error": [""]})
    with pytest.raises(ValueError, match=message):
        bulk.geocode(table, **options)  # type: ignore[arg-type]
