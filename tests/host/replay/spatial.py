"""Scenes in space: spheres, boxes, ellipsoids, rows of balls."""
import math

from replay import floor, scene, touch

G = 9.81
AT = 'x y z qw qx qy qz'
V = 'vx vy vz'
W = 'wx wy wz'


def ball(name, mass, radius, at, v=(0, 0, 0), w=(0, 0, 0), inertia=None, **more):
    I = 0.4 * mass * radius * radius if inertia is None else inertia
    return {'name': name, 'mass': mass, 'inertia': [I, I, I], 'shape': {'sphere': radius}, 'pose': [*at, 1, 0, 0, 0],
            'velocity': [*v, *w], **more}


def box(name, mass, half, at, v=(0,) * 6, inertia=None, **more):
    x, y, z = (s * s for s in half)
    return {'name': name, 'mass': mass, 'inertia': inertia or [(y + z) * mass / 3, (x + z) * mass / 3, (x + y) * mass / 3],
            'shape': {'box': list(half)}, 'pose': [*at, 1, 0, 0, 0], 'velocity': list(v), **more}


def rows_of(motion, rows):
    for row in rows:
        yield motion.index(row[0]), row


def case_sphere_slide(tactus, case):
    """By the exact cone under three names, and by the relaxed one with its lift."""
    file = tactus.load('spatial/sphere_slide.json')
    p, tolerance = file['params'], file['tolerance']
    R, weight = p['R'], p['m'] * p['gravity']
    for name, want in file['results'].items():
        h, exact = (0.01 if name.startswith('h0.01_') else 0.001), 'exact' in name
        above = h * p['mu'] * p['v0'] if 'consistent' in name else 0
        methods = [('rigid', {}), ('cone', {'exact': True}), ('implicit', {})] if exact else [('cone', {})]
        for method, more in methods:
            end = max(row[0] for row in want['trajectory'])
            motion = tactus.run(scene(False, [0, 0, -p['gravity']], h, end, [
                floor(False), ball('ball', p['m'], R, [0, 0, R + above], [p['v0'], 0, 0])],
                [touch('floor', 'ball', p['mu'])], method, **more))
            for k, row in rows_of(motion, want['trajectory']):
                case.see(f'{name} {method} x', motion.of('ball', 'x y z', k), row[1:4], tolerance)
                case.see(f'{name} {method} v', motion.of('ball', V, k), row[4:7], tolerance)
                case.see(f'{name} {method} w', motion.of('ball', W, k), row[7:10], tolerance / R)
                case.see(f'{name} {method} f', motion.of('floor-ball', 'fn ft fo', k), row[10:13], tolerance * weight)
            first = want['step1']
            case.see('first step', [motion['ball.z'][0] - R, motion['ball.vz'][0], motion['floor-ball.fn'][0] / weight],
                     [first['gap'], first['vn'], first['fn_over_mg']], tolerance)
            case.see('highest', max(motion['ball.z']) - R, want['max_height'], tolerance)


def case_box_corners(tactus, case):
    """Forces are redundant: velocities and resultants. With spin the exact cone leaves the motion open, too."""
    file = tactus.load('spatial/box_corners.json')
    p, tolerance = file['params'], file['tolerance']

    def run(h, end, v0, more, *options):
        return tactus.run(scene(False, [0, 0, -G], h, end, [
            floor(False), box('box', p['m'], p['half'], [0, 0, p['half'][2]], v0, p['I'])], [touch('floor', 'box', p['mu'])],
            'cone', **more), *options)
    for name, row in file['results'].items():
        if 'ccp' in row:
            for key, more in (('ccp', {}), ('exact', {'exact': True})):
                if key == 'exact' and row['v0'][5] != 0:
                    continue
                motion = run(row['h'], row['h'], row['v0'], more)
                force = motion.of('floor-box', 'ft fo fn', 0)
                case.see(f'{name} {key} forces', [row['h'] * f for f in force], row[f'D_gamma_{key}'][:3], tolerance)
                case.see(f'{name} {key} v', motion.of('box', V, 0), row[key]['v'][:3], tolerance)
                if row['v0'][5] == 0:  # else the box turns on within the step, which the file's does not
                    case.see(f'{name} {key} w', motion.of('box', W, 0), row[key]['v'][3:], 10 * tolerance)
            continue
        h = float(name.removeprefix('traj_h'))
        end = max(r[0] for r in row['rows'])
        for first, more in ((1, {}), (5, {'exact': True})):
            motion = run(h, end, [2, 0, 0, 0, 0, 0], more)
            for k, want in rows_of(motion, row['rows']):
                got = [motion['box.vx'][k], motion['box.vz'][k], motion['box.z'][k] - p['half'][2]]
                case.see(f'{name} {more}', got, want[first:first + 3], tolerance)


