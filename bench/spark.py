"""
Rows a second through Spark beside as many bare processes of `whereabouts geocode`, in turns:

    <python with clients/python/requirements.txt> bench/spark.py [rows] [processes] [rounds]

Starting Spark is not counted, starting the processes is, on both sides. Asks the dataset in data/.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

root = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "clients/python/src"))
os.environ["PYTHONPATH"] = sys.path[0]
os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession  # noqa: E402

from whereabouts.spark import geocode  # noqa: E402

rows, processes, rounds = (int(given) for given in [*sys.argv[1:], *("60000", "2", "3")[len(sys.argv) - 1 :]])
program = [str(root / "node_modules/.bin/node"), str(root / "src/main.ts"), "--data-directory", str(root / "data")]
towns = ["Berlin", "Paris, Texas", "Springfield IL", "Moskva RU", "München Bayern", "10115 Berlin", "San José CR", "Lyon"]
chance = random.Random(1)
tables = {
    "reverse": [(chance.uniform(-55, 70), chance.uniform(-180, 180)) for _ in range(rows)],
    "search": [(chance.choice(towns),) for _ in range(rows)],
}
columns = {"reverse": ("lat", "lng"), "search": ("q",)}


def bare(endpoint: str, folder: Path) -> float:
    """Seconds that so many processes take for a part of the rows each, from a file to a file."""
    parts = []
    for part in range(processes):
        lines = [",".join(f'"{cell}"' for cell in row) for row in tables[endpoint][part::processes]]
        (folder / f"{part}.csv").write_text("\n".join([",".join(columns[endpoint]), *lines, ""]))
        (folder / f"{part}.out.csv").unlink(missing_ok=True)
        words = ["geocode", str(folder / f"{part}.csv"), "--endpoint", endpoint, "--output", str(folder / f"{part}.out.csv")]
        parts.append([*program, *words])
    begin = time.perf_counter()
    running = [subprocess.Popen(words, stderr=subprocess.DEVNULL) for words in parts]
    for child in running:
        child.wait()
    return time.perf_counter() - begin


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    session = (
        SparkSession.builder.master(f"local[{processes}]")
        .config("spark.ui.enabled", False)
        .config("spark.python.worker.reuse", False)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    for endpoint, table in tables.items():
        source, target = str(folder / f"{endpoint}.parquet"), str(folder / f"{endpoint}.done.parquet")
        names = list(columns[endpoint])
        session.createDataFrame(table, names).repartition(processes).write.parquet(source)
        ratios = []
        for _ in range(rounds):
            alone = bare(endpoint, folder)
            begin = time.perf_counter()
            asked = {name: name for name in names}
            done = geocode(session.read.parquet(source), endpoint=endpoint, parameters=asked, command=program)
            done.write.mode("overwrite").parquet(target)
            spark = time.perf_counter() - begin
            assert session.read.parquet(target).count() == rows
            ratios.append(alone / spark)
            print(
                f"{endpoint}: {rows / alone:,.0f} rows/s bare, {rows / spark:,.0f} through Spark, ratio {ratios[-1]:.2f}",
                flush=True,
            )
        print(f"{endpoint}: median ratio {sorted(ratios)[len(ratios) // 2]:.2f}", flush=True)
    session.stop()
