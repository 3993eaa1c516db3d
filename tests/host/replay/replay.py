#!/usr/bin/env python3
"""replay.py TACTUS CASES [NAME...]: the reference cases of tests/data said as scenes and as problems of one instant, run by
the command, and its output held against the files' numbers, at their tolerances. Nothing here is computed by tactus but what
the command prints.

Each function of ellipse.py, planar.py, spatial.py and instants.py whose name begins with `case_` is one; NAME picks those that
contain it. A line for each: numbers compared, and the largest error as a share of what is allowed.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile


class Case:
    """What is compared, and how far it is off: a share of the tolerance, above 1 is wrong."""

    def __init__(self, name):
        self.name, self.rows, self.worst, self.what = name, 0, 0.0, ''

    def see(self, what, got, want, tolerance):
        """Numbers, or lists of them, of any depth."""
        if isinstance(want, (list, tuple)):
            assert len(got) == len(want), f'{self.name}: {what}: {len(got)} numbers, not {len(want)}'
            for g, w in zip(got, want):
                self.see(what, g, w, tolerance)
            return
        self.rows += 1
        share = abs(got - want) / tolerance
        if not share <= self.worst:  # NaN stays
            self.worst, self.what = share, what

    def same(self, what, got, want):
        self.rows += 1
        assert got == want, f'{self.name}: {what}: {got}, not {want}'


class Motion:
    """The columns of a CSV, and the times of its rows."""

    def __init__(self, file, step):
        with open(file, newline='') as text:
            lines = csv.reader(text)
            heads = next(lines)
            columns = list(zip(*([float(x) if x else float('nan') for x in line] for line in lines)))
        self.column = dict(zip(heads, columns))
        self.t, self.step = self.column['t'], step

    def __getitem__(self, name):
        return self.column[name]

    def index(self, t):
        """Of the row that ends at t."""
        k = round(t / self.step) - 1
        assert abs(self.t[k] - t) < self.step / 2, f'no row ends at {t}'
        return k

    def of(self, owner, names, k):
        return [self.column[f'{owner}.{name}'][k] for name in names.split()]


class Tactus:
    def __init__(self, command, cases, folder):
        self.command, self.cases, self.folder = command, pathlib.Path(cases), pathlib.Path(folder)

    def load(self, name):
        return json.loads((self.cases / name).read_text())

    def _call(self, status, *arguments):
        done = subprocess.run([self.command, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == status, f'{arguments} ends with {done.returncode}: {done.stderr or done.stdout}'
        return done.stdout

    def run(self, scene, *options, status=0):
        file, out = self.folder / 'scene.json', self.folder / 'out.csv'
        file.write_text(json.dumps(scene))
        self._call(status, 'run', file, '--csv', out, *options)
        return Motion(out, scene['time']['step'])

    def accel(self, problem, *options, status=0):
        file = self.folder / 'problem.json'
        file.write_text(json.dumps(problem))
        return json.loads(self._call(status, 'accel', file, *options))

    def lcp(self, problems, *options):
        file = self.folder / 'lcp.json'
        file.write_text(json.dumps(problems))
        return [json.loads(line) for line in self._call(0, 'lcp', file, *options).splitlines()]


def scene(plane, gravity, step, end, bodies, contacts, method='rigid', **more):
    return {'tactus': 1, 'name': 'replay', 'plane': plane, 'gravity': gravity, 'time': {'step': step, 'end': end},
            'method': method, 'bodies': bodies, 'contacts': contacts, **more}


def floor(plane):
    return {'name': 'floor', 'shape': {'halfspace': {'normal': [0, 1] if plane else [0, 0, 1], 'offset': 0}}}


def touch(a, b, mu, **more):
    return {'between': [a, b], 'mu': mu, **more}


def main():
    import ellipse
    import ellipse_truth
    import instants
    import planar
    import spatial
    command, cases, *names = sys.argv[1:]
    failed = total = count = 0
    for module in (ellipse, ellipse_truth, planar, spatial, instants):
        for name, run in list(vars(module).items()):
            if not name.startswith('case_') or (names and not any(n in name for n in names)):
                continue
            case = Case(name[5:])
            with tempfile.TemporaryDirectory() as folder:
                try:
                    run(Tactus(command, cases, folder), case)
                    good, note = case.rows > 0 and case.worst <= 1, f'worst {case.worst:.2g} of its tolerance: {case.what}'
                except AssertionError as error:
                    good, note = False, str(error)
            print(f'{"ok    " if good else "FAILED"} {case.name}: {case.rows} numbers, {note}', flush=True)
            failed, total, count = failed + (not good), total + case.rows, count + 1
    print(f'{count} cases, {total} numbers, {failed} failed')
    return failed > 0 or count == 0


if __name__ == '__main__':
    sys.exit(main())