def case_spinning_sphere(tactus, case):
    """Chakraborty 2007, example 2, by the law that it is of and by the rigid one."""
    file = tactus.load('spatial/ex2_spinning_sphere.json')
    p, tolerance = file['params'], file['tolerance']
    for method in ('implicit', 'rigid', 'cone'):
        more = {'exact': True} if method == 'cone' else {}
        motion = tactus.run(scene(False, [0, 0, -p['gravity']], p['h'], file['trajectory'][-1][0], [
            floor(False), ball('ball', p['mass'], p['radius'], [0, 0, p['radius']], file['initial']['nu'][:3],
                               file['initial']['nu'][3:], p['inertia'])],
            [touch('floor', 'ball', p['mu'], ellipsoid=[p['e_t'], p['e_o'], p['e_r']])], method, **more))
        for k, row in rows_of(motion, file['trajectory']):
            case.see('place', motion.of('ball', 'x y z', k), row[1:4], tolerance)
            case.see('v', motion.of('ball', V, k), row[4:7], tolerance)
            case.see('w', motion.of('ball', W, k), row[7:10], tolerance)
            case.see('f', motion.of('floor-ball', 'fn ft fo fr', k), row[10:14], tolerance)
        stops = next(k for k, mode in enumerate(motion['floor-ball.mode']) if mode == 1)
        case.see('stops', motion.t[stops], file['key']['stop_time'], 1e-9)


def case_two_spheres(tactus, case):
    """Example 3, step for step; and by the rigid law the events of the continuous motion, within a step."""
    file = tactus.load('spatial/ex3_two_spheres.json')
    p, start = file['params'], file['initial']
    letters = '0Ss'

    def run(h, method):
        bodies = [{'name': name, 'shape': {'sphere': o['radius']}, 'pose': [*o['center'], 1, 0, 0, 0]}
                  for name, o in zip('ab', p['obstacles'])]
        bodies.append({'name': 'c', 'mass': p['mass'], 'inertia': [p['inertia']] * 3, 'shape': {'sphere': p['radius']},
                       'pose': start['q'], 'velocity': start['nu'], 'force': p['force']})
        return tactus.run(scene(False, [0, 0, 0], h, 4.0, bodies,
                                [touch(name, 'c', p['mu'], ellipsoid=p['e']) for name in 'ab'], method))

    def transitions(motion):
        out = []
        for k, modes in enumerate(zip(motion['a-c.mode'], motion['b-c.mode'])):
            word = ''.join(letters[int(m)] for m in modes)
            if not out or out[-1][1] != word:
                out.append([motion.t[k], word])
        return out
    for name in ('implicit_h001', 'implicit_h0005'):
        want, tolerance = file[name], file['tolerance']['implicit_same_h']
        motion = run(want['h'], 'implicit')
        for k, row in rows_of(motion, want['trajectory']):
            case.see('place', motion.of('c', 'x y z', k), row[1:4], tolerance)
            case.see('v', motion.of('c', V, k), row[4:7], tolerance)
            case.see('w', motion.of('c', W, k), row[7:10], tolerance)
            for pair, at in (('a-c', 10), ('b-c', 14)):
                n, t, o, r = motion.of(pair, 'fn ft fo fr', k)
                case.see('forces', [n, math.hypot(t, o), r], [row[at], math.hypot(row[at + 1], row[at + 2]), row[at + 3]], tolerance)
        have = transitions(motion)
        case.same('modes', [m for _, m in have], [m for _, m in want['transitions']])
        case.see('when', [t for t, _ in have], [t for t, _ in want['transitions']], 1e-9)
    have = transitions(run(0.01, 'rigid'))
    case.same('modes, rigid', [m for _, m in have], ['sS', 'ss', '0s', '00'])
    for (t, _), event in zip(have[1:], file['event_driven']['events']):
        case.see('events, rigid', t - 0.005, event['t'], 0.005 * (1 + 1e-9))


