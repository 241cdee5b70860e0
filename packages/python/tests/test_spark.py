"""A real cluster of Spark: a master, two workers with an executor each, and processes of Whereabouts under them."""

from __future__ import annotations

import os
import signal
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyspark
import pytest
from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from whereabouts_client import bulk
from whereabouts_client.spark import geocode, geocode_udf, register

TOWNS = ["Berlin", "Paris", "London", "zzzzqqq"]
FIELDS = ["name", "confidence", "sources"]
# ROWS=250000 for a table of a usual size.
ROWS, PARTITIONS, BATCH = int(os.environ.get("ROWS", "4000")), 4, 100


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    work = tmp_path_factory.mktemp("spark")
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["SPARK_WORKER_DIR"] = str(work)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    # Short runs: what compiles well takes longer than it saves.
    java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    os.environ["JAVA_TOOL_OPTIONS"] = java
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", False)
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", BATCH)
        .config("spark.executorEnv.PYTHONPATH", str(Path(__file__).parent.parent / "src"))
        .config("spark.executorEnv.JAVA_TOOL_OPTIONS", java)
        .config("spark.sql.codegen.wholeStage", False)
        .config("spark.sql.adaptive.enabled", False)
        .config("spark.local.dir", str(work / "local"))
        .getOrCreate()
    )
    yield session
    session.stop()


def end_executor_once(mark: str) -> object:
    """Passes rows on; in the middle of partition 1, at its first attempt, it ends the executor that it runs in."""

    def partition(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        task = TaskContext.get()
        assert task is not None
        for at, batch in enumerate(batches):
            if at == ROWS // PARTITIONS // BATCH // 2 and task.partitionId() == 1 and task.attemptNumber() == 0:
                # A worker's parent is Spark's daemon of Python, whose parent is the executor.
                executor = int(Path(f"/proc/{os.getppid()}/stat").read_text().rsplit(")", 1)[1].split()[1])
                assert "java" in Path(f"/proc/{executor}/comm").read_text()
                Path(mark).write_text(str(executor))
                os.kill(executor, signal.SIGKILL)
            yield batch

    return partition


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds the executor in /proc")
def test_a_killed_executor_loses_and_doubles_no_row(spark: SparkSession, program: list[str], tmp_path: Path) -> None:
    town = F.element_at(F.array(*map(F.lit, TOWNS)), (F.col("id") % len(TOWNS) + 1).cast("int"))
    towns = spark.range(ROWS, numPartitions=PARTITIONS).withColumn("town", town)
    expected = bulk.geocode(pa.table({"town": TOWNS}), "town", endpoint="search", fields=FIELDS, command=program).read_all()
    by_town = {row["town"]: row for row in expected.to_pylist()}
    place = geocode_udf("search", fields=FIELDS, command=program)("town")
    for what in ("table", "column"):
        mark = tmp_path / f"killed-{what}"
        through = towns.mapInArrow(end_executor_once(str(mark)), towns.schema)  # type: ignore[arg-type]
        if what == "table":
            done = geocode(through, "town", endpoint="search", fields=FIELDS, command=program)
        else:
            parts = [F.col(f"place.{name}").alias(f"result_{name}") for name in [*FIELDS, "error"]]
            done = through.withColumn("place", place).select("id", "town", *parts)
        found = sorted(done.collect(), key=lambda row: row["id"])
        assert mark.exists(), "no executor was ended"
        assert [row["id"] for row in found] == list(range(ROWS))
        assert all({name: row[name] for name in expected.column_names} == by_town[row["town"]] for row in found)


def test_functions_of_sql_by_a_dataset_that_is_sent_or_fetched(
    spark: SparkSession, program: list[str], published: str, tmp_path: Path
) -> None:
    at = program.index("--data-directory")
    alone, directory = program[:at], program[at + 1]
    with tarfile.open(tmp_path / "sent.tar.gz", "w:gz", compresslevel=1) as archive:
        for name in ("current", Path(directory, "current").read_text().strip()):
            archive.add(Path(directory, name), name)
    spark.sparkContext.addArchive(f"{tmp_path / 'sent.tar.gz'}#dataset")
    for data_directory in ("dataset", published):
        register(spark, command=alone, data_directory=data_directory)
        towns = "(SELECT WB_Search(town) AS p FROM VALUES ('Paris'), ('zzzzqqq'), (NULL) AS t(town))"
        names = [row["name"] for row in spark.sql(f"SELECT p.name FROM {towns}").collect()]
        assert names == ["Paris", None, None], data_directory
    (row,) = spark.sql("SELECT WB_Reverse(52.5D, 13.4D) AS p, WB_Search('Paris', 'DE').error AS e").collect()
    assert (row["p"]["name"], row["p"]["hierarchy"][0]["name"], row["e"]) == ("Berlin", "Germany", "no_result")
    register(spark, command=alone, data_directory="http://127.0.0.1:1/nothing")
    with pytest.raises(Exception, match="pull .*127.0.0.1:1"):
        spark.sql("SELECT WB_IP('1.1.1.1')").collect()


def test_columns_of_any_type_pass_and_results_have_their_types(spark: SparkSession, program: list[str]) -> None:
    points = spark.sql(
        "SELECT 52.5D AS lat, CAST(13.4 AS DECIMAL(9, 4)) AS lng, map('a', array(1)) AS kept, DATE '2026-01-02' AS day "
        "UNION ALL SELECT NULL, 1, NULL, NULL"
    )
    done = geocode(points, endpoint="reverse", parameters={"lat": "lat", "lng": "lng"}, command=program)
    first, second = sorted(done.collect(), key=lambda row: row["lat"] is None)
    assert (first["kept"], first["result_name"], first["result_error"]) == ({"a": [1]}, "Berlin", None)
    assert first["result_hierarchy"][0]["name"] == "Germany"
    assert second["result_name"] is None and second["result_error"].startswith("missing_parameter: lat")
    assert dict(done.dtypes)["result_id"] == "bigint" and dict(done.dtypes)["result_lat"] == "double"


def test_a_partition_that_is_read_in_part_does_no_harm_to_the_next(spark: SparkSession, program: list[str]) -> None:
    towns = spark.range(3000, numPartitions=2).withColumn("town", F.lit("Paris"))
    done = geocode(towns, "town", endpoint="search", fields=["name"], command=program)
    assert [row["result_name"] for row in done.limit(3).collect()] == ["Paris"] * 3
    assert done.where("result_name = 'Paris'").count() == 3000


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds the processes in /proc")
def test_a_worker_keeps_its_process_for_its_next_partitions(spark: SparkSession, program: list[str]) -> None:
    rows = spark.range(8, numPartitions=8).withColumn("lat", F.lit(48.85)).withColumn("lng", F.lit(2.35))
    done = geocode(rows, endpoint="timezone", parameters={"lat": "lat", "lng": "lng"}, command=program)
    for _ in range(2):
        assert len(done.collect()) == 8
    # Two executors with a core each: two workers, and one more where a partition begins before a worker is free again. A
    # process for each partition would be 16.
    own = b"\0".join(word.encode() for word in (*program, "geocode", "-", "--endpoint", "timezone"))
    count = sum(own in line for line in command_lines())
    assert 1 <= count < 8, count


def command_lines() -> Iterator[bytes]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes()
        except OSError:
            pass
