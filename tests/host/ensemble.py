#!/usr/bin/env python3
"""ensemble.py TACTUS SCENES DEFECTS: `tactus run --ensemble`: the spread of a throw and of a slide in closed form, how often a
block on a slope lets go, what a seed fixes, members one by one, members that fail, and what is refused.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

tactus, scenes, defects = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
folder = pathlib.Path(tempfile.mkdtemp())
failures = []
G = 9.81


def call(made, *options):
    if isinstance(made, dict):
        file = folder / 'scene.json'
        file.write_text(json.dumps(made))
    else:
        file = made
    return subprocess.run([tactus, 'run', file, *map(str, options)], capture_output=True, text=True, check=False)


def ensemble(made, members, *options, status=0):
    done = call(made, '--ensemble', members, *options)
    assert done.returncode == status, f'{done.returncode}: {done.stderr}{done.stdout}'
    assert 'nan' not in done.stdout.splitlines()[-1].lower() and 'inf' not in done.stdout.splitlines()[-1]
    return json.loads(done.stdout.splitlines()[-1])


def hold(what, good, why=''):
    print(f'{what}: {"as it has to be" if good else f"FAILED {why}"}', flush=True)
    if not good:
        failures.append(what)


def near(what, got, want, tolerance):
    hold(what, abs(got - want) <= tolerance, f'({got:.6g}, {want:.6g} +- {tolerance:.2g})')


def scene(plane, gravity, step, end, bodies, contacts=(), **more):
    return {'tactus': 1, 'name': 'e', 'plane': plane, 'gravity': gravity, 'time': {'step': step, 'end': end}, 'method': 'rigid',
            'bodies': list(bodies), 'contacts': list(contacts), **more}


FLOOR = {'name': 'floor', 'shape': {'halfspace': {'normal': [0, 1], 'offset': 0}}}


def throw(plane):
    if plane:
        body = {'name': 'b', 'mass': 2, 'inertia': 0.1, 'shape': {'disc': 0.1}, 'pose': [0, 5, 0], 'velocity': [3, 4, 1]}
        return scene(True, [0, -G], 0.01, 1.0, [body])
    body = {'name': 'b', 'mass': 2, 'inertia': [0.1, 0.1, 0.1], 'shape': {'sphere': 0.1}, 'pose': [0, 0, 5, 1, 0, 0, 0],
            'velocity': [3, 1, 4, 0, 0, 0]}
    return scene(False, [0, 0, -G], 0.01, 1.0, [body])


def throws():
    """x(T) = x + T v, each of both uniform: variance (p^2 + T^2 w^2) / 3. The sample's own deviation is off by less than
    1 / sqrt(2 n) of it, four times that is allowed; no member is beyond p + T w."""
    n, p, w, T = 2000, 0.02, 0.05, 1.0
    sd = math.sqrt((p * p + T * T * w * w) / 3)
    for plane in (True, False):
        for precision in ('double', 'float'):
            got = ensemble(throw(plane), n, '--seed', 11, '--off', f'position={p}', '--off', f'velocity={w}', '--off', 'mass=0.3',
                           '--precision', precision)['end']
            for axis, x0, v0, g in (('x', 0, 3, 0), ('y' if plane else 'z', 5, 4, G)):
                # Steps of h move with the speed at their end: g T (T + h) / 2.
                at, s = x0 + v0 * T - g * T * (T + 0.01) / 2, got[f'b.{axis}']
                near(f'throw, {precision}, mean of {axis}', s['mean'], at, 4 * sd / math.sqrt(n))
                near(f'throw, {precision}, deviation of {axis}', s['sd'], sd, 4 * sd / math.sqrt(2 * n))
                hold('no member beyond', at - p - w * T - 1e-5 <= s['min'] and s['max'] <= at + p + w * T + 1e-5)


def slides():
    """A block thrown at v stops after v^2 / (2 mu g), mu within 20 %: between the ends, and both nearly met."""
    v, mu, share = 2.0, 0.5, 0.2
    block = {'name': 'b', 'mass': 1, 'inertia': 0.01, 'shape': {'box': [0.2, 0.05]}, 'pose': [0, 0.05, 0], 'velocity': [v, 0, 0]}
    made = scene(True, [0, -G], 1e-3, 0.6, [FLOOR, block], [{'between': ['floor', 'b'], 'mu': mu}])
    s = ensemble(made, 200, '--off', f'friction={share}')['end']['b.x']
    short, far = (v * v / (2 * mu * f * G) for f in (1 + share, 1 - share))
    slack = v * 1e-3
    hold('a block stops between', short - slack <= s['min'] and s['max'] <= far + slack, str((s, short, far)))
    hold('from end to end', s['max'] - s['min'] > 0.9 * (far - short))


def lets_go():
    """On a slope of tan = mu with mu within 10 % half of the members slide: a binomial of n, four deviations."""
    n, mu = 400, 0.4
    g = G / math.hypot(1, mu)
    block = {'name': 'b', 'mass': 1, 'inertia': 0.01, 'shape': {'box': [0.2, 0.05]}, 'pose': [0, 0.05, 0]}
    made = scene(True, [g * mu, -g], 1e-3, 0.02, [FLOOR, block], [{'between': ['floor', 'b'], 'mu': mu}])
    got = ensemble(made, n, '--off', 'friction=0.1')
    seen = {json.dumps(o['changes']): o['members'] for o in got['outcomes']}
    hold('two outcomes', set(seen) == {'[["floor-b", "stick"]]', '[["floor-b", "slip"]]'}, str(seen))
    hold('all members', sum(seen.values()) == got['certified'] == n and got['failed'] == 0)
    hold('the most frequent first', [o['members'] for o in got['outcomes']] == sorted(seen.values(), reverse=True))
    near('half of them slide', seen['[["floor-b", "slip"]]'], n / 2, 4 * math.sqrt(n) / 2)


def seeds_and_members():
    made = throw(True)
    once, again = call(made, '--ensemble', 7, '--seed', 3).stdout, call(made, '--ensemble', 7, '--seed', 3).stdout
    hold('the same seed, the same text', once == again and once)
    hold('another seed, another', once != call(made, '--ensemble', 7, '--seed', 4).stdout)
    one, two = (ensemble(made, k)['end']['b.x'] for k in (1, 2))
    hold('one member: itself', one['sd'] == 0 and one['min'] == one['max'] == one['mean'])
    hold('member 0 is that of any number', one['mean'] in (two['min'], two['max']))
    for name in ('push', 'ellipse_rigid', 'chain', 'thrown_box', 'sphere_slide'):
        file = scenes / f'{name}.json'
        short = json.loads(file.read_text())
        short['time']['end'] = 50 * short['time']['step']
        for arm in short.get('arms', []):
            arm['urdf'] = str((scenes / arm['urdf']).resolve())
        out = folder / 'plain.csv'
        done = call(short, '--csv', out)
        with open(out, newline='') as text:
            last = list(csv.DictReader(text))[-1]
        end = ensemble(short, 2, '--off', 'mass=0', status=done.returncode)['end']
        hold(f'{name}, off by nothing: the scene itself',
             all(s['sd'] == 0 and s['mean'] == float(last[key]) for key, s in end.items()) and len(end) == len(last) - 1)


def table():
    made, out = throw(False), folder / 'out.csv'
    ensemble(made, 50, '--seed', 2, '--off', 'velocity=0.1', '--csv', out, '--every', 20)
    with open(out, newline='') as text:
        rows = list(csv.DictReader(text))
    hold('a row each written step', [float(r['t']) for r in rows] == [0.2, 0.4, 0.6, 0.8, 1.0])
    end = ensemble(made, 50, '--seed', 2, '--off', 'velocity=0.1')['end']['b.x']
    last = {tail: float(rows[-1][f'b.x.{tail}']) for tail in ('mean', 'sd', 'min', 'max')}
    hold('the last is the end', last == end, str((last, end)))
    half = float(rows[1]['b.x.sd']) / float(rows[3]['b.x.sd'])
    near('twice as far, twice as wide', half, 0.5, 1e-9)


def failing():
    got = ensemble(defects / 'jam_exact.json', 3, '--off', 'velocity=0', status=1)
    hold('members that fail are counted', got['failed'] == 3 and got['certified'] == 0 and got['first_failed'] == 0)
    hold('and are in no figure', got['outcomes'] == [] and all(x is None for x in got['end'].values()))


def refused():
    rows = [(2, 'ensemble: must be from 1', '--ensemble', 0), (2, 'ensemble: must be from 1', '--ensemble', '1.5'),
            (2, 'ensemble: must be from 1', '--ensemble', -1), (2, 'ensemble: must be from', '--ensemble', 'many'),
            (2, 'seed requires --ensemble', '--seed', 1), (2, 'seed: must be from 0', '--ensemble', 2, '--seed', -1),
            (2, 'off requires --ensemble', '--off', 'mass=0.1'), (2, 'WHAT=AMOUNT', '--ensemble', 2, '--off', 'mass'),
            (2, 'one of mass, friction', '--ensemble', 2, '--off', 'colour=1'),
            (2, 'below 1', '--ensemble', 2, '--off', 'mass=1'), (2, 'not negative', '--ensemble', 2, '--off', 'angle=-1'),
            (2, 'finite', '--ensemble', 2, '--off', 'angle=nan'), (2, 'finite', '--ensemble', 2, '--off', 'angle=inf'),
            (2, 'finite', '--ensemble', 2, '--off', 'angle='), (2, 'finite', '--ensemble', 2, '--off', 'angle=1x'),
            (2, 'excludes', '--ensemble', 2, '--report', folder / 'never.html'),
            (2, 'excludes', '--ensemble', 2, '--mcap', folder / 'never.mcap')]
    for status, words, *options in rows:
        done = call(throw(True), *options)
        hold(f'{options} is refused', done.returncode == status and words in done.stderr and done.stderr.count('\n') == 1 and
             not done.stdout, done.stderr)
    long = throw(True)
    long['time'] = {'step': 1e-6, 'end': 10}
    done = call(long, '--ensemble', 2, '--csv', folder / 'never.csv')
    hold('a table too large', done.returncode == 3 and 'capacity of 8000000' in done.stderr, done.stderr)
    hold('leaves no file', not list(folder.glob('never*')))


for test in (throws, slides, lets_go, seeds_and_members, table, failing, refused):
    try:
        test()
    except AssertionError as error:
        hold(test.__name__, False, str(error))
print(f'{len(failures)} failed')
sys.exit(len(failures) > 0)