def case_ellipsoid_roll(tactus, case):
    """The file's scheme moves its poses by Euler's step, so the two part by O(h) with half the step half as far; and the
    integrated truth at first order."""
    file = tactus.load('spatial/ellipsoid_roll.json')
    p, start = file['params'], file['initial']

    def far(h, rows, modes):
        body = {'name': 'e', 'mass': p['mass'], 'inertia': p['inertia_body'], 'shape': {'ellipsoid': p['semi_axes']},
                'pose': [*start['x'][:3], 1, 0, 0, 0], 'velocity': start['nu']}
        motion = tactus.run(scene(False, [0, 0, -p['gravity']], h, max(r[0] for r in rows), [floor(False), body],
                                  [touch('floor', 'e', p['mu'], ellipsoid=p['e'])], 'implicit'))
        worst = 0
        for k, row in rows_of(motion, [r for r in rows if r[0] > 0]):
            got = motion.of('e', f'{AT} {V} {W}', k)
            worst = max([worst] + [abs(g - w) for g, w in zip(got, row[1:14], strict=True)])
            if modes:
                case.same('mode', '0Ss'[int(motion['floor-e.mode'][k])], row[26])
        return worst
    for key, h, most in (('h0.01', 0.01, 2.5e-3), ('h0.005', 0.005, 1.25e-3)):
        case.see('distance from the file', far(h, file['implicit'][key]['trajectory'], True), 0, most)
    truth = [far(h, file['truth']['samples'], False) for h in (0.01, 0.005, 0.0025)]
    for coarse, fine in zip(truth, truth[1:]):
        case.see('order', math.log2(coarse / fine), 1, 0.15)


def case_multi_impact_chain(tactus, case):
    """A row of balls: struck while they touch, and with gaps between them, one after another."""
    file = tactus.load('spatial/multi_impact.json')
    for name, e in (('eps0.9', 0.9), ('eps1', 1.0), ('eps0', 0.0)):
        for key, apart, h, end in (('simultaneous', 0.2, 1e-3, 1e-3), ('sequential', 0.201, 1e-4, 4.0)):
            want = file['chain'][name][key]
            names = 'abcde'[:len(want)]
            balls = [ball(n, 1, 0.1, [apart * i, 0, 0], [1 if i == 0 else 0, 0, 0]) for i, n in enumerate(names)]
            row = scene(False, [0, 0, 0], h, end, balls,
                        [touch(a, b, 0, restitution=e) for a, b in zip(names, names[1:])])
            row['impact'] = {'law': 'newton', 'order': 'together'}
            motion = tactus.run(row)
            case.see(f'{name} {key}', [motion[f'{n}.vx'][-1] for n in names], want, file['tolerance'])


def case_multi_impact_two_balls(tactus, case):
    file = tactus.load('spatial/multi_impact.json')
    figure, tolerance = file['two_balls_fig43'], file['tolerance']
    R, m, v0 = (figure['params'][k] for k in ('R', 'm', 'v'))
    for row in figure['results']:
        pairs = [('floor', 'a'), ('floor', 'b'), ('a', 'b')]
        motion = tactus.run(scene(False, [0, 0, 0], 1e-3, 1e-3, [
            floor(False), ball('a', m, R, [0, 0, R], [v0, 0, 0], [0, v0 / R, 0]), ball('b', m, R, [2 * R, 0, R])],
            [touch(a, b, row['mu']) for a, b in pairs]))
        case.same('modes', ''.join('0Ss'[int(motion[f'{a}-{b}.mode'][0])] for a, b in pairs), row['modes'][0])
        for (a, b), want in zip(pairs, row['impulses'], strict=True):
            n, t, o = motion.of(f'{a}-{b}', 'fn ft fo', 0)
            case.see('impulses', [1e-3 * n, 1e-3 * math.hypot(t, o)], [want[3], math.hypot(want[4], want[5])], tolerance)
        for i, name in enumerate('ab'):
            case.see('v', motion.of(name, V, 0), row['v'][i], tolerance)
            case.see('R w', [R * w for w in motion.of(name, W, 0)], [R * w for w in row['w'][i]], tolerance)


