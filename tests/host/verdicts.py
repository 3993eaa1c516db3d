#!/usr/bin/env python3
"""verdicts.py TACTUS: what `tactus run` says of each step of a scene with "uniqueness": rods after Painleve in the
plane, and in space as a bar that stands on an edge's corner, against their four modes in closed form (Stewart
2000, 1.3): how many motions, an impulse that nothing strikes, whether friction can push the foot in (Erdmann).
And random instants by `tactus accel`, with friction of 1e8 and 1e300, loads, mobilities and contacts of sizes
that differ by 1e60, opposite and redundant contacts: no verdict contradicts another, and what no digits can
tell is refused at the door.
"""
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

tactus = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp())
MASS, LENGTH, G, STEP = 0.6, 1.0, 9.81, 1e-4
INERTIA = MASS * LENGTH ** 2 / 12


class Rod:
    """Its foot at (x, y) from the centre slides along x; it does not move up or down."""

    def __init__(self):
        self.mu = random.choice([0.3, 0.8, 1.5, 2, 2.5, 6])
        self.angle = math.radians(random.uniform(25, 78))
        self.slide = random.choice([-3, -0.7, 0.9, 2])
        self.spin = random.uniform(-6, 6)
        self.load = random.choice([0, 0.5, 1.3, 2, -1]) * MASS * G
        self.x, self.y = -LENGTH / 2 * math.cos(self.angle), -LENGTH / 2 * math.sin(self.angle)
        self.nn, self.nt, self.tt = (1 / MASS + self.x ** 2 / INERTIA, -self.x * self.y / INERTIA,
                                     1 / MASS + self.y ** 2 / INERTIA)
        self.rise = STEP * (self.load / MASS - G)
        self.centre = (self.slide + self.y * self.spin, -self.x * self.spin)

    def motions(self):
        b_n, b_t, det = self.rise, self.slide, self.nn * self.tt - self.nt ** 2
        p_n, p_t = (self.nt * b_t - self.tt * b_n) / det, (self.nt * b_n - self.nn * b_t) / det
        count = (b_n >= 0) + (p_n > 0 and abs(p_t) <= self.mu * p_n)
        for pull in (self.mu, -self.mu):
            p = -b_n / (self.nn + pull * self.nt)
            count += p > 0 and (b_t + p * (self.nt + pull * self.tt)) * pull < 0
        return count

    def can_jam(self):
        return self.nn - math.copysign(self.mu, self.slide) * self.nt <= 0

    def impulse(self, turns):
        """In space the instant says it, in which the foot has the acceleration of what turns, too."""
        rise = self.load / MASS - G - (self.spin ** 2 * self.y if turns else 0)
        return rise < 0 and self.can_jam()

    def plane(self):
        return {'tactus': 1, 'name': 'rod', 'plane': True, 'gravity': [0, -G], 'method': 'rigid',
                'bodies': [{'name': 'floor', 'shape': {'halfspace': {'normal': [0, 1], 'offset': 0}}},
                           {'name': 'rod', 'mass': MASS, 'inertia': INERTIA, 'shape': {'rod': LENGTH},
                            'pose': [0, -self.y, self.angle], 'velocity': [*self.centre, self.spin],
                            'force': [0, self.load, 0]}]}

    def space(self):
        """A bar, square across and turned onto an edge, so that one corner of its end is lowest."""
        side = 0.01
        # Its end's lowest corner is the foot: half a length along the bar, half a diagonal across it.
        across = side * math.sqrt(2)
        half = math.sqrt(LENGTH ** 2 / 4 - across ** 2)
        lean = self.angle - math.atan2(across, half)
        turn = [math.cos(math.pi / 8), math.sin(math.pi / 8), 0, 0]  # about its own axis, 45 degrees
        up = [math.cos(lean / 2), 0, -math.sin(lean / 2), 0]         # the far end up, about -y
        w = up[0] * turn[0] - sum(a * b for a, b in zip(up[1:], turn[1:]))
        q = [w, *(up[0] * turn[1 + i] + turn[0] * up[1 + i] +
                  up[1 + (i + 1) % 3] * turn[1 + (i + 2) % 3] - up[1 + (i + 2) % 3] * turn[1 + (i + 1) % 3]
                  for i in range(3))]
        return {'tactus': 1, 'name': 'bar', 'plane': False, 'gravity': [0, 0, -G], 'method': 'rigid',
                'bodies': [{'name': 'floor', 'shape': {'halfspace': {'normal': [0, 0, 1], 'offset': 0}}},
                           {'name': 'rod', 'mass': MASS, 'inertia': [INERTIA] * 3, 'shape': {'box': [half, side, side]},
                            'pose': [0, 0, -self.y, *q],
                            'velocity': [self.centre[0], 0, self.centre[1], 0, -self.spin, 0],
                            'force': [0, 0, self.load, 0, 0, 0]}]}


