#!/usr/bin/env python3
"""keys.py BOARD: a scene for each key that says how a step is taken, predicted by an emulated board: every answer is certified,
in time, and equal to the host's own core in every bit; and what a board cannot do ends with 3 and says the number.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

TACTUS, SCENES = 'build/host/tactus', pathlib.Path('host_sim/scenes')
LUMPED = {'stiffness': 1e5, 'damping': 300}
failures = []


def scene(name, contacts=None, **keys):
    """One of the tree, with other keys of its own and of its contacts."""
    made = json.loads((SCENES / f'{name}.json').read_text()) | keys
    for contact, more in zip(made['contacts'], contacts or []):
        contact.update(more)
    return made


def hil(board, what, made, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'scene.json'
        file.write_text(json.dumps(made))
        done = subprocess.run([TACTUS, 'hil', file, '--board', board, *options], capture_output=True, text=True, check=False)
    return what, done


def hold(what, good, why=''):
    print(f'{what}: {"as it has to be" if good else "FAILED " + why}', flush=True)
    if not good:
        failures.append(what)


def same_bits(board, what, made, *options, ticks=400, beats=6):
    what, done = hil(board, what, made, '--ticks', str(ticks), '--beats', str(beats), *options)
    line = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {}
    good = done.returncode == 0 and line.get('ticks') == ticks and line['largest_difference'] == 0
    hold(what, good and line['certificate_failures'] == line['deadline_misses'] == 0, done.stderr or done.stdout)
    return line


def refused(board, what, made, words, *options):
    what, done = hil(board, what, made, *options)
    hold(what, done.returncode == 3 and words in done.stderr and not done.stdout, f'{done.returncode} {done.stderr}')


board = sys.argv[1]
same_bits(board, 'normal_rule song, compliant', scene('ellipse', normal_rule='song'))
same_bits(board, 'normal_rule song, rigid', scene('ellipse_rigid', normal_rule='song'))
same_bits(board, 'normal_rule stewart, a bounce', scene('bouncing_ball', normal_rule='stewart'), ticks=600)
same_bits(board, 'normal_rule stewart in space', scene('thrown_box', normal_rule='stewart'))
same_bits(board, 'fixed_point in the plane', scene('ellipse_rigid', fixed_point=3))
same_bits(board, 'fixed_point in space', scene('thrown_box', fixed_point=3), beats=25)
same_bits(board, 'pyramid facets in the plane', scene('ellipse', pyramid='facets'))
same_bits(board, 'pyramid box in space', scene('thrown_box', pyramid='box'))
sunk = scene('bouncing_ball', recovery_speed=0.2)
sunk['bodies'][1]['pose'][1] = 0.095
same_bits(board, 'recovery_speed', sunk)
same_bits(board, 'rigid and compliant', scene('thrown_box', [{'law': 'compliant', 'patch': LUMPED}, {'law': 'rigid'}]))
for exact in (False, True):
    same_bits(board, f'a patch under the cone, exact {exact}', scene('sliding_ball', [{'patch': LUMPED}], method='cone', exact=exact))
line = same_bits(board, 'ensemble', scene('resting_box'), '--ensemble', '3', '--horizon', '3', '--off', 'friction=0.1',
                 '--off', 'mass=0.05', '--seed', '5', beats=25, ticks=100)
hold('its members', line.get('ensemble') == 3 and line.get('members', 0) + line.get('members_failed', 0) > 0, str(line))
hold('all of them', line.get('members') == 300 and line['members_failed'] == line['members_cut'] == 0, str(line))

# Too little time for an arm: what is late or uncertified ends with 1.
push = scene('push')
for arm in push['arms']:
    arm['urdf'] = str((SCENES / arm['urdf']).resolve())
TOUCHES = ('--ticks', '300', '--step', '0.002', '--substeps', '10', '--beats')
_, done = hil(board, 'push', push, *TOUCHES, '2')
line = json.loads(done.stdout.splitlines()[-1]) if done.stdout else {'certificate_failures': 0}
# What an M4F cannot do in two beats an M7 can.
hold('too little time', (done.returncode == 0) == (line['certificate_failures'] + line['deadline_misses'] == 0), done.stdout + done.stderr)
if board != 'mps2-an500':
    hold('is not 0', done.returncode == 1, done.stdout)
    refused(board, 'no time at all', push, 'A first answer from this state may take', *TOUCHES, '1')

many = scene('billiards')
refused(board, 'six contacts', many, 'contacts: 6 are over a board')
refused(board, 'points that are given', scene('thrown_box', [{'points': [[0, 0, -0.1]]}]), 'takes no points')
refused(board, 'uniqueness in space', scene('thrown_box', uniqueness=True), 'in the plane only')
refused(board, 'a patch too large', scene('ellipse', [{'patch': {'elements': [20], 'spacing': 1e-6, 'compliance': 1e-10, 'poisson': 0.3}}]),
        '20 needed')
sys.exit(len(failures) > 0)
