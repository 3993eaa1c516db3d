"""Pang-Trinkle's instants and Painleve's rod by `tactus accel`, the linear complementarity problems by `tactus lcp`, and the
scenes whose answers are formulas."""
import math

from replay import floor, scene, touch
from spatial import V, ball, box

G = 9.81


def forces(answer):
    return [x for key in ('c_n', 'c_t', 'c_o') for x in answer.get(key, [])]


def largest(numbers):
    return max(map(abs, numbers)) or 1.0


def case_pang_trinkle_one_sliding(tactus, case):
    for c in tactus.load('planar/pang_trinkle.json')['one_sliding_contact']:
        answer = tactus.accel({'plane': True, 'mu': [c['mu']], 'v_t': [c['v_t']], 'A': c['A'], 'b': c['b']})
        case.same(c['name'], answer['status'], 'solved' if c['solutions'] else 'none')
        if c['solutions']:
            got = forces(answer) + answer['a_n']
            far = min(max(abs(g - s[key]) for g, key in zip(got, ('c_n', 'c_t', 'a_n'))) / largest([s['c_n'], s['c_t']])
                      for s in c['solutions'])
            case.see(c['name'], far, 0, 1e-9)
        else:
            best = c['relaxed_LS_analytic']
            case.see('relaxed f', answer['relaxed']['f'], best['f'], 1e-9 * best['f'])
            case.see('relaxed c', forces(answer['relaxed']), [best['c_n'], best['c_t']], 1e-9 * best['c_n'])


def case_pang_trinkle_arm(tactus, case):
    """All of M, W, J, torques; and the torques back from the accelerations that they make."""
    for c in tactus.load('planar/pang_trinkle.json')['all_rolling']:
        problem = {'plane': True, **{k: c[k] for k in ('mu', 'M_obj', 'W', 'g_obj', 'M_man', 'J', 'g_man', 'h_man', 'tau', 'bias')}}
        answer, want = tactus.accel(problem), c['full_mode_solutions'][0]
        case.same('status', answer['status'], 'solved')
        case.see('forces', forces(answer), want['c'], 1e-9 * largest(want['c']))
        case.see('a', answer['a_n'] + answer['a_t'], want['a'], 1e-8)
        case.see('qdd', answer['qdd'], want['qdd'], 1e-8)
        case.see('thdd', answer['thdd'], want['thdd'], 1e-8)
        answer = tactus.accel({**problem, 'tau': [None, c['tau'][1]], 'thdd': [want['thdd'][0], None]})
        case.see('qdd, one acceleration given', answer['qdd'], want['qdd'], 1e-8)
        case.see('tau, one acceleration given', answer['tau'], c['tau'], 1e-9 * largest(c['tau']))


def of_lcp30(z, mu):
    n = len(mu)
    return z[:n] + [s - m * c for s, m, c in zip(z[n:2 * n], mu, z)]


def case_pang_trinkle_rays(tactus, case):
    """Lemke's path on (30) ends on a ray; every solution that enumeration found is listed. One example's A has a negative
    eigenvalue beyond rounding: no bodies have that, and the command says so."""
    for c in tactus.load('planar/pang_trinkle.json')['random_all_rolling_rank_deficient']['ray_examples']:
        try:
            answer = tactus.accel({'plane': True, 'mu': c['mu'], 'A': c['A'], 'b': c['b']})
        except AssertionError as refused:
            case.same('refused', 'must be positive semidefinite' in str(refused), True)
            continue
        case.same('status', answer['status'], 'solved')
        n = len(c['mu'])

        def motion(force):
            return [sum(a * f for a, f in zip(row, force)) + b for row, b in zip(c['A'], c['b'])]
        listed = [motion(of_lcp30(z, c['mu'])) for z in c['enumerated_solutions']]
        size = max(map(largest, [*listed, c["b"]]))
        got = answer['a_n'] + answer['a_t']
        if len(listed) == c.get('n_enum', len(listed)):
            case.see('a listed one', min(max(abs(g - w) for g, w in zip(got, x)) for x in listed), 0, 1e-8 * size)
        have = [s['a_n'] + s['a_t'] for s in answer['solutions'].get('list', [])] or [got]
        for want in listed:
            near = min(max(abs(g - w) for g, w in zip(x, want)) for x in have)
            case.see(f'found, {n} contacts', near, 0, 1e-8 * size)


