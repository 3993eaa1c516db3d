#!/usr/bin/env python3
"""precision.py TACTUS SCENE...: float beside double over whole scenes, as a table.

Each scene is run by `tactus run` in both. Pose: the largest distance of a body's place (m) or angle (rad, or quaternion
component) over the run, and after the first tenth of it: a scene whose modes change parts at each change by what one step of
it is worth, and a tumbling body magnifies that. Exit status 1 where a float step is not solved that a double step solves.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path


def run(tactus, scene, precision, folder):
    path = Path(folder) / f"{precision}.csv"
    subprocess.run([tactus, "run", scene, "--csv", path, "--precision", precision], capture_output=True, check=False)
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(x) for x in row] for row in rows[1:]]


def compare(header, single, double):
    poses = [i for i, name in enumerate(header) if name.rsplit(".", 1)[-1] in ("x", "y", "z", "a", "qw", "qx", "qy", "qz")]
    worst = [max((abs(a[i] - b[i]) for i in poses), default=0.0) for a, b in zip(single, double)]
    status, residual = header.index("status"), header.index("residual")
    return {
        "steps": len(single),
        "start": max(worst[: max(1, len(worst) // 10)]),
        "pose": max(worst),
        "unsolved": [sum(row[status] > 0 for row in rows) for rows in (single, double)],
        "residual": max(row[residual] for row in single),
    }


def main():
    tactus, scenes = sys.argv[1], sys.argv[2:]
    print("| scene | steps | pose, first tenth | pose, whole run | not solved: float, double | worst residual, float |")
    print("|---|---|---|---|---|---|")
    failed = False
    for scene in scenes:
        with tempfile.TemporaryDirectory() as folder:
            header, single = run(tactus, scene, "float", folder)
            twin_header, double = run(tactus, scene, "double", folder)
        if header != twin_header or not single or len(single) != len(double):
            print(f"| {Path(scene).stem} | the runs do not match |||||")
            failed = True
            continue
        r = compare(header, single, double)
        failed |= r["unsolved"][0] > r["unsolved"][1]
        print(
            f"| {Path(scene).stem} | {r['steps']} | {r['start']:.1e} | {r['pose']:.1e} |"
            f" {r['unsolved'][0]}, {r['unsolved'][1]} | {r['residual']:.1e} |"
        )
    return failed


sys.exit(main())
