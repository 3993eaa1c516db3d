#!/usr/bin/env python3
"""twins.py TREE: what once stood in several places stands in one.

Each line of TWINS is a thing that the tree has had more than once, and how its definition is known: a regular
expression, which comments cannot match, and where it has to match, so many times and no more. A thing of no
places must not come back. What is still there twice says why, and may not become three.
"""
import pathlib
import re
import sys

CORE = 'core/include/tactus/'
ROOMS = ('core', 'firmware', 'boards', 'host_sim')
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.S)

TWINS = [
    # what, definition, its homes
    ('the errors of a world', r'\benum class (?:What|\w*Error)\b', ['error.hpp']),
    ('the sentences of errors', r'\bsentence\(What\b', ['sentence.hpp']),
    ('the words for shapes', r'"capsule"|"half_space"', ['geometry/shape_table.hpp']),
    ('the kinds of friction', r'\benum class \w*Friction\w*Law\b', ['stepper/model.hpp']),
    ('the loop over a horizon', r'\bEnd follow\(', ['predictor/follow.hpp']),
    ('the budget of a horizon', r'\bmay_begin\(const Budget\b', ['predictor/budget.hpp']),
    ('time by free functions', r'\bmay_go_on\b', []),
    ('the clock without an end', r'\bstruct NoClock\b', ['clock.hpp']),
    ('the cross product', r'\bcross\(const (?:math::)?Vector(?:3<Scalar>|<Scalar, 3>)&', ['math/vector.hpp']),
    ('the dot product in space', r'\bdot\(const (?:math::)?Vector(?:3<Scalar>|<Scalar, 3>)&', ['math/vector.hpp']),
    ('R I R^T', r'\b(?:rotated|turned_inertia)\(const (?:math::)?(?:Matrix3|SpinMatrix|Eigen)', ['math/vector.hpp']),
    ('the mass matrix of an arm', r'\bmass_matrix\(const Arm\b', ['dynamics/arm_dynamics.hpp']),
    ('the bias forces of an arm', r'\binverse_dynamics\(const Arm\b', ['dynamics/arm_dynamics.hpp']),
    ('kinetic energy of a body', r'\bkinetic_energy\(const Inertia\b', ['dynamics/body.hpp']),
    ('Cholesky', r'\bint factor\(Scalar\*', ['math/cholesky.hpp']),
    ('sine and cosine', r'\bSinCos<Scalar> sin_cos\(', ['math/trig.hpp']),
    ('how many bodies a message moves', r'\bkMostMoving = ', ['/firmware/inputs.hpp']),
    ('what a body is', r'\bstruct BodyDescription\b', ['stepper/build_body.hpp']),
    ('what a contact is', r'\bstruct ContactDescription\b', ['stepper/build_contact.hpp']),
    ('a world that is stepped', r'\bstruct World\b', ['stepper/model.hpp']),
    ('how much a world holds', r'\bstruct Capacity\b', ['stepper/capacity.hpp']),
    ('a plant', r'\bclass \w+ : public Plant\b', ['/host_sim/src/plant.cpp']),
    # Rows of three along a frame, and columns of one point.
    ('the Jacobian of a point', r'\b(?:add_)?jacobian\(const (?:dynamics::)?Arm\b',
     ['stepper/plain_rows.hpp', 'dynamics/arm_motion.hpp']),
]


def without_comments(text):
    return COMMENT.sub(lambda match: re.sub(r'[^\n]', ' ', match.group()), text)


def places(pattern, texts):
    """Where it is defined: file and line."""
    return sorted(f'{name}:{text.count(chr(10), 0, match.start()) + 1}'
                  for name, text in texts.items() for match in re.finditer(pattern, text))


def home(name):
    return name[1:] if name.startswith('/') else CORE + name


def wrongs(texts):
    for what, pattern, homes in TWINS:
        found = places(pattern, texts)
        if sorted({place.rpartition(':')[0] for place in found}) != sorted(map(home, homes)):
            yield (f'{what}: to be defined in {", ".join(map(home, homes)) or "no place"}; '
                   f'is in {", ".join(found) or "none"}')


def check_itself(texts):
    """A second definition of each, elsewhere, has to be seen, and one in a comment not."""
    for what, pattern, homes in TWINS:
        if not homes:
            continue
        text = texts[home(homes[0])]
        twin = re.search(pattern, text).group()
        assert places(pattern, {'twin.hpp': twin}), what
        assert not places(pattern, {'twin.hpp': without_comments('// ' + twin)}), what


def main():
    tree = pathlib.Path(sys.argv[1])
    files = [f for room in ROOMS for f in sorted((tree / room).rglob('*.[hc]pp')) if 'build' not in f.parts]
    texts = {f.relative_to(tree).as_posix(): without_comments(f.read_text()) for f in files}
    assert texts, f'{tree} has no rooms'
    found = list(wrongs(texts))
    print('\n'.join(found))
    if not found:
        check_itself(texts)
    return 1 if found else 0


sys.exit(main())
