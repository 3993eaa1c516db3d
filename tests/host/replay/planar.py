"""Stewart 2000 and Chakraborty 2007 in the plane: bricks, balls, rods, discs."""
import math

from replay import floor, scene, touch

HAIR = 1e-15  # the printed test f(q + h v) < 0 is strict: a hair above the floor rounding does not decide


def case_brick_coulomb(tactus, case):
    """The ramp is level and gravity leans; the brick is a box on two corners."""
    file = tactus.load('planar/brick_coulomb.json')
    p = file['params']
    for run in file['runs']:
        g, h, want = [p['g'] * math.sin(run['theta']), -p['g'] * math.cos(run['theta'])], run['h'], run['stepper']

        def brick(rule):
            body = {'name': 'brick', 'mass': p['m'], 'inertia': 1 / 120, 'shape': {'box': [0.1, 0.05]},
                    'pose': [0, 0.05 + (HAIR if rule == 'stewart' else 0), 0], 'velocity': [run['v0'], 0, 0]}
            return tactus.run(scene(True, g, h, run['T'], [floor(True), body], [touch('floor', 'brick', run['mu'])],
                                    normal_rule=rule))
        motion = brick('gap')
        x, v = motion['brick.x'], motion['brick.vx']
        if 't_stop_step' in want:
            stop = next(k for k in range(len(v)) if abs(v[k]) < 1e-12)
            case.see('when it stops', motion.t[stop], want['t_stop_step'], 1e-9)
            case.see('where it stops', x[-1], want['x_stop'], 1e-12)
            case.see('that it stays', v[-1], want['v_after'], 1e-12)
        else:
            case.see('x', x[-1], want['x_T'], 1e-12)
            case.see('v', v[-1], want['v_T'], 1e-12)
        for row, t in enumerate(run.get('traj', {'t': []})['t']):
            if row == 0:
                continue  # the start
            k, rows = motion.index(t), run['traj']
            case.see('q', [x[k], motion['brick.y'][k] - 0.05], rows['q'][row], 1e-12)
            case.see('speeds', motion.of('brick', 'vx vy', k), rows['v'][row], 1e-12)
            case.see('impulses', [h * f for f in motion.of('floor-brick', 'fn ft', k)],
                     [rows['c_n_impulse'][row], rows['c_t_impulse'][row]], 1e-12)
        printed, late = brick('stewart'), want['paper_strict_test']
        case.see('as printed', [printed['brick.x'][-1], printed['brick.vx'][-1], printed['brick.y'][-1] - 0.05],
                 [late['x_T'], late['v_T'], late['penetration']], 1e-12)


def case_bouncing_ball(tactus, case):
    """(2.13) as printed. A point mass: its spin is held by an inertia that friction cannot move."""
    file = tactus.load('planar/bouncing_ball.json')
    p = file['params']
    for run in file['runs']:
        h, zeno = run['h'], run['zeno_time']
        body = {'name': 'ball', 'mass': p['m'], 'inertia': 1e12, 'shape': {'disc': 0.1}, 'pose': [0, 0.1 + p['y0'], 0],
                'velocity': [p['vx0'], 0, 0]}
        motion = tactus.run(scene(True, [0, -p['g']], h, 4.0, [floor(True), body],
                                  [touch('floor', 'ball', p['mu'], restitution=run['eps'])], normal_rule='stewart'))
        y, vy = motion['ball.y'], motion['ball.vy']
        for row, t in enumerate(run.get('traj', {'t': []})['t']):
            if 0 < t < 0.95 * zeno:  # later on f(q + h v) is zero to rounding
                k, rows = motion.index(t), run['traj']
                case.see('y, vy, vx', [y[k] - 0.1, vy[k], motion['ball.vx'][k]],
                         [rows['y'][row], rows['vy'][row], rows['vx'][row]], 1e-9)
        at, apex, ratio, top = [], [], [], 0
        for k in range(1, len(y)):
            if vy[k - 1] < -p['g'] * h and vy[k] > 0:
                if at:
                    apex.append(top)
                at.append(motion.t[k])
                ratio.append(-vy[k] / vy[k - 1])
                top = 0
            if at:
                top = max(top, y[k] - 0.1)
        n = len(run['bounce_t'])
        case.see('when', at[:n], run['bounce_t'], 1e-9)
        case.see('ratio', ratio[:n], run['v_ratio_at_impacts'], 1e-12)
        case.see('heights', apex[:len(run['apex'])], run['apex'], 1e-9)


def rod(file, h, end, above):
    p = file['params']
    body = {'name': 'rod', 'mass': p['m'], 'inertia': p['J'], 'shape': {'rod': p['l']},
            'pose': [p['q0'][0], p['q0'][1] + above, p['q0'][2]], 'velocity': p['v0']}
    return scene(True, [0, -p['g']], h, end, [floor(True), body], [touch('floor', 'rod', p['mu'])], normal_rule='stewart')