def sliding(input_, slides, axis):
    """Velocity of the box at each contact that slides; what it slides on is at rest."""
    v, w = input_['qd'][:3], input_['qd'][3:]

    def speed(contact):
        r = contact['r']
        at = [v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2], v[2] + w[0] * r[1] - w[1] * r[0]]
        return sum(a * d for a, d in zip(at, contact[axis]))
    return [speed(c) if i in slides else 0 for i, c in enumerate(input_['contacts'])]


def box_problem(file, input_):
    """M_obj, W and the weight of the file's box in its pose."""
    R, I, m = input_['R'], file['box']['I'], file['box']['m']
    M = [[0.0] * 6 for _ in range(6)]
    for i in range(3):
        M[i][i] = m
        for j in range(3):
            M[3 + i][3 + j] = sum(R[i][k] * I[k] * R[j][k] for k in range(3))
    columns = []
    for axis in 'nto':
        for c in input_['contacts']:
            d, r = c[axis], c['r']
            columns.append(d + [r[1] * d[2] - r[2] * d[1], r[2] * d[0] - r[0] * d[2], r[0] * d[1] - r[1] * d[0]])
    return {'M_obj': M, 'W': [list(row) for row in zip(*columns)], 'g_obj': [0, 0, -m * file['gravity'], 0, 0, 0]}


def case_pang_trinkle_space(tactus, case):
    """A finger, a grasp, fixtures, by pyramid and cone: the motion, where the reference found one."""
    file = tactus.load('spatial/pang_trinkle.json')
    for name, c in file['results'].items():
        for law in ('pyramid', 'cone'):
            if law not in c:
                continue
            input_ = c['input']
            mu = [contact['mu'] for contact in input_['contacts']]
            problem = {'name': name, 'plane': False, 'law': law, 'mu': mu}
            if c['S']:
                problem |= {'v_t': sliding(input_, c['S'], 't'), 'v_o': sliding(input_, c['S'], 'o')}
            fixture = name.startswith('fixture')
            problem |= box_problem(file, input_) if fixture else {'A': c['A'], 'b': c['b']}
            answer = tactus.accel(problem)
            case.same(f'{name} {law}', answer['status'], 'solved')
            if fixture and law == 'pyramid':
                verdict = {'ambiguous': 'undecided'}.get(c['expected'], c['expected'])
                case.same(name, answer['fixture']['verdict'], verdict)
            if law == 'pyramid':
                unique, want = len(c[law]['newton_solutions']) == 1, c[law]['a']
            else:
                unique = c[law]['acceleration_spread'] <= 1e-9 and c.get('expected') != 'ambiguous'
                force = forces(c[law])
                want = [sum(x * y for x, y in zip(row, force)) + b for row, b in zip(c['A'], c['b'])]
            if unique:
                case.see(f'{name} {law} a', [x for k in ('a_n', 'a_t', 'a_o') for x in answer[k]], want, 1e-8)
                if fixture:
                    case.see(f'{name} {law} qdd', answer['qdd'], c[law]['qdd'], 1e-8)


def rod_A(angle, inertia, l=1.0, m=1.0):
    """n and t of the lower end, at -(l/2)(cos, sin)."""
    W = [[0, 1, -l / 2 * math.cos(angle)], [1, 0, l / 2 * math.sin(angle)]]
    light = [1 / m, 1 / m, 1 / inertia]
    return [[sum(a * x * b for a, x, b in zip(p, light, q)) for q in W] for p in W]


def slides_on(tactus, A, mu, b, v=-1.0):
    return tactus.accel({'plane': True, 'mu': [mu], 'v_t': [v], 'A': A, 'b': b})


