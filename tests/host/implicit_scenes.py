#!/usr/bin/env python3
"""implicit_scenes.py TACTUS SCENES CASES: scenes of the implicit law as scripts see them, through `tactus run --csv`.

The examples of Chakraborty 2007 against the reference trajectories, row by row, to their own tolerances; then the spinning
sphere with other numbers against its closed form, which the scheme meets to rounding: torsion takes e_r mu m g h / I off the
spin in each step, until less is left than that.
"""

import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

tactus, scenes, cases = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
failures = []


def run(scene, precision="double"):
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "scene.json", Path(folder) / "out.csv"
        path.write_text(json.dumps(scene))
        subprocess.run([tactus, "run", path, "--csv", out, "--precision", precision], stdout=subprocess.DEVNULL, check=True)
        with open(out, newline="") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def scene(name):
    return json.loads((scenes / f"{name}.json").read_text())


def case(name):
    return json.loads((cases / name).read_text())


def hold(what, worst, bound):
    good = worst <= bound  # NaN is refused
    print(f"{what}: {worst:.1e}, at most {bound:.1e}{'' if good else '  FAILED'}")
    if not good:
        failures.append(what)


def at(rows, t):
    return min(rows, key=lambda row: abs(row["t"] - t))


def far(row, names, expected):
    return max(abs(row[name] - value) for name, value in zip(names, expected, strict=True))


def columns(head, tails):
    return [f"{head}.{tail}" for tail in tails.split()]


def letter(mode):
    return {0: "0", 1: "S", 2: "s"}[int(mode)]


def spinning_sphere():
    reference = case("spatial/ex2_spinning_sphere.json")
    names = columns("sphere", "x y z vx vy vz wx wy wz") + columns("floor-sphere", "fn ft fo fr")
    for precision, bound in (("double", reference["tolerance"]), ("float", 1e-4)):
        rows = run(scene("spinning_sphere"), precision)
        hold(f"spinning sphere, {precision}", max(far(at(rows, w[0]), names, w[1:14]) for w in reference["trajectory"]), bound)
        stops = next(row["t"] for row in rows if row["floor-sphere.mode"] == 1)
        hold(f"  stops at {stops:.6g} s, not 1.05", abs(stops - reference["key"]["stop_time"]), 1e-6)


def spinning_sphere_with_other_numbers():
    for radius, mass, inertia, mu, e_r, spin, h in (
        (1, 1, 0.4, 0.2, 0.4, 1.962, 0.07),
        (0.1, 6, 0.024, 0.35, 0.02, 30, 0.01),
        (0.02, 0.03, 4.8e-6, 0.8, 0.001, -200, 0.001),
        (0.5, 40, 7, 0.05, 0.3, 0.5, 0.004),
    ):
        one = scene("spinning_sphere")
        one["time"] = {"step": h, "end": 60 * h}
        ball = one["bodies"][1]
        ball.update(mass=mass, inertia=[inertia] * 3, shape={"sphere": radius}, pose=[0, 0, radius, 1, 0, 0, 0])
        ball["velocity"][5] = spin
        one["contacts"][0].update(mu=mu, ellipsoid=[1, 1, e_r])
        worst, w = 0, spin
        for row in run(one):
            w = math.copysign(max(0, abs(w) - h * e_r * mu * mass * 9.81 / inertia), spin)
            worst = max(worst, abs(row["sphere.wz"] - w) / abs(spin), abs(row["sphere.z"] - radius) / radius)
        hold(f"sphere of {mass} kg at {spin} rad/s, relative", worst, 1e-9)


