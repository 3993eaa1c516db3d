#!/usr/bin/env python3
"""elements.py TACTUS SCENES: the columns of single elements and of joints: they sum to the pair's, and are statics in closed form."""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

tactus = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp())
failures = []
G = 9.81


def run(made, *options):
    file, out = folder / 'scene.json', folder / 'out.csv'
    file.write_text(json.dumps(made))
    done = subprocess.run([tactus, 'run', file, '--csv', out, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    with open(out, newline='') as text:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(text)]


def near(what, got, want, tolerance=1e-9):
    good = len(got) == len(want) and all(abs(g - w) <= tolerance for g, w in zip(got, want))
    print(f'{what}: {"as it has to be" if good else f"FAILED {got} {want}"}')
    if not good:
        failures.append(what)


def scene(plane, bodies, contacts=(), step=1e-3, end=0.05, **more):
    floor = {'name': 'floor', 'shape': {'halfspace': {'normal': [0, 1] if plane else [0, 0, 1], 'offset': 0}}}
    return {'tactus': 1, 'name': 's', 'plane': plane, 'gravity': [0, -G] if plane else [0, 0, -G],
            'time': {'step': step, 'end': end}, 'method': 'rigid', 'bodies': [floor, *bodies], 'contacts': list(contacts), **more}


# A box of 2 kg on its corners, pushed by 3 N: its pair's forces are the sum of its eight corners', all of it statics. Beside it a ball
# on a patch of 3 x 3: the deformations are those of its weight, F = k d for the lumped one below.
box = {'name': 'box', 'mass': 2, 'inertia': [0.01, 0.01, 0.01], 'shape': {'box': [0.1, 0.1, 0.05]}, 'pose': [0, 0, 0.05, 1, 0, 0, 0],
       'force': [3, 0, 0, 0, 0, 0]}
ball = {'name': 'ball', 'mass': 1, 'inertia': [0.004] * 3, 'shape': {'sphere': 0.1}, 'pose': [1, 0, 0.1, 1, 0, 0, 0]}
patch = {'elements': [3, 3], 'spacing': 1e-4, 'compliance': 1e-9, 'poisson': 0.3}
mixed = scene(False, [box, ball], [{'between': ['floor', 'box'], 'mu': 0.5},
                                   {'between': ['floor', 'ball'], 'mu': 0.5, 'law': 'compliant', 'patch': patch}], end=1.0)
rows = run(mixed, '--elements')
last = rows[-1]
near('a pair is the sum of its points',
     [sum(last[f'floor-box.{i}.{f}'] for i in range(8)) for f in ('fn', 'ft', 'fo')], [2 * G, -3, 0])
near('and of its elements', [sum(last[f'floor-ball.{i}.fn'] for i in range(9))], [last['floor-ball.fn']])
near('which carry the ball', [last['floor-ball.fn']], [G], 1e-6)
near('rigid points do not give way', [last[f'floor-box.{i}.{d}'] for i in range(8) for d in ('dn', 'dt', 'do')], [0] * 24, 0)
deep = 0.1 - last['ball.z']
sag = 1e-8 / (2 * 0.1)  # the outer elements of a sphere hang higher, by r^2 / (2 R) along each axis
near('elements are as deep as the ball', [last[f'floor-ball.{i}.dn'] for i in (4, 1)], [deep, deep - sag], 1e-9)
near('columns come last', [list(rows[0]).index('residual') + 1], [list(rows[0]).index('floor-box.0.fn')], 0)
near('and only where they are asked for', [len(run(mixed)[0])], [list(rows[0]).index('floor-box.0.fn')], 0)

# The scene of the tree that has both laws, at rest: statics.
last = run(json.loads((pathlib.Path(sys.argv[2]) / 'cushion.json').read_text()), '--elements')[-1]
carried = sorted(i for i in range(8) if last[f'floor-box.{i}.fn'] > 0)
near('four springs', [last[f'floor-box.{i}.{k}'] for k in ('fn', 'dn') for i in carried], [3 * G / 4] * 4 + [3 * G / 4e4] * 4, 1e-8)
near('a rigid ball on them', [last['box-ball.0.fn'], last['box-ball.0.dn'], last['box-ball.gap']], [G, 0, 0], 1e-8)

# Joints. A bar of 2 kg held at one end: the weld carries m g and m g l / 2 about the anchor.
bar = {'name': 'bar', 'mass': 2, 'inertia': 0.1, 'shape': {'rod': 1.0}, 'pose': [0.5, 3, 0]}
last = run(scene(True, [bar], joints=[{'type': 'fixed', 'between': ['floor', 'bar'], 'at': [0, 3]}]))[-1]
near('a weld in the plane', [last[f'floor-bar.{f}'] for f in ('fx', 'fy', 'mz')], [0, 2 * G, 2 * G / 2])
bar = {'name': 'bar', 'mass': 2, 'inertia': [0.1, 0.2, 0.3], 'shape': {'capsule': {'radius': 0.05, 'half_length': 0.2}},
       'pose': [0.5, 0.2, 3, 1, 0, 0, 0], 'force': [1, 2, 3, 0.1, 0.2, 0.3]}
for order, sign in ((('floor', 'bar'), 1), (('bar', 'floor'), -1)):
    last = run(scene(False, [bar], joints=[{'name': 'weld', 'type': 'fixed', 'between': order, 'at': [0, 0, 3]}]))[-1]
    # On the bar -(f + m g), and about the anchor -(torque + r x (f + m g)), r = (0.5, 0.2, 0).
    f = [1, 2, 3 - 2 * G]
    m = [0.1 + 0.2 * f[2], 0.2 - 0.5 * f[2], 0.3 + 0.5 * f[1] - 0.2 * f[0]]
    near(f'a weld in space, {order}', [last[f'weld.{k}'] for k in ('fx', 'fy', 'fz', 'mx', 'my', 'mz')], [-sign * x for x in f + m], 1e-8)

# A conical pendulum turns steadily: tension m (g^2 + w^4 r^2)^(1/2) along the string, no moment about the anchor.
length, angle = 1.0, 0.6
w2 = G / (length * math.cos(angle))
r, w = length * math.sin(angle), math.sqrt(w2)
bob = {'name': 'bob', 'mass': 2, 'inertia': [0.01] * 3, 'shape': {'sphere': 0.01}, 'pose': [r, 0, 3 - length * math.cos(angle), 1, 0, 0, 0],
       'velocity': [0, w * r, 0, 0, 0, w]}
last = run(scene(False, [bob], step=1e-4, joints=[{'type': 'spherical', 'between': ['floor', 'bob'], 'at': [0, 0, 3]}]))[-1]
force, moment = ([last[f'floor-bob.{k}'] for k in axes] for axes in (('fx', 'fy', 'fz'), ('mx', 'my', 'mz')))
near('a conical pendulum pulls', [math.hypot(*force), force[2]], [2 * math.hypot(G, w2 * r), 2 * G], 2e-2)
near('and has no moment', moment, [0, 0, 0], 1e-9)

# Two joints in two islands: both are told, whichever was solved last.
bars = [{'name': n, 'mass': m, 'inertia': 0.1, 'shape': {'rod': 1.0}, 'pose': [x, 3, 0]} for n, m, x in (('a', 1, 0.5), ('b', 3, 5.5))]
last = run(scene(True, bars, joints=[{'type': 'fixed', 'between': ['floor', n], 'at': [x, 3]} for n, x in (('a', 0), ('b', 5))]))[-1]
near('two islands', [last['floor-a.fy'], last['floor-b.fy'], last['floor-b.mz']], [G, 3 * G, 3 * G / 2])
print(f'{len(failures)} failed')
sys.exit(len(failures) > 0)
