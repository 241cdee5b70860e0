"""
Rows a second through Spark next to as many bare processes of `whereabouts geocode`, in turns:

    <python with packages/python/requirements.txt> bench/spark.py [rows] [processes] [rounds] [endpoint or endpoint:column]

`reverse:column` is `geocode_udf` in place of `geocode`. Starting Spark and the processes is not counted on either side: the first round starts them, and what bare processes need to
start is taken off. Times are those of the clock and, for busy machines, of the processors. Asks the dataset in data/.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

root = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "packages/python/src"))
os.environ["PYTHONPATH"] = sys.path[0]
os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession  # noqa: E402

from whereabouts_client.spark import geocode, geocode_udf  # noqa: E402

rows, processes, rounds = (int(argument) for argument in [*sys.argv[1:4], *("60000", "2", "3")[len(sys.argv) - 1 :]])
endpoints = sys.argv[4:] or ["reverse", "search"]
program = [str(root / "node_modules/.bin/node"), str(root / "src/main.ts"), "--data-directory", str(root / "data")]
towns = ["Berlin", "Paris", "Springfield", "München", "San José", "Lyon", "Roma", "Madrid"]
chance = random.Random(1)
tables = {
    "reverse": [(chance.uniform(-55, 70), chance.uniform(-180, 180)) for _ in range(rows)],
    # Texts that differ: answers to those that are repeated are kept.
    "search": [(f"{chance.randrange(10000, 99999)} {chance.choice(towns)}",) for _ in range(rows)],
}
columns = {"reverse": ("lat", "lng"), "search": ("q",)}


def processor_seconds() -> Counter[str]:
    """Of all processes that this one started, and those that they did, ended ones included, by program; of Spark's threads here none."""
    parents, spent = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            before, _, after = stat.read_text().rpartition(")")
        except OSError:
            continue
        values, pid = after.split(), int(stat.parent.name)
        program = before.partition("(")[2]
        parents[pid] = int(values[1])
        kind = "java" if program == "java" else "python" if program.startswith("python") else "node"
        # Ended children of this process are bare ones.
        own, ended = (sum(map(int, two)) / os.sysconf("SC_CLK_TCK") for two in (values[11:13], values[13:15]))
        spent[pid] = Counter({kind: own}) + Counter({"node" if pid == os.getpid() else kind: ended})
    own_pids = {os.getpid()}
    while more := {one for one, parent in parents.items() if parent in own_pids} - own_pids:
        own_pids |= more
    return sum((spent[pid] for pid in own_pids), Counter())


def timed(act: Callable[[], None]) -> Counter[str]:
    """Seconds by the clock and of processors, these also by program."""
    begin, spent = time.perf_counter(), processor_seconds()
    act()
    by_program = processor_seconds() - spent
    return Counter(clock=time.perf_counter() - begin, processor=by_program.total(), **by_program)


def bare(endpoint: str, folder: Path, count: int) -> Counter[str]:
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
    for what in endpoints:
        endpoint, _, kind = what.partition(":")
        table = tables[endpoint]
        source, target = str(folder / f"{endpoint}.parquet"), str(folder / f"{endpoint}.done.parquet")
        names = list(columns[endpoint])
        session.createDataFrame(table, names).repartition(processes).write.mode("overwrite").parquet(source)
        mapping = {name: name for name in names}

        def through_spark() -> None:
            rows_read = session.read.parquet(source)
            if kind == "column":
                done = rows_read.withColumn("result", geocode_udf(endpoint, names, command=program)(*names))
            else:
                done = geocode(rows_read, endpoint=endpoint, parameters=mapping, command=program)
            done.write.mode("overwrite").parquet(target)

        ratios = []
        for turn in range(rounds + 1):
            start, whole, spark = bare(endpoint, folder, processes), bare(endpoint, folder, rows), timed(through_spark)
            alone = {kind: whole[kind] - start[kind] for kind in ("clock", "processor")}
            assert session.read.parquet(target).count() == rows
            ratios.append([alone[kind] / spark[kind] for kind in alone])
            each = {kind: f"{1e6 * spark[kind] / rows:.0f}" for kind in ("processor", "node", "python", "java")}
            print(
                f"{what}: {rows / alone['clock']:,.0f} rows/s bare, {rows / spark['clock']:,.0f} through Spark, ratio {ratios[-1][0]:.2f};"
                f" processor time {1e6 * alone['processor'] / rows:.0f} and {each['processor']} µs a row (node {each['node']}, Python"
                f" {each['python']}, Java {each['java']}), ratio {ratios[-1][1]:.2f}{'' if turn else ' (to warm up)'}",
                flush=True,
            )
        clock, processor = (sorted(each)[len(each) // 2] for each in zip(*ratios[1:]))
        print(f"{what}: median ratio {clock:.2f}, of processor time {processor:.2f}", flush=True)
    session.stop()