def case_painleve_instants(tactus, case):
    file = tactus.load('planar/painleve_rod.json')
    p, hair, degree = file['params'], 1e-7, math.pi / 180

    def jams(angle, inertia, mu):
        return slides_on(tactus, rod_A(angle, inertia), mu, [-p['g'], 0])['status'] == 'none'
    for row in file['negative_bracket_table']:
        inertia = 1 / float(row['J'].split('/')[1])
        worst = (math.pi - math.atan(row['mu_crit'])) / 2  # tan 2 angle = -mu
        case.same('at mu_crit', [jams(worst, inertia, row['mu_crit'] * (1 + s * hair)) for s in (1, -1)], [True, False])
        if row['theta_range_deg'] is None:
            continue
        low, high = row['theta_range_deg']
        have = [jams(a * degree, inertia, row['mu']) for a in (low - hair, low + hair, (low + high) / 2, high - hair, high + hair)]
        case.same('between its angles', have, [False, True, True, True, False])
    fast = file['nonuniqueness']
    half, spin = p['l'] / 2, fast['thetadot']
    A = fast['impulse_LCP']['G']
    end = fast['v'][0] + half * math.sin(fast['theta']) * spin
    answer = slides_on(tactus, A, p['mu'], [fast['b_n'], half * math.cos(fast['theta']) * spin ** 2], end)
    found = sorted(s['c_n'][0] for s in answer['solutions']['list'])
    case.see('both accelerations', found, [s[0] for s in fast['accel_solutions']], 1e-9)


def case_lcp(tactus, case):
    """Problems of books and of a box on a plane, whose answers are known in fractions. Where M is a P-matrix there is one."""
    for name in ('lcp/lcp_cases.json', 'lcp/friction_box_cases.json'):
        problems = tactus.load(name)
        for problem, answer in zip(problems, tactus.lcp(problems), strict=True):
            exact = problem['lemke_exact']
            solvable = exact['status'] == 'solved' or bool(problem.get('solutions_all_basic'))
            case.same(problem['name'], answer['status'] == 'solved', solvable)
            if solvable:
                case.see(problem['name'], answer['residual'], 0, 1e-8)
            if exact['status'] == 'solved' and problem.get('class', {}).get('P_matrix') is True:
                case.see(problem['name'], answer['z'], exact['z'], 1e-6 * largest(exact['z']))


