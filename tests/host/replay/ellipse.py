"""Song's ellipse, 2004, sec. 6: as printed and by the gap, compliant and rigid."""
from replay import floor, scene, touch

A, B = 0.1, 0.05
START, ANGLE = 0.0974556066329262, 1.3089969389957472


def ellipse(eps, rule, h=1e-4, end=2.0, y=START, angle=ANGLE, vy=0.0, mu=0.2):
    body = {'name': 'ellipse', 'mass': 0.05, 'inertia': 1.5e-4, 'shape': {'ellipse': [A, B]}, 'pose': [0, y, angle],
            'velocity': [0, vy, 0]}
    patch = {'patch': {'elements': [3], 'spacing': 1e-6, 'compliance': eps, 'poisson': 0.3}} if eps else {}
    return scene(True, [0, -9.81], h, end, [floor(True), body], [touch('floor', 'ellipse', mu, **patch)],
                 'compliant' if eps else 'rigid', normal_rule=rule)


class Run:
    def __init__(self, tactus, eps, rule, *options, mu=0.2, **start):
        self.motion = tactus.run(ellipse(eps, rule, mu=mu, **start), '--elements', *options)
        self.elements, self.mu, self.steps = 3 if eps else 1, mu, len(self.motion.t)

    def _all(self, names, k):
        return [self.motion[f'floor-ellipse.{i}.{name}'][k] for name in names.split() for i in range(self.elements)]

    def q(self, k):
        return self.motion.of('ellipse', 'x y a', k)

    def v(self, k):
        return self.motion.of('ellipse', 'vx vy w', k)

    def force(self, k):
        """Of all elements the normal ones, then the tangential ones, as the files list them."""
        return self._all('fn ft', k)

    def delta(self, k):
        return self._all('dn dt', k)

    def modes(self, k):
        """0 open, 1 stick, 2 slip with s_t > 0, 3 with s_t < 0, as the files name them."""
        out = []
        for i in range(self.elements):
            n, t = self.motion[f'floor-ellipse.{i}.fn'][k], self.motion[f'floor-ellipse.{i}.ft'][k]
            out.append(0 if n <= 0 else 1 if abs(t) < self.mu * n * (1 - 1e-9) else 2 if t < 0 else 3)
        return out


def largest(rows):
    return max(abs(x) for row in rows for x in row)


def follow(tactus, case, name, eps, first_force, q_tolerance):
    file = tactus.load(name)
    run = Run(tactus, eps, 'song')
    case.same('steps', run.steps, file['params']['N'])
    first, traj = file['first_steps'], file['traj']
    for k in range(10):
        case.see('first forces', run.force(k), first['lam'][k], first_force)
        case.see('first q', run.q(k), first['q'][k], 1e-12)
        case.see('first v', run.v(k), first['v'][k], 1e-12)
        if 'delta' in first:
            case.see('first delta', run.delta(k), first['delta'][k], 1e-12)
    for row, t in enumerate(traj['t']):
        k = run.motion.index(t)
        case.see('q', run.q(k), traj['q'][row], q_tolerance)
        case.see('v', run.v(k), traj['v'][row], 1e-8 * largest(traj['v']))
        case.see('forces', run.force(k), traj['lam'][row], 1e-6)
        if 'delta' in traj:
            case.see('delta', run.delta(k), traj['delta'][row], 1e-8 * largest(traj['delta']))
        mode = traj['mode'][row]
        case.same(f'modes at {t}', run.modes(k), mode if isinstance(mode, list) else [mode])
    case.see('end', run.q(run.steps - 1), file['final']['q'], q_tolerance)
    names = ['sep', 'roll', 'slip+', 'slip-']
    seen = []  # [first step, modes]
    for k in range(run.steps):
        if not seen or run.modes(k) != seen[-1][1]:
            seen.append([k, run.modes(k)])
    case.same('segments', len(seen), len(file['segments']))
    for (k, modes), segment in zip(seen, file['segments']):
        case.same('modes of a segment', modes, segment['modes'] if eps else [names.index(segment['mode'])])
        case.see('its first step', k, segment['step0'], 1)


def case_ellipse_compliant_1e_9(tactus, case):
    follow(tactus, case, 'planar/ellipse_compliant_eps1e-09.json', 1e-9, 1e-11, 1e-8)


def case_ellipse_compliant_1e_10(tactus, case):
    follow(tactus, case, 'planar/ellipse_compliant_eps1e-10.json', 1e-10, 1e-11, 1e-8)


def case_ellipse_rigid(tactus, case):
    follow(tactus, case, 'planar/ellipse_rigid_h1e-4.json', 0, 1e-9, 1e-7)


def gap(q):
    from math import cos, hypot, sin
    return q[1] - hypot(A * sin(q[2]), B * cos(q[2]))


def pressed(run):
    return [sum(run.force(k)[:run.elements]) for k in range(run.steps)]


