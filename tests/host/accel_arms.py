#!/usr/bin/env python3
"""accel_arms.py TACTUS CASES: `tactus accel` of the arm cases of Pang-Trinkle (a finger pushes a box, two fingers lift it), by
the pyramid and by the cone, against the reference's accelerations, where it found one answer. Each problem is given reduced, as
A and b, with the velocities of what slides.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE = 1e-8  # the case file's


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def sliding(case, axis):
    """Velocity of the box at each contact that slides; what it slides on is at rest."""
    linear, angular = case["input"]["qd"][:3], case["input"]["qd"][3:]
    speeds = []
    for i, contact in enumerate(case["input"]["contacts"]):
        point = [v + w for v, w in zip(linear, cross(angular, contact["r"]))]
        speeds.append(sum(p * d for p, d in zip(point, contact[axis])) if i in case["S"] else 0)
    return speeds


def solve(tactus, case, name, law):
    problem = {"name": name, "plane": False, "law": law, "mu": [c["mu"] for c in case["input"]["contacts"]], "A": case["A"], "b": case["b"]}
    if case["S"]:
        problem |= {"v_t": sliding(case, "t"), "v_o": sliding(case, "o")}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "problem.json"
        file.write_text(json.dumps(problem))
        return json.loads(subprocess.run([tactus, "accel", file], capture_output=True, check=True, text=True).stdout)


def main():
    tactus, cases = sys.argv[1:]
    results = json.loads((pathlib.Path(cases) / "spatial/pang_trinkle.json").read_text())["results"]
    seen = {"pyramid": 0, "cone": 0}
    worst, failed = 0, False
    for name, case in results.items():
        if not case.get("input", {}).get("theta"):
            continue
        for law in seen.keys() & case.keys():
            answer = solve(tactus, case, name, law)
            if answer["status"] != "solved":
                print(f"FAILED: {name}, {law}: {answer['status']}")
                failed = True
                continue
            if law == "pyramid":
                unique, expected = len(case[law]["newton_solutions"]) == 1, case[law]["a"]
            else:
                unique = case[law]["acceleration_spread"] <= 1e-9
                c = case[law]["c_n"] + case[law]["c_t"] + case[law]["c_o"]
                expected = [sum(x * y for x, y in zip(row, c)) + b for row, b in zip(case["A"], case["b"])]
            if not unique:
                continue
            got = answer["a_n"] + answer["a_t"] + answer["a_o"]
            error = max(abs(x - y) for x, y in zip(got, expected, strict=True))
            seen[law] += 1
            worst = max(worst, error)
            if not error <= TOLERANCE:
                print(f"FAILED: {name}, {law}: accelerations differ by {error:.3g}")
                failed = True
    print(f"{seen} compared, worst {worst:.3g}")
    return failed or min(seen.values()) < 7


sys.exit(main())