def case_analytic_scenes(tactus, case):
    answers = {s['name']: s for s in tactus.load('spatial/analytic_scenes.json')}

    def of(name):
        return answers[name]['params'], answers[name]['answer']
    p, want = of('block_slide_stop')
    half, h = p['side'] / 2, 1e-4
    v = [p['v0'] * math.cos(0.3), p['v0'] * math.sin(0.3), 0, 0, 0, 0]
    motion = tactus.run(scene(False, [0, 0, -p['g']], h, 1.1, [floor(False), box('b', p['mass'], [half] * 3, [0, 0, half], v)],
                              [touch('floor', 'b', p['mu'])]))
    stop = next(k for k in range(len(motion.t)) if math.hypot(*motion.of('b', V, k)) < 1e-9)
    case.see('block stops', motion.t[stop], want['t_stop'], 1.01 * h)
    case.see('after', math.hypot(*motion.of('b', 'x y', stop)), want['d'], 1.01 * p['v0'] * h / 2)

    p, want = of('sphere_roll_incline')
    slope = p['theta_deg'] * math.pi / 180
    motion = tactus.run(scene(False, [p['g'] * math.sin(slope), 0, -p['g'] * math.cos(slope)], 1e-3, p['t_end'], [
        floor(False), ball('b', p['mass'], p['radius'], [0, 0, p['radius']])],
        [touch('floor', 'b', {'static': p['mu_s'], 'kinetic': p['mu_k']})]))
    case.see('rolls', motion['b.vx'][-1], want['v(1s)'], 1e-9)
    case.see('its friction', motion['floor-b.ft'][-1], -2 / 7 * p['mass'] * p['g'] * math.sin(slope), 1e-9)

    p, _ = of('restitution_two_spheres')
    for e in p['e']:
        balls = [ball(n, p['m'], p['r'], [s * (p['r'] + 0.005), 0, 0], [-s * p['v_rel'] / 2, 0, 0]) for n, s in (('a', -1), ('b', 1))]
        motion = tactus.run(scene(False, [0, 0, 0], 1e-3, 0.02, balls, [touch('a', 'b', 0.3, restitution=e)]))
        case.see(f'rebound, e = {e}', motion['b.vx'][-1] - motion['a.vx'][-1], e * p['v_rel'], 1e-9 if e == 0 else 1e-12)

    p, want = of('newton_cradle_simultaneous_Newton')
    balls = [ball(n, m, 0.1, [0.2 * i, 0, 0], [v, 0, 0]) for i, (n, m, v) in enumerate(zip('abc', p['masses'], p['v_minus']))]
    at_once = {'law': 'newton', 'order': 'together'}
    motion = tactus.run(scene(False, [0, 0, 0], 1e-3, 1e-3, balls, [touch(a, b, 0, restitution=p['e']) for a, b in ('ab', 'bc')],
                              impact=at_once))
    case.see('cradle', [motion[f'{n}.vx'][0] for n in 'abc'], want['v_plus'], 1e-12)
    case.see('its impulses', [1e-3 * motion[f'{pair}.fn'][0] for pair in ('a-b', 'b-c')], want['p'], 1e-12)

    p, _ = of('gripper_hold_no_creep')
    r, load = p['radius'], p['gravity_load_N']
    for squeeze in p['normal_load_N']:
        at = [2 * r + 0.01, 0, 0]
        motion = tactus.run(scene(False, [0, 0, -load / p['mass']], 1e-3, 1.0, [
            {'name': 'wall', 'shape': {'halfspace': {'normal': [1, 0, 0], 'offset': 0}}}, ball('b', p['mass'], r, [r, 0, 0]),
            box('plate', 0.1, [0.01, 0.02, 0.02], at, force=[-squeeze, 0, 0, 0, 0, 0])],
            [touch('wall', 'b', p['mu']), touch('b', 'plate', p['mu'])],
            joints=[{'type': 'prismatic', 'between': ['wall', 'plate'], 'at': at, 'axis': [1, 0, 0]}]))
        for k in range(len(motion.t)):
            for pair in ('wall-b', 'b-plate'):
                n, t, o = motion.of(pair, 'fn ft fo', k)
                case.see('squeeze', [n, math.hypot(t, o)], [squeeze, load / 2], 1e-6)
            case.see('no creep', math.hypot(*motion.of('b', V, k)), 0, 1e-12)
        # The rail holds the plate: its weight and half the ball's.
        force = motion.of('wall-plate', 'fx fy fz', len(motion.t) - 1)
        case.see('the rail', force, [0, 0, 0.1 * load / p['mass'] + load / 2], 1e-6)

    want = answers['painleve_rod_onset']['answer']['at_45deg']
    for mu, status in ((want * (1 - 1e-7), 'solved'), (want * (1 + 1e-7), 'none')):
        case.same('rod at 45 degrees', slides_on(tactus, rod_A(math.pi / 4, 1 / 3, 2.0), mu, [-G, 0])['status'], status)