def first_row(scene):
    file = folder / 'scene.json'
    scene['uniqueness'] = True
    file.write_text(json.dumps(scene))
    done = subprocess.run([tactus, 'run', file, '--csv', folder / 'run.csv'], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'{done.returncode}: {done.stderr}{done.stdout}\n{json.dumps(scene)}')
    return next(csv.DictReader((folder / 'run.csv').open())), done.stdout


def rods():
    counts = {'ambiguous': 0, 'impulse': 0, 'jams': 0}
    for k in range(160):
        rod = Rod()
        scene = rod.plane() if k % 2 == 0 else rod.space()
        scene['time'] = {'step': STEP, 'end': STEP}
        scene['contacts'] = [{'between': ['floor', 'rod'], 'mu': rod.mu}]
        row, out = first_row(scene)
        have = [float(row[key]) for key in ('ambiguous', 'impulse', 'floor-rod.can_jam')]
        want = [float(rod.motions() > 1), float(rod.impulse(k % 2 == 1)), float(rod.can_jam())]
        if have != want:
            sys.exit(f'ambiguous, impulse, can_jam are {have}, not {want}: {rod.__dict__}\n{json.dumps(scene)}')
        if float(row['guaranteed']) != 1:
            sys.exit(f'a foot on a floor always has an impulse: {row}\n{json.dumps(scene)}')
        if ('floor-rod can jam at the start of 1 steps' in out) != rod.can_jam():
            sys.exit(out)
        for key, value in zip(counts, want):
            counts[key] += int(value)
    print(f'160 rods and bars: {counts}')
    if min(counts.values()) < 12:
        sys.exit('too few of a kind')


def extreme():
    plane = random.random() < .6
    dim, contacts = (2, random.randint(1, 4)) if plane else (3, random.randint(1, 2))
    rows, free = dim * contacts, 3 if plane else 6
    G = [[random.choice([0, random.uniform(-2, 2)]) for _ in range(free)] for _ in range(rows)]
    if random.random() < .3 and contacts > 1:
        for k in range(dim):
            G[k * contacts + 1] = [-x for x in G[k * contacts]]
    sizes = [1] * 12 + [1e-300, 1e300, 1e-12, 1e12, 0, 5e-324, 1e150]
    scale, load = random.choice(sizes), random.choice(sizes)
    weight = [random.choice([1, 1, 1, 1e-6, 1e12, 1e30]) for _ in range(contacts)]
    problem = {
        'plane': plane, 'law': random.choice(['pyramid', 'cone']),
        'mu': [random.choice([0, .3, 1, 1e8, 1e-300, 1e300, random.uniform(0, 3)]) for _ in range(contacts)],
        'A': [[sum(x * y for x, y in zip(G[i], G[j])) * scale * weight[i % contacts] * weight[j % contacts]
               for j in range(rows)] for i in range(rows)],
        'b': [random.uniform(-5, 5) * load for _ in range(rows)]}
    if random.random() < .6:
        for key in ('v_t',) if plane else ('v_t', 'v_o'):
            problem[key] = [random.choice([0, random.uniform(-1, 1), 1e-300]) for _ in range(contacts)]
    return problem


def contradiction(answer):
    status, solutions, existence = answer['status'], answer['solutions'], answer['existence']
    known, whole = solutions['different'], solutions['all']
    return (status == 'none' and (existence['guaranteed'] or known > 0) or
            whole and (status == 'solved') == (known == 0) or
            existence['impossible'] and (status == 'solved' or known > 0) or
            existence['unique'] and whole and known != 1 or
            existence['guaranteed'] and whole and known == 0 or
            answer['ambiguous'] != (known > 1 or solutions.get('continuum', False)) or
            answer['impulse'] and status != 'none')


def instants():
    said = {}
    for k in range(400):
        file = folder / 'instant.json'
        file.write_text(json.dumps(extreme()))
        options = ['--precision', 'float'] if k % 5 == 0 else []
        done = subprocess.run([tactus, 'accel', file, *options], capture_output=True, text=True, timeout=60)
        if done.returncode not in (0, 1, 2):
            sys.exit(f'{done.returncode}: {done.stderr}{file.read_text()}')
        if done.returncode == 2:
            said['refused'] = said.get('refused', 0) + 1
            continue
        answer = json.loads(done.stdout)
        said[answer['status']] = said.get(answer['status'], 0) + 1
        if contradiction(answer) or 'nan' in done.stdout:
            sys.exit(f'{done.stdout}{file.read_text()}')
    print(f'400 instants of any size: {said}')
    if said.get('solved', 0) < 100 or said.get('none', 0) < 10:
        sys.exit('too few of a kind')


random.seed(8)
rods()
instants()