def case_painleve_steps(tactus, case):
    file = tactus.load('planar/painleve_rod.json')
    first, traj = file['stepper_first_steps_h1e3'], file['stepper_traj']
    motion = tactus.run(rod(file, 1e-3, 0.3, HAIR), '--elements')

    def impulse(k):  # of the end that touches
        ends = [[1e-3 * motion[f'floor-rod.{i}.{f}'][k] for f in ('fn', 'ft')] for i in (0, 1)]
        return max(ends, key=lambda f: abs(f[0]))
    for k in range(5):
        case.see('first v', motion.of('rod', 'vx vy w', k), first['first5_v'][k + 1], 1e-9)
        case.see('first impulse', impulse(k), first['first5_impulse'][k + 1], 1e-9)
    for row, t in enumerate(traj['t']):
        if row == 0:
            continue
        k = motion.index(t)
        case.see('q', motion.of('rod', 'x y a', k), traj['q'][row], 1e-9)
        case.see('v', motion.of('rod', 'vx vy w', k), traj['v'][row], 1e-9)
        case.see('impulse', impulse(k), traj['impulse_endA'][row], 1e-9)


def case_painleve_convergence(tactus, case):
    file = tactus.load('planar/painleve_rod.json')
    for want in file['stepper_convergence']:
        h = want['h']
        motion = tactus.run(rod(file, h, 0.3, HAIR))
        jam = next(k for k, n in enumerate(motion['floor-rod.fn']) if n > 0)
        case.same('first contact', jam + 1, want['first_contact_step'])
        v = motion.of('rod', 'vx vy w', jam)
        case.see('v after the jam', v, want['v_after_jam'], 1e-9)
        case.see('impulse', [h * f for f in motion.of('floor-rod', 'fn ft', jam)], want['impulse'], 1e-9)
        off = max(abs(a - b) for a, b in zip(v, file['impulsive_solution']['v_plus']))
        case.see('its error', off, want['err_v_after_jam'], 1e-9)
    after = file['event_driven_after']  # the motion that the steps tend to; the gap's rule jams at once
    gap = rod(file, 1e-4, 0.3, 0)
    del gap['normal_rule']
    motion = tactus.run(gap)
    for t, y in list(zip(after['t'], after['y']))[1:]:
        k = motion.index(round(t / 1e-4) * 1e-4)
        case.see('near the continuous motion', motion.of('rod', 'x y a', k), y[:3], 10e-4)


def case_disc_implicit(tactus, case):
    file = tactus.load('planar/disc_rolling.json')
    p = file['params']

    def disc(h, end, v, name, pose):
        body = {'name': 'disc', 'mass': p['m'], 'inertia': p['J'], 'shape': name, 'pose': pose, 'velocity': v}
        return scene(True, [0, -p['g']], h, end, [floor(True), body], [touch('floor', 'disc', p['mu'])], 'implicit')
    for step, want in file['implicit'].items():
        motion = tactus.run(disc(float(step), p['T'], p['v0'], {'disc': p['R']}, p['q0']))
        for k in range(len(motion.t)):
            vx, vy, w = motion.of('disc', 'vx vy w', k)
            case.see('energy', (p['m'] * (vx * vx + vy * vy) + p['J'] * w * w) / 2, file['KE0'], file['tolerance']['implicit_KE'])
        case.see('end', motion.of('disc', 'x y a', len(motion.t) - 1), want['final_q'], 1e-12)
    want = file['implicit_sliding_start']
    motion = tactus.run(disc(want['h'], 0.4, want['v0'], {'disc': 1}, [0, 1, 0]))
    rolls = next(k for k, mode in enumerate(motion['floor-disc.mode']) if mode == 1)
    case.see('rolls', motion.t[rolls], want['t_roll_num'], 1e-9)
    case.see('v at the end', motion.of('disc', 'vx vy w', 399), want['v_final_analytic'], 1e-12)


def case_disc_polygons(tactus, case):
    """A rolling disc cut to n corners: the same scheme, so the same loss."""
    file = tactus.load('planar/disc_rolling.json')
    p, quarter = file['params'], math.pi / 2
    for row in file['fig1a'] + file['fig1b']:
        body = {'name': 'disc', 'mass': p['m'], 'inertia': p['J'], 'shape': {'polygon': {'sides': row['n'], 'radius': p['R']}},
                'pose': [0, p['q0'][1], -quarter], 'velocity': p['v0']}
        motion = tactus.run(scene(True, [0, -p['g']], row['h'], 1.0, [floor(True), body], [touch('floor', 'disc', p['mu'])]))

        def energy(k):
            vx, vy, w = motion.of('disc', 'vx vy w', k)
            return (p['m'] * (vx * vx + vy * vy) + p['J'] * w * w) / 2
        last = len(motion.t) - 1
        case.see('energy', energy(last), row['KE_T'], 1e-6 * row['KE_T'])
        for tenth in range(1, len(row['KE_every_0p1'])):
            case.see('on the way', energy(motion.index(tenth / 10)), row['KE_every_0p1'][tenth], 1e-6 * row['KE_T'])
        q = motion.of('disc', 'x y a', last)
        case.see('end', [q[0], q[1], q[2] + quarter], row['final_q'], 1e-6)
        case.see('v at the end', motion.of('disc', 'vx vy w', last), row['final_v'], 1e-6)