def two_spheres():
    reference = case("spatial/ex3_two_spheres.json")
    motion = columns("sphere", "x y z vx vy vz wx wy wz")
    for name in ("implicit_h001", "implicit_h0005"):
        want = reference[name]
        one = scene("two_spheres_torsion")
        one["time"]["step"] = want["h"]
        rows = run(one)
        worst = 0
        for w in want["trajectory"]:
            row = at(rows, w[0])
            worst = max(worst, far(row, motion, w[1:10]))
            for pair, k in (("first-sphere", 10), ("second-sphere", 14)):
                fn, ft, fo, fr = (row[f"{pair}.{tail}"] for tail in ("fn", "ft", "fo", "fr"))
                worst = max(worst, abs(fn - w[k]), abs(math.hypot(ft, fo) - math.hypot(w[k + 1], w[k + 2])), abs(fr - w[k + 3]))
        hold(f"two spheres, h = {want['h']}", worst, reference["tolerance"]["implicit_same_h"])
        changes, before = [], None
        for row in rows:
            modes = letter(row["first-sphere.mode"]) + letter(row["second-sphere.mode"])
            if modes != before:
                changes.append((row["t"], modes))
            before = modes
        same = [m for _, m in changes] == [m for _, m in want["transitions"]]
        late = max(abs(a[0] - b[0]) for a, b in zip(changes, want["transitions"])) if same else math.inf
        hold(f"  its events {', '.join(f'{t:.4g}' for t, _ in changes[1:])} s", late, 1e-9)
        gap = 0
        for ball, pair in zip(reference["params"]["obstacles"], ("first-sphere", "second-sphere")):
            for row in (row for row in rows if row[f"{pair}.fn"] > 0):
                centre = [row[f"sphere.{k}"] for k in "xyz"]
                gap = max(gap, abs(math.dist(centre, ball["center"]) - ball["radius"] - 1), abs(row[f"{pair}.gap"]))
        hold("  its gaps while pressed", gap, 2e-14)


def ellipsoid():
    # The reference has the same laws, but an explicit gyroscopic torque and Euler's step of the pose: its error is of order 1,
    # the free turn's of order 4, so the two part by O(h) (tests/cases/implicit_ellipsoid.cpp holds the step's own balance).
    reference = case("spatial/ellipsoid_roll.json")
    names = columns("ellipsoid", "x y z qw qx qy qz vx vy vz wx wy wz") + columns("floor-ellipsoid", "fn ft fo fr")
    for key, want in reference["implicit"].items():
        one = scene("ellipsoid_slide")
        one["time"]["step"] = float(key[1:])
        rows = run(one)
        worst = max(far(at(rows, w[0]), names, w[1:18]) for w in want["trajectory"])
        hold(f"ellipsoid, {key}, over h", worst / float(key[1:]), 0.27)


def disc():
    reference = case("planar/disc_rolling.json")
    one = scene("disc")
    one.update(method="implicit")
    one["bodies"] = [body for body in one["bodies"] if "mass" not in body or "disc" in body["shape"]]
    kept = {body["name"] for body in one["bodies"]}
    one["contacts"] = [pair for pair in one["contacts"] if set(pair["between"]) <= kept]
    name = next(body["name"] for body in one["bodies"] if "mass" in body)
    for h, want in reference["implicit"].items():
        one["time"] = {"step": float(h), "end": reference["params"]["T"]}
        rows = run(one)
        energy = max(
            abs(0.5 * (r[f"{name}.vx"] ** 2 + r[f"{name}.vy"] ** 2) + 0.25 * r[f"{name}.w"] ** 2 - reference["KE0"]) for r in rows
        )
        hold(f"disc, h = {h}, energy", energy, reference["tolerance"]["implicit_KE"])
        hold("  its place", far(rows[-1], columns(name, "x y a"), want["final_q"]), 1e-8)


def die():
    # It falls on the table and comes to rest on a face, without gaining energy and never in the table.
    rows = run(scene("die"))
    m, inertia = 0.005, 2.133e-7
    total = [
        0.5 * m * sum(r[f"die.v{k}"] ** 2 for k in "xyz") + 0.5 * inertia * sum(r[f"die.w{k}"] ** 2 for k in "xyz") + m * 9.81 * r["die.z"]
        for r in rows
    ]
    # In free fall the scheme loses m (g h)^2 / 2 a step, and contact only takes.
    hold("die, energy gained in a step", max(b - a for a, b in zip(total, total[1:])) / total[0], 1e-12)
    hold("  in the table", max(-min(r["table-die.gap"] for r in rows), 0) / 0.008, 1e-9)
    hold("  off its face at the end", abs(rows[-1]["die.z"] - 0.008) / 0.008, 1e-9)
    hold("  still turning", max(abs(rows[-1][f"die.w{k}"]) for k in "xyz"), 1e-9)
    hold("  its weight carried", abs(rows[-1]["table-die.fn"] - m * 9.81) / (m * 9.81), 1e-9)


for test in (spinning_sphere, spinning_sphere_with_other_numbers, two_spheres, ellipsoid, disc, die):
    test()
sys.exit(bool(failures))
