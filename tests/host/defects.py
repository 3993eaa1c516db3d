#!/usr/bin/env python3
"""defects.py TACTUS DEFECTS: scenes that went wrong once (tests/data/defects) and do no more.

Expected values are closed forms of the scenes' own numbers. Free bodies are in test_free_motion.cpp.
"""

import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

tactus, defects = sys.argv[1], Path(sys.argv[2])
GRAVITY = 9.81
failures = []


def run(name):
    """Exit status, what it says, and the rows."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'out.csv'
        precision = 'float' if name.endswith('_float') else 'double'
        done = subprocess.run([tactus, 'run', defects / f'{name}.json', '--csv', out, '--precision', precision],
                              capture_output=True, text=True, check=False)
        with open(out, newline='') as file:
            rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
        return done.returncode, done.stdout + done.stderr, rows


def hold(what, good):
    print(f'{what}: {"as it has to be" if good else "FAILED"}')
    if not good:
        failures.append(what)


def near(x, expected, tolerance):
    return abs(x - expected) <= tolerance  # NaN is not


SOLVED, FAILED = 0, 2

# A box 1e154 m high: a step fails, and the box is where it was.
code, said, rows = run('nan_box')
start = {'box.x': 0, 'box.y': 0, 'box.z': 0.05, 'box.qw': 1, 'box.vx': 0, 'box.vy': 0, 'box.vz': 0}
hold('nan_box fails', code == 1 and all(row['status'] == FAILED for row in rows))
hold('nan_box stays', all(row[key] == value for row in rows for key, value in start.items()))

# A ball of 1 kg between walls that are 0.1 mm too near: a jam, and no force is more than what carries it by
# friction, m g / (2 mu). It hangs there or falls by v = g t, x = g h^2 n (n + 1) / 2.
for name in ('jam_exact', 'jam_relaxed'):
    code, said, rows = run(name)
    hold(f'{name} is said', code == 1 and 'jammed' in said and all(row['status'] != SOLVED for row in rows) and len(rows) == 20)
    most = GRAVITY / (2 * 0.3) * (1 + 1e-6)
    hold(f'{name} by its weight', all(0 <= row[f'{wall}-ball.fn'] <= most for row in rows for wall in ('left', 'right')))
    hangs = all(near(row['ball.vz'], 0, 1e-9) for row in rows)
    falls = all(near(row['ball.vz'], -GRAVITY * row['t'], 1e-9) and
                near(row['ball.z'], -GRAVITY * row['t'] * (row['t'] + 1e-3) / 2, 1e-9) for row in rows)
    hold(f'{name} hangs or falls', hangs or falls)

# 10 t on 10 g: at rest, solved or not.
code, said, rows = run('stack_1e6_float')
heights = {'b0.y': 0.05, 'b1.y': 0.15, 'b2.y': 0.25}
hold('stack_1e6_float rests', all(near(row[key], y, 1e-6) for row in rows for key, y in heights.items()))
hold('stack_1e6_float is still', all(near(row[f'{b}.v{axis}'], 0, 1e-6)
                                     for row in rows for b in ('b0', 'b1', 'b2') for axis in 'xy'))
hold('stack_1e6_float says so', (code == 0) == all(row['status'] == SOLVED for row in rows))

# Restitution 1 and no friction: a ball of 2 m/s strikes three in a row, and the last goes on with all of it.
for name in ('balls_touching', 'balls_near'):
    code, said, rows = run(name)
    speeds = [value for key, value in rows[-1].items() if key.endswith('.vx')]
    hold(f'{name} is solved', code == 0 and all(row['status'] == SOLVED for row in rows))
    hold(f'{name} hands all on', all(near(v, 0, 1e-9) for v in speeds[:-1]) and near(speeds[-1], 2, 1e-9))

# A square falls on a corner and goes on turning: no impact loses energy; the time of one is good to a step.
code, said, rows = run('tilted_drop')
box = json.loads((defects / 'tilted_drop.json').read_text())['bodies'][1]
def energy(y, vx, vy, w):
    return box['mass'] * (GRAVITY * y + (vx * vx + vy * vy) / 2) + box['inertia'] * w * w / 2
start, end = energy(box['pose'][1], 0, 0, 0), energy(*(rows[-1][f'{box["name"]}.{key}'] for key in ('y', 'vx', 'vy', 'w')))
hold('tilted_drop is solved', code == 0 and all(row['status'] == SOLVED for row in rows))
hold('tilted_drop loses nothing', near(end, start, 5e-3 * start))

# A cube is thrown: solved throughout; in the end it slides on a face, carried by m g and braked by mu m g
# against its velocity.
code, said, rows = run('throw_restitution_float')
hold('throw_restitution_float is solved', code == 0 and len(rows) == 600 and all(row['status'] == SOLVED for row in rows))
end = rows[-1]
mass, mu = 0.4, 0.2
weight, speed = mass * GRAVITY, math.hypot(end['cube.vx'], end['cube.vy'])
hold('throw_restitution_float lies', near(end['cube.z'], 0.05, 1e-5) and near(end['cube.vz'], 0, 1e-5))
hold('throw_restitution_float is carried', near(end['ground-cube.fn'], weight, 1e-3 * weight))
# It no longer turns, so all of friction is along the slip.
drag = math.hypot(end['ground-cube.ft'], end['ground-cube.fo'])
hold('throw_restitution_float is braked', near(drag, mu * weight, 1e-2 * mu * weight) and speed > 0)
# From then on v falls by mu g a second.
before = rows[-51]
lost = math.hypot(before['cube.vx'], before['cube.vy']) - speed
hold('throw_restitution_float slows down', near(lost, mu * GRAVITY * 50 * 7e-4, 0.02 * lost))
start = mass * (0.58**2 + 0.75**2 + 1) / 2 + 0.00066667 * (1 + 4 + 1.8**2) / 2 + mass * GRAVITY * 0.1
highest = max(mass * (sum(row[f'cube.v{a}']**2 for a in 'xyz') / 2 + GRAVITY * row['cube.z']) +
              0.00066667 * sum(row[f'cube.w{a}']**2 for a in 'xyz') / 2 for row in rows)
hold('throw_restitution_float gains nothing', highest <= start * (1 + 1e-4))

sys.exit(1 if failures else 0)
