"""Song's ellipse against its continuous motion, and the compliant one beside the rigid."""
import math

from ellipse import Run, gap

RULES, RIGID = 'planar/ellipse_contact_rules.json', 'planar/ellipse_rigid_h1e-4.json'
DEGREE = math.pi / 180


def far_from(run, truth, h):
    """The largest distance at the samples, each 10 ms."""
    out = [0.0] * 3
    for row in range(1, len(truth['t'])):
        q = run.q(run.motion.index(truth['t'][row]))
        out = [max(most, abs(a - b)) for most, a, b in zip(out, q, truth['q'][row])]
    return out


def same_distance(case, what, have, want):
    """The file's is over all steps, ours over one in a hundred: it may fall short by 1 %."""
    for h, w in zip(have, want, strict=True):
        case.same(f'{what}: {h} of {w}', 0.99 * w <= h <= w * (1 + 1e-6), True)


def case_ellipse_truth_by_rules(tactus, case):
    truth, rules = tactus.load(RIGID)['event_driven_traj'], tactus.load(RULES)['vs_event_driven_h1e-4']
    for name, eps, rule in (('rigid_stab', 0, 'gap'), ('rigid_paper', 0, 'song'), ('geo_eps1e-10', 1e-10, 'gap'),
                            ('geo_eps1e-11', 1e-11, 'gap'), ('geo_eps1e-12', 1e-12, 'gap')):
        run = Run(tactus, eps, rule)
        same_distance(case, name, far_from(run, truth, 1e-4), rules[name]['max_dq_vs_event'])
        gaps = [gap(run.q(k)) for k in range(run.steps)]
        case.see(name + ' gaps', [min(gaps), max(gaps)], rules[name]['true_gap_minmax'], 1e-11)


def case_ellipse_truth_convergence(tactus, case):
    file = tactus.load(RIGID)
    for h, want in file['h_convergence'].items():
        run = Run(tactus, 0, 'song', h=float(h))
        case.see('end', run.q(run.steps - 1), want['final_q'], 1e-7)
        same_distance(case, h, far_from(run, file['event_driven_traj'], float(h)), want['max_abs_q_err_vs_event_driven'])


def case_ellipse_truth_transitions(tactus, case):
    truth = tactus.load(RIGID)['event_driven_transitions']
    run = Run(tactus, 0, 'gap')
    have = [(1e-4 * k, run.modes(k)[0]) for k in range(1, run.steps) if run.modes(k) != run.modes(k - 1)]
    names = ['', 'roll', 'slip+', 'slip-']
    for before, after in zip(truth, truth[1:]):
        near = min(abs(t - before['t1']) for t, mode in have if names[mode] == after['mode'])
        case.see('transition', near, 0, 2e-3)


def case_ellipse_without_tilt(tactus, case):
    """All elements in one point tend to the rigid motion of one."""
    import ellipse
    want = tactus.load(RULES)['notilt_max_dq_vs_rigid']
    rigid = Run(tactus, 0, 'song')
    for eps, far in want.items():
        scene = ellipse.ellipse(float(eps) * 1e-7, 'song')  # eps / rho0 is what a patch is made of; the file's rho0 is 1e-6
        scene['contacts'][0]['patch']['spacing'] = 1e-13
        soft = tactus.run(scene)
        for i, name in enumerate(('x', 'y', 'a')):
            have = max(abs(a - b) for a, b in zip(soft[f'ellipse.{name}'], rigid.motion[f'ellipse.{name}']))
            case.see(name, have, far[i], 1e-4 * far[i])


def case_ellipse_beside_the_rigid(tactus, case):
    rigid = Run(tactus, 0, 'song')
    for name, eps in (('09', 1e-9), ('10', 1e-10)):
        want = tactus.load(f'planar/ellipse_compliant_eps1e-{name}.json')['summary_vs_rigid']
        soft = Run(tactus, eps, 'song')
        sums = {run: [run.motion[f'floor-ellipse.{f}'] for f in ('fn', 'ft')] for run in (soft, rigid)}
        off = [[abs(a - b) for a, b in zip(*(run.motion[f'ellipse.{c}'] for run in (soft, rigid)))] for c in ('x', 'y', 'a')]
        case.see('q', [max(o) for o in off], want['max_abs_dq_xytheta'], 1e-7)
        apart = [[abs(a - b) for a, b in zip(sums[soft][i], sums[rigid][i])] for i in (0, 1)]
        mean = [sum(a) / soft.steps for a in apart]
        case.see('forces, mean', mean, [want['mean_abs_dfn'], want['mean_abs_dft']], 1e-6)
        case.see('forces, most', [max(a) for a in apart], [want['max_dfn'], want['max_dft']], 1e-6)
        case.see('force', [min(sums[soft][0]), max(sums[soft][0])], [want['min_sum_ln'], want['max_sum_ln']], 1e-6)


def case_ellipse_microslip(tactus, case):
    """Between the last step in which all stick and the first in which all slip the elements begin one after another."""
    for name, eps in (('09', 1e-9), ('10', 1e-10)):
        listed = tactus.load(f'planar/ellipse_compliant_eps1e-{name}.json')['microslip']
        run, h, stick, seen = Run(tactus, eps, 'song'), 1e-4, 0, 0
        modes = [run.modes(k) for k in range(run.steps)]
        for k in range(1, run.steps):
            if modes[k - 1] == [1, 1, 1]:
                stick = k
            if stick == 0 or min(modes[k]) < 2:
                continue
            want = listed[seen]
            onset = [min([j for j in range(stick, k) if modes[j][i] > 1], default=k) for i in range(3)]
            case.see('sticks until', h * stick, want['all_stick_until'], 1.01 * h)
            case.see('slips from', h * k, want['all_slip_from'], 1.01 * h)
            case.see('onsets', [h * j for j in onset], want['onset_t_elem123'], 1.01 * h)
            case.same('order', [i + 1 for i in sorted(range(3), key=lambda i: onset[i])], want['order'])
            case.same('direction', modes[k][0], 2 if want['dir'] == 'slip+' else 3)
            seen, stick = seen + 1, 0
        case.same('all', seen, len(listed))


def case_ellipse_never_settles(tactus, case):
    """Over 20 s the swings come down to the amplitude at which the ellipse would roll, and never get there."""
    file = tactus.load('planar/ellipse_settling.json')
    run = Run(tactus, 0, 'gap', end=20.0)
    a = run.motion['ellipse.a']
    swings = [(1e-4 * k, abs(a[k]) / DEGREE) for k in range(1, run.steps - 1) if (a[k] - a[k - 1]) * (a[k + 1] - a[k]) <= 0]
    for second, want in file['event_driven_amplitude_deg'].items():
        case.see(f'swing after {second} s', next(far for t, far in swings if t >= float(second)), want, 3e-3)
    case.same('above the critical one', swings[-1][1] > file['critical_amplitude_deg'], True)
    mode = run.motion['floor-ellipse.mode']
    slips = [1e-4 * k for k in range(1, run.steps) if (mode[k] == 2) != (mode[k - 1] == 2)]
    case.see('the last slips', slips[-4:], [t for pair in file['event_driven_last_slips'] for t in pair], 1e-3)