def case_analytic_formulas(tactus, case):
    """Of analytic_scenes.json those that have formulas and no numbers."""
    def one(bodies, contacts, gravity, end=0.1, **more):
        return tactus.run(scene(False, gravity, 1e-3, end, [floor(False), *bodies], contacts, **more), '--elements')
    for tangent in (0.39, 0.41, 0.8):  # block_incline_stick_slip, mu = 0.4
        g = G / math.hypot(1, tangent)
        motion = one([box('b', 3, [0.2, 0.2, 0.05], [0, 0, 0.05])], [touch('floor', 'b', 0.4)], [g * tangent, 0, -g])
        case.see('block on an incline', [motion['b.vx'][-1], motion['floor-b.fn'][-1], motion['floor-b.ft'][-1]],
                 [0.1 * g * max(0, tangent - 0.4), 3 * g, -3 * g * min(0.4, tangent)], 1e-9)
    motion = one([box('b', 2, [0.1, 0.1, 0.05], [0, 0, 0.05])], [touch('floor', 'b', 0.4)], [0, 0, -G])  # four_legged_redundant_box
    corners = sorted(motion[f'floor-b.{i}.fn'][-1] for i in range(8))  # the upper four hang
    case.see('box on four corners', corners, [0] * 4 + [2 * G / 4] * 4, 1e-9)
    R, mu = 0.2, 0.5  # three_legged_disc_torque
    legs = [[R * math.cos(a), R * math.sin(a), -0.01] for a in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
    for share in (0.95, 1.05):
        limit = mu * G * R
        disc = box('b', 1, [0.2, 0.2, 0.01], [0, 0, 0.01], force=[0, 0, 0, 0, 0, share * limit])
        motion = one([disc], [touch('floor', 'b', mu, points=legs)], [0, 0, -G])
        case.see('three legs turn', motion['b.wz'][-1], max(0, share - 1) * limit / (0.08 / 3) * 0.1, 1e-9)
        case.see('their weight', [motion[f'floor-b.{i}.fn'][-1] for i in range(3)], [G / 3] * 3, 1e-9)
    v0, mu, h = 1.0, 0.3, 1e-3  # sphere_slide_to_roll, in any direction
    for phi in (0.2, 1.0, 2.5):
        motion = one([ball('b', 1, 0.1, [0, 0, 0.1], [v0 * math.cos(phi), v0 * math.sin(phi), 0])], [touch('floor', 'b', mu)],
                     [0, 0, -G], end=0.4)
        vx, vy, _ = motion.of('b', V, 399)
        case.see('rolls', [vx, vy], [5 / 7 * v0 * math.cos(phi), 5 / 7 * v0 * math.sin(phi)], 1e-12)
        x, y, _ = motion.of('b', 'x y z', 399)
        case.see('straight', x * math.sin(phi) - y * math.cos(phi), 0, 1e-12)
    k, m = 1e4, 2.0  # compliant_ball_static
    patch = {'stiffness': k, 'damping': 400}
    motion = one([ball('b', m, 0.1, [0, 0, 0.1])], [touch('floor', 'b', mu, patch=patch)], [0, 0, -G], end=1.0, method='compliant')
    case.see('ball on a spring', [0.1 - motion['b.z'][-1], motion['floor-b.0.dn'][-1]], [m * G / k] * 2, 1e-12)
    rod = {'name': 'rod', 'mass': m, 'inertia': m / 12, 'shape': {'rod': 1.0}, 'pose': [0, 0, 0]}  # two_point_rest_horizontal_rod
    motion = tactus.run(scene(True, [0, -G], 1e-3, 0.1, [floor(True), rod], [touch('floor', 'rod', 0.5)]), '--elements')
    case.see('rod on two ends', [motion[f'floor-rod.{i}.{f}'][-1] for f in ('fn', 'ft') for i in (0, 1)], [m * G / 2] * 2 + [0, 0], 1e-9)
    for phi in (0.0, 0.3, math.pi / 4):  # pyramid_anisotropy, where the pyramid is the box of the contact frame
        push = 1.0 * G * 0.4 * 0.99 / max(math.cos(phi), math.sin(phi))
        for share, rests in ((1.0, True), (1.02 / 0.99, False)):
            force = [share * push * math.cos(phi), share * push * math.sin(phi), 0, 0, 0, 0]
            motion = one([ball('b', 1, 0.1, [0, 0, 0.1], inertia=1e12, force=force)], [touch('floor', 'b', 0.4)], [0, 0, -G], pyramid='box')
            case.same(f'box at {phi}', math.hypot(*motion.of('b', V, 99)) < 1e-12, rests)