def case_ellipse_contact_rules_hops(tactus, case):
    hop = tactus.load('planar/ellipse_contact_rules.json')['hop_v0_0.2']
    for name, eps, rule in (('rigid_paper_eq14', 0, 'song'), ('rigid_gap', 0, 'gap'), ('compliant_paper', hop['eps'], 'song'),
                            ('compliant_geo', hop['eps'], 'gap')):
        want = hop['runs'][name]
        run = Run(tactus, eps, rule, end=0.12, vy=hop['v0'][1])
        for row, t in enumerate(want['traj']['t']):
            k = run.motion.index(t)
            case.see(name + ' q', run.q(k), want['traj']['q'][row], 1e-8)
            case.see(name + ' forces', run.force(k), want['traj']['lam'][row], 1e-6)
        first = next(k for k, force in enumerate(pressed(run)) if force > 0)
        gaps = [gap(run.q(k)) for k in range(run.steps)]
        case.see(name + ' touches', run.motion.t[first], want['first_recontact_t'], 1.01e-4)
        case.see(name + ' gap then', gaps[first], want['true_gap_at_recontact'], 1e-8)
        case.see(name + ' gap at the end', gaps[-1], want['true_gap_end'], 1e-8)
        if 'max_gap' in want:
            case.see(name + ' highest', max(gaps), want['max_gap'], 1e-8)


def case_ellipse_contact_rules_initial_gap(tactus, case):
    for name, want in tactus.load('planar/ellipse_contact_rules.json')['initial_gap'].items():
        if 'acc' in name:  # a rule that tactus does not have
            continue
        run = Run(tactus, 1e-10, 'song' if 'paper' in name else 'gap', end=0.1, y=START + want['gap0'])
        force = pressed(run)
        first = next(k for k, f in enumerate(force) if f > 0)
        case.see(name + ' first force', run.motion.t[first], want['first_force_t'], 1.01e-4)
        case.see(name + ' largest force', max(force), want['max_sum_ln'], 1e-6)
        case.see(name + ' gap at the end', gap(run.q(run.steps - 1)), want['gap_end'], 1e-8)


def case_ellipse_contact_rules_rest(tactus, case):
    rest = tactus.load('planar/ellipse_contact_rules.json')['static_rest']
    stick, d_ss = rest['mu5_all_stick'], rest['per_eps']['1e-10']['d_ss']
    for mu, forces, deltas in ((0.2, rest['end']['lam'], rest['end']['delta']), (5.0, stick['lam_end'], stick['delta_end'])):
        run = Run(tactus, rest['eps'], 'song', end=0.3, y=B, angle=rest['theta'], mu=mu)
        for row, t in enumerate(stick['traj_t']):
            deep = run.delta(run.motion.index(t))[0]
            case.see('delta', deep, stick['traj_delta_n'][row], 1e-8 * d_ss)
            case.see('closed form', deep, stick['closed_form'][row], 0.002 * d_ss)
        case.see('forces', run.force(run.steps - 1), forces, 1e-9)
        case.see('deltas', run.delta(run.steps - 1), deltas, 1e-13)


def case_ellipse_settling(tactus, case):
    file = tactus.load('planar/ellipse_settling.json')
    for name, eps, rule in (('rigid_h1e-4', 0, 'song'), ('rigid_stab_h1e-4', 0, 'gap'), ('compliant_1e-10', 1e-10, 'song'),
                            ('compliant_1e-9', 1e-9, 'song')):
        want = file[name]
        run = Run(tactus, eps, rule, end=file['params']['T'])
        h, times, slipped, last = 1e-4, [], False, 0
        for k in range(run.steps):
            modes = run.modes(k)
            if (min(modes) > 1) != slipped:
                slipped = not slipped
                times.append(h * k)
            if max(modes) > 1:
                last = h * (k + 1)
        case.see(name + ' slips', times, [t for interval in want['full_slip_intervals'] for t in interval], 1.01 * h)
        case.see(name + ' last slip', last, want['last_any_element_slip_t'], 1.01 * h)
        second = range(run.steps - 10000, run.steps)
        force = pressed(run)[-10000:]
        swing = max(abs(run.q(k)[2]) for k in second) * 180 / 3.14159265358979323846
        case.see(name + ' swing', swing, want['amp_last_1s_deg'], 1e-6)
        case.see(name + ' forces', [min(force), max(force), sum(force) * h], want['N_last_1s'], 1e-6)


def case_ellipse_lcp_instances(tactus, case):
    file = tactus.load('planar/ellipse_lcp_instances.json')
    problems = [{'name': str(i), 'n': 9, 'M': one['LCP_M'], 'q': one['LCP_q']} for i, one in enumerate(file['instances'])]
    for one, answer in zip(file['instances'], tactus.lcp(problems), strict=True):
        case.same('status', answer['status'], 'solved')
        n, forth, back = answer['z'][:3], answer['z'][3:6], answer['z'][6:]
        case.see('normal forces', n, one['lam'][:3], 1e-9 * max(map(abs, one['lam'])))
        case.see('slips', [u + v for u, v in zip(forth, back)], [abs(s) for s in one['s'][3:]], 1e-9 * max(map(abs, one['b'])))