def case_multi_impact_three_masses(tactus, case):
    """Springs in a row: the step is of first order, two of them extrapolate."""
    def end(ratio, h):
        unlike = max(ratio, 1 / ratio)
        stiff = 1e4 * math.sqrt(min(unlike, 20))
        balls = [ball(n, 1, 1, [2.0 * i, 0, 0], [1 if i == 0 else 0, 0, 0], inertia=0.004) for i, n in enumerate('abc')]
        springs = [{'stiffness': stiff * min(1, r), 'damping': 0} for r in (ratio, 1 / ratio)]
        steps = math.ceil(0.12 * max(1, math.sqrt(unlike / 20)) / h)
        motion = tactus.run(scene(False, [0, 0, 0], h, steps * h, balls,
                                  [touch(a, b, 0, patch=s) for (a, b), s in zip(('ab', 'bc'), springs)], 'compliant'),
                            '--every', steps)
        return [motion[f'{n}.vx'][-1] for n in 'abc']
    for ratio, *want in tactus.load('spatial/multi_impact.json')['three_masses']['rows']:
        coarse, fine = end(ratio, 2e-5), end(ratio, 1e-5)
        case.see(f'k1/k2 = {ratio}', [2 * f - c for c, f in zip(coarse, fine)], want, 1e-4)


def case_sphere_on_patch(tactus, case):
    """3 x 3 elements under a sphere, Song's rule, the exact cone (rigid_limit.json)."""
    file = tactus.load('spatial/rigid_limit.json')
    s, tolerance = file['sphere'], file['tolerance']
    p = s['params']

    def run(eps, spacing, v, spin, end):
        patch = {'elements': [3, 3], 'spacing': spacing, 'compliance': eps, 'poisson': 0.3}
        return tactus.run(scene(False, [0, 0, -G], p['h'], end, [
            floor(False), ball('ball', p['m'], p['R'], [0, 0, p['R']], [v, 0, 0], [0, 0, spin])],
            [touch('floor', 'ball', p['mu'], patch=patch)], 'cone', exact=True, normal_rule='song'), '--elements')

    def slipping(motion, k):
        return sum(math.hypot(*motion.of(f'floor-ball.{i}', 'ft fo', k)) >= p['mu'] * motion[f'floor-ball.{i}.fn'][k] * (1 - 1e-9)
                   and motion[f'floor-ball.{i}.fn'][k] > 0 for i in range(9))
    spin = s['pure_spin']
    for name, rows, start in (('1 um apart', s['trajectory_eps1e11'], (1e-11, p['rho0'], p['v0'][0], 0)),
                              ('0.1 mm apart', s['trap_rho1e4'], (1e-10, 1e-4, p['v0'][0], 0)),
                              ('turning', spin['trajectory'],
                               (spin['params']['eps'], spin['params']['rho0'], 0, spin['params']['w0']))):
        motion = run(*start, max(r[0] for r in rows))
        turned, at = [0.0] * 3, {}
        for k in range(len(motion.t)):
            turned = [a + p['h'] * w for a, w in zip(turned, motion.of('ball', W, k))]
            at[k] = turned
        for k, row in rows_of(motion, rows):
            x, y, z = motion.of('ball', 'x y z', k)
            case.see(name + ' q', [x, y, z - p['R'], *at[k]], row[1:7], tolerance)
            case.see(name + ' v', motion.of('ball', f'{V} {W}', k), row[7:13], tolerance)
            case.see(name + ' f', motion.of('floor-ball', 'fn ft fo', k), row[13:16], tolerance)
            case.same(name + ' slipping', slipping(motion, k), int(row[16]))
    for eps, stick, v, wR, z, *_ in s['rows']:
        motion = run(eps, p['rho0'], p['v0'][0], 0, p['T'])
        got = [motion['ball.vx'][-1], motion['ball.wy'][-1] * p['R'], motion['ball.z'][-1] - p['R']]
        case.see(f'end, compliance {eps}', got, [v, wR, z], tolerance)
    motion = tactus.run(scene(False, [0, 0, -G], p['h'], p['T'], [
        floor(False), ball('ball', p['m'], p['R'], [0, 0, p['R']], [p['v0'][0], 0, 0])], [touch('floor', 'ball', p['mu'])]))
    case.same('steps, rigid', next(k for k, m in enumerate(motion['floor-ball.mode']) if m == 1) + 1, s['rigid']['discrete_steps'])
    case.see('v, rigid', motion['ball.vx'][-1], s['rigid']['discrete_v'], 1e-12)
