#!/usr/bin/env python3
"""instants.py BOARD: `tactus accel SCENE --at T` of shipped scenes, as an emulated board tells it and as the host does in
double, or in float where what touches depends on it: the same contacts, accelerations, and forces where they are unique.
"""
import json
import math
import subprocess
import sys

TACTUS = 'build/host/tactus'
# Accelerations within this share of the largest; in float a step of 1 um/s^2 is out of sight.
WITHIN = 2e-3
# What a body bears is unique; what each of its contacts does, where they are redundant, is not.
REDUNDANT = {'resting_box', 'thrown_box', 'push', 'grasp', 'peg', 'arm'}
INSTANTS = [
    ('painleve', 0), ('bouncing_ball', 0.45), ('ellipse_rigid', 0), ('ellipse_rigid', 0.2), ('ellipse', 0.3),
    ('resting_box', 0), ('resting_box', 0.5), ('thrown_box', 2), ('push', 0), ('push', 0.7), ('grasp', 0.5), ('peg', 0.3),
    ('arm', 0), ('arm', 0.3), ('arm', 0.6),
]
# An arm at rest holds a box by its joints' friction: how hard is not unique at all.
PRELOADED = {'arm'}
failures = []


def ask(scene, time, *options):
    done = subprocess.run([TACTUS, 'accel', f'host_sim/scenes/{scene}.json', '--at', str(time), *options],
                          capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else f'{done.returncode}: {done.stderr.strip()}'


def name(contact):
    return next(f'{key} {contact[key]}' for key in ('between', 'stop', 'joint') if key in contact)


def on_host(host, what, axis):
    """Component by component: a joint that rubs has its numbers along t, a stop along n."""
    sums = {}
    for contact, value in zip(host['contacts'], host.get(f'{what}_{axis}', [])):
        if 'between' in contact or axis == ('n' if 'stop' in contact else 't'):
            sums[name(contact)] = sums.get(name(contact), 0) + value
    return sums


def on_board(board, what, axis):
    sums = {}
    for contact in board['contacts']:
        value = contact.get(f'{what}_{axis}')
        if 'between' not in contact and axis == ('n' if 'stop' in contact else 't'):
            value = contact[what]
        if value is not None:
            sums[name(contact)] = sums.get(name(contact), 0) + value
    return sums


def difference(scene, host, board):
    """Of what is unique: sums over the contacts of a pair."""
    names = sorted(name(c) for c in host['contacts'])
    if names != sorted(name(c) for c in board['contacts']):
        return f'other contacts: {names} on the host'
    units = {'a': max([abs(x) for axis in 'nto' for x in host.get(f'a_{axis}', [])] + [9.81]),
             'c': max([abs(x) for x in host['c_n']] + [1e-3])}
    for axis in 'nto':
        for what, unit in units.items():
            if what == 'c' and (scene in PRELOADED or (axis != 'n' and scene in REDUNDANT)):
                continue
            here, there = on_host(host, what, axis), on_board(board, what, axis)
            for key, value in here.items():
                if not abs(value - there.get(key, math.nan)) <= WITHIN * unit * names.count(key):
                    return f'{what}_{axis} of {key}: {value} on the host, {there.get(key)} on the board'
    return None


board = sys.argv[1]
for scene, time in INSTANTS:
    host = ask(scene, time, '--precision', 'float' if scene in PRELOADED else 'double')
    there = ask(scene, time, '--board', board)
    if isinstance(host, str) or isinstance(there, str):
        why = None if isinstance(host, str) and isinstance(there, str) and host[0] == there[0] == '3' else f'{host} | {there}'
    elif host['status'] != there['status']:
        why = f'{host["status"]} on the host, {there["status"]} on the board'
    else:
        why = difference(scene, host, there) if host['status'] == 'solved' else None
    print(f'{scene} at {time} s: {"FAILED " + why if why else "the same" if not isinstance(host, str) else host}', flush=True)
    if why:
        failures.append(scene)
sys.exit(1 if failures else 0)
