#!/usr/bin/env python3
"""mutations.py TREE BUILD: thresholds that are widened tenfold fall a test.

Each of these is changed in a copy of core, and the one unit test that must fail is compiled against the copy
and run; against the tree as it is each of these tests passes. BUILD is a build folder of the tree, for its
compile_commands.json.
"""
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

CORE = 'core/include/tactus/'
CONTACT, STEPPER = CORE + 'contact/', CORE + 'stepper/'
THRESHOLDS, STEP = 'tests/unit/contact/test_thresholds.cpp', 'tests/unit/stepper/test_step.cpp'
ANSWERS = 'tests/cases/step_answers.cpp'

# The test, the file, what stands there, and what is put in its place.
MUTATIONS = [
    (THRESHOLDS, CONTACT + 'acceleration.hpp',
     'kSolved = sizeof(Scalar) == 8 ? Scalar(1e-9)', 'kSolved = sizeof(Scalar) == 8 ? Scalar(1e-8)'),
    (THRESHOLDS, CONTACT + 'acceleration.hpp', 'Scalar(1e-9) : Scalar(1e-4)', 'Scalar(1e-9) : Scalar(1e-3)'),
    (THRESHOLDS, CONTACT + 'acceleration.hpp', 'sizeof(Scalar) == 8 ? 1000 :', 'sizeof(Scalar) == 8 ? 10000 :'),
    (THRESHOLDS, CONTACT + 'acceleration.hpp', '1000 : 100;', '1000 : 1000;'),
    (THRESHOLDS, CONTACT + 'acceleration_relaxed.hpp', 'Scalar(1e-8) : Scalar(3e-5)', 'Scalar(1e-7) : Scalar(3e-5)'),
    (THRESHOLDS, CONTACT + 'acceleration_relaxed.hpp', 'Scalar(1e-8) : Scalar(3e-5)', 'Scalar(1e-8) : Scalar(3e-4)'),
    (THRESHOLDS, CONTACT + 'cone.hpp', 'Scalar(1e-10) : Scalar(1e-5)', 'Scalar(1e-9) : Scalar(1e-5)'),
    (THRESHOLDS, CONTACT + 'cone.hpp', 'Scalar(1e-10) : Scalar(1e-5)', 'Scalar(1e-10) : Scalar(1e-4)'),
    (THRESHOLDS, CONTACT + 'fixture_problem.hpp', 'kRest = 1e-10', 'kRest = 1e-9'),
    (THRESHOLDS, CONTACT + 'fixture_hold.hpp', 'kCone = 1e-10', 'kCone = 1e-9'),
    (THRESHOLDS, CONTACT + 'fixture_margins.hpp', 'kNear = 1e-7', 'kNear = 1e-6'),
    (ANSWERS, STEPPER + 'ambiguity.hpp', 'kClosedGap = Scalar(1e-6)', 'kClosedGap = Scalar(1e-5)'),
    (ANSWERS, STEPPER + 'ambiguity.hpp', 'kClosedSpeed = Scalar(1e-3)', 'kClosedSpeed = Scalar(1e-2)'),
    (STEP, STEPPER + 'account.hpp', 'delta[r] -= m.h * rate[r]', 'delta[r] -= 10 * m.h * rate[r]'),
]


def commands(tree, build):
    """The compiler's words for each test, and the Unity library's own source."""
    entries = json.loads((build / 'compile_commands.json').read_text())
    words = {entry['file']: shlex.split(entry['command']) for entry in entries}
    unity = [next(file for file in words if file.endswith('/unity.c'))]
    return words, unity


def object_of(words, sources, folder):
    out = []
    for source in sources:
        out.append(str(folder / (pathlib.Path(source).stem + '.o')))
        options = [w for w in words[source] if w.startswith(('-D', '-I', '-isystem'))]
        places = [words[source][i + 1] for i, w in enumerate(words[source]) if w == '-isystem']
        options = [w for w in options if w != '-isystem'] + [x for p in places for x in ('-isystem', p)]
        subprocess.run(['cc', '-O1', *options, '-c', source, '-o', out[-1]], check=True)
    return out


def passes(tree, copy, words, unity, test, program):
    """Compiles a test against the copy's core and runs it."""
    options = []
    of = words[str(tree / test)]
    for i, word in enumerate(of):
        if word.startswith(('-D', '-std')):
            options.append(word)
        elif word.startswith('-I'):
            options.append(word.replace(str(tree / 'core'), str(copy / 'core')))
        elif word == '-isystem':
            options += of[i:i + 2]
    subprocess.run(['c++', '-O1', '-ffp-contract=off', *options, str(tree / test), *unity, '-o', str(program)],
                   check=True)
    return subprocess.run([program], stdout=subprocess.DEVNULL).returncode == 0


def main():
    tree, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    words, unity = commands(tree, build)
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        shutil.copytree(tree / 'core', copy / 'core')
        unity = object_of(words, unity, copy)
        for test in (THRESHOLDS, STEP, ANSWERS):
            if not passes(tree, copy, words, unity, test, copy / 'whole'):
                sys.exit(f'{test} fails as it is.')
        for test, name, what, instead in MUTATIONS:
            text = (copy / name).read_text()
            if text.count(what) != 1:
                sys.exit(f'{name} does not have, once: {what!r}. Say in mutations.py what stands there now.')
            (copy / name).write_text(text.replace(what, instead))
            fell = not passes(tree, copy, words, unity, test, copy / 'mutant')
            (copy / name).write_text(text)
            print(f'{name}: {instead}: {"falls" if fell else "SURVIVES"} {test}', flush=True)
            survivors += [] if fell else [name]
    if survivors:
        sys.exit(f'{len(survivors)} thresholds can be widened tenfold and no test falls.')


main()
