"""
Rows a second through Spark next to as many bare processes of `whereabouts geocode`, in turns:

    <python with clients/python/requirements.txt> bench/spark.py [rows] [processes] [rounds]

Starting Spark and the processes is not counted on either side: the first round starts them, and what bare processes need to
start is taken off. Times are those of the clock and, for busy machines, of the processors. Asks the dataset in data/.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

root = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "clients/python/src"))
os.environ["PYTHONPATH"] = sys.path[0]
os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession  # noqa: E402

from whereabouts.spark import geocode  # noqa: E402

rows, processes, rounds = (int(argument) for argument in [*sys.argv[1:], *("60000", "2", "3")[len(sys.argv) - 1 :]])
program = [str(root / "node_modules/.bin/node"), str(root / "src/main.ts"), "--data-directory", str(root / "data")]
towns = ["Berlin", "Paris", "Springfield", "München", "San José", "Lyon", "Roma", "Madrid"]
chance = random.Random(1)
tables = {
    "reverse": [(chance.uniform(-55, 70), chance.uniform(-180, 180)) for _ in range(rows)],
    # Texts that differ: answers to those that are repeated are kept.
    "search": [(f"{chance.randrange(10000, 99999)} {chance.choice(towns)}",) for _ in range(rows)],
}
columns = {"reverse": ("lat", "lng"), "search": ("q",)}


def processor_seconds() -> float:
    """Of all processes that this one started, and those that they did, ended ones included; of Spark's threads here none."""
    parents, seconds = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            values = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(values[1])
        seconds[int(stat.parent.name)] = sum(int(value) for value in values[11:15]) / os.sysconf("SC_CLK_TCK")
    own = {os.getpid()}
    while more := {one for one, parent in parents.items() if parent in own} - own:
        own |= more
    return sum(seconds[one] for one in own)


def timed(act: Callable[[], None]) -> tuple[float, float]:
    """Seconds by the clock and of processors."""
    begin, spent = time.perf_counter(), processor_seconds()
    act()
    return time.perf_counter() - begin, processor_seconds() - spent


def bare(endpoint: str, folder: Path, count: int) -> tuple[float, float]:
    """Seconds that `count` processes take for a part of the rows each, from a file to a file."""
    parts = []
    for part in range(processes):
        lines = [",".join(f'"{cell}"' for cell in row) for row in tables[endpoint][:count][part::processes]]
        (folder / f"{part}.csv").write_text("\n".join([",".join(columns[endpoint]), *lines, ""]))
        (folder / f"{part}.out.csv").unlink(missing_ok=True)
        words = ["geocode", str(folder / f"{part}.csv"), "--endpoint", endpoint, "--output", str(folder / f"{part}.out.csv")]
        parts.append([*program, *words])

    def run() -> None:
        running = [subprocess.Popen(words, stderr=subprocess.DEVNULL) for words in parts]
        for child in running:
            child.wait()

    return timed(run)


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    session = (
        SparkSession.builder.master(f"local[{processes}]")
        .config("spark.ui.enabled", False)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    for endpoint, table in tables.items():
        source, target = str(folder / f"{endpoint}.parquet"), str(folder / f"{endpoint}.done.parquet")
        names = list(columns[endpoint])
        session.createDataFrame(table, names).repartition(processes).write.parquet(source)
        mapping = {name: name for name in names}

        def through_spark() -> None:
            done = geocode(session.read.parquet(source), endpoint=endpoint, parameters=mapping, command=program)
            done.write.mode("overwrite").parquet(target)

        ratios = []
        for turn in range(rounds + 1):
            start, whole, spark = bare(endpoint, folder, processes), bare(endpoint, folder, rows), timed(through_spark)
            alone = [one - other for one, other in zip(whole, start)]
            assert session.read.parquet(target).count() == rows
            ratios.append([one / other for one, other in zip(alone, spark)])
            print(
                f"{endpoint}: {rows / alone[0]:,.0f} rows/s bare, {rows / spark[0]:,.0f} through Spark, ratio {ratios[-1][0]:.2f};"
                f" processor time {1e6 * alone[1] / rows:.0f} and {1e6 * spark[1] / rows:.0f} µs a row, ratio {ratios[-1][1]:.2f}"
                f"{'' if turn else ' (to warm up)'}",
                flush=True,
            )
        clock, processor = (sorted(each)[len(each) // 2] for each in zip(*ratios[1:]))
        print(f"{endpoint}: median ratio {clock:.2f}, of processor time {processor:.2f}", flush=True)
    session.stop()
