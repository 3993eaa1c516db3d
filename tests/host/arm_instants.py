#!/usr/bin/env python3
"""arm_instants.py TACTUS SCENES: `tactus accel SCENE --at 0` of arms at rest whose joints rub or are at a stop.

The random instants are held against a step of 1 us of the same scene, which core solves by staircases of
joints and not as contacts: speeds over 1 us are the accelerations. Where the list of solutions has several,
the step is one of them or between them. Then closed forms of the gripper's lift.
"""
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

TACTUS, SCENES = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
STEP, CASES = 1e-6, 160
FRICTION = {'push': [.002] * 3, 'grasp': [.5, .01, .2, .2], 'arm': [.5, .5, .4, .4, .3, .2, .2]}


def read(name):
    scene = json.loads((SCENES / f'{name}.json').read_text())
    for arm in scene['arms']:
        arm['urdf'] = str(SCENES / arm['urdf'])
    scene['time'] = {'step': STEP, 'end': STEP}
    scene['recovery_speed'] = 1e-15  # a depth that is rounding is no acceleration
    torque = scene['arms'][0]['torque']['impedance']['torque']
    return scene, scene['arms'][0], torque if isinstance(torque, list) else torque['table'][0][1:]


def drawn(name):
    """A scene in which few things touch: a ball in place of the box, or the fingers alone at their stops."""
    scene, arm, torque = read('grasp' if name == 'stops' else name)
    friction = FRICTION['grasp' if name == 'stops' else name]
    arm['torque'] = [t + f * random.gauss(0, 1) * random.choice([.3, 3]) for t, f in zip(torque, friction)]
    for contact in scene['contacts']:
        contact['mu'] = random.choice([0, random.uniform(0, 1)])
    body = next(body for body in scene['bodies'] if 'mass' in body)
    weight = body['mass'] * 9.81
    if name != 'grasp':
        body['shape'] = {'sphere': .05 if name == 'arm' else .03}
    body['force'] = [weight * random.uniform(-1, 1) * random.choice([0, 1]) for _ in range(3)] + \
                    [weight * .03 * random.uniform(-1, 1) * random.choice([0, 1]) for _ in range(3)]
    if name == 'push':
        arm['base'][0] += 2e-8  # so that it presses
    if name == 'stops':
        body['pose'][2] = 5
        arm['q'][2:] = random.choice([[0, 0], [.045, 0]])
    return scene, arm


def run(folder, scene, *command):
    file = folder / 'scene.json'
    file.write_text(json.dumps(scene))
    done = subprocess.run([TACTUS, command[0], file, *command[1:]], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'{command}: {done.returncode} {done.stderr}{done.stdout}\n{json.dumps(scene)}')
    return done.stdout


def accelerations(answer, a_t):
    return [a_t[i] for i, c in enumerate(answer['contacts']) if 'joint' in c]


def compare(folder, name, tally):
    scene, arm = drawn(name)
    answer = json.loads(run(folder, scene, 'accel', '--at', '0'))
    run(folder, scene, 'run', '--csv', folder / 'step.csv')
    row = list(csv.DictReader((folder / 'step.csv').open()))[-1]
    step = [float(row[f'{arm["name"]}.qd{j}']) / STEP for j in range(len(arm['q']))]
    one = accelerations(answer, answer['a_t'])
    solutions = answer['solutions']
    every = [one] + [accelerations(answer, s['a_t']) for s in solutions.get('list', [])]
    for j, x in enumerate(step):
        slack = 1e-5 * max(10, *map(abs, step))
        if not min(e[j] for e in every) - slack <= x <= max(e[j] for e in every) + slack:
            sys.exit(f'{name}: joint {j} of the step {step}, of the instant {every}\n{json.dumps(scene)}')
    if len(answer['contacts']) - len(step) != sum(1 for c in answer['contacts'] if 'joint' not in c):
        sys.exit(f'{name}: joints at rest are missing: {answer["contacts"]}')
    tally['instants'] += 1
    tally['with a motion'] += any(abs(x) > 1e-3 for x in step)
    tally['with several solutions'] += answer['ambiguous']
    tally['whose list is whole'] += solutions['all']
    tally['at a stop'] += any('stop' in c for c in answer['contacts'])


def lift(folder, more, **keys):
    """The gripper alone, 0.978 kg on a lift that rubs with 0.5 N and pushes with `more` than its weight."""
    scene, arm, torque = read('grasp')
    scene['bodies'][0]['pose'][2] = 5
    arm.update(q=[.1, 0, .01, .01], torque=[-.978 * 9.81 + more, 0, 0, 0], **keys)
    answer = json.loads(run(folder, scene, 'accel', '--at', '0'))
    number = next(i for i, c in enumerate(answer['contacts']) if c.get('joint') == 'gripper/lift')
    return answer['a_t'][number], answer['c_t'][number], answer['c_n'][number], answer['becomes'][number]


def closed_forms(folder):
    def near(what, *pairs):
        for want, have in pairs:
            if abs(want - have) > 1e-9 * max(1, abs(want)):
                sys.exit(f'{what}: {have} is not {want}')
    for more in (0, .3, -.49):
        a, c, f, becomes = lift(folder, more)
        near('holds', (0, a), (-more, c), (.5, f))
        if becomes != 'rolls':
            sys.exit(f'a lift that holds {becomes}')
    for more in (.8, -3):
        way = 1 if more > 0 else -1
        a, c, _, becomes = lift(folder, more)
        near('gives way', ((more - .5 * way) / .978, a), (-.5 * way, c))
        if becomes != 'slides':
            sys.exit(f'a lift that starts {becomes}')
    # Its motor gives 100 N at most, if the scene says so.
    near('with a limit', ((-100 + .978 * 9.81 + .5) / .978, lift(folder, -300, effort='urdf')[0]))
    near('without', ((-300 + .5) / .978, lift(folder, -300)[0]))


def every_scene():
    """All that the project ships have an instant at their start but those of the implicit law."""
    for file in sorted(SCENES.glob('*.json')):
        done = subprocess.run([TACTUS, 'accel', file, '--at', '0'], capture_output=True, text=True)
        implicit = json.loads(file.read_text())['method'] == 'implicit'
        if done.returncode != (3 if implicit else 0):
            sys.exit(f'{file}: {done.returncode} {done.stderr}')


def main():
    random.seed(5)
    tally = {key: 0 for key in ('instants', 'with a motion', 'with several solutions', 'whose list is whole',
                                'at a stop')}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        closed_forms(folder)
        every_scene()
        for k in range(CASES):
            compare(folder, ('push', 'grasp', 'arm', 'stops')[k % 4], tally)
    print(', '.join(f'{count} {name}' for name, count in tally.items()))
    if not (tally['with a motion'] > CASES / 4 and tally['whose list is whole'] > CASES / 2 and
            tally['at a stop'] > CASES / 10 and tally['with several solutions'] > 0):
        sys.exit('too few of a kind')


main()
