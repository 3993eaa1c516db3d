#!/usr/bin/env python3
"""loops.py TREE: in core and firmware, nobody but the room predictor steps in a loop.

A call of step() or follow() with arguments, in the head or the body of a for, while or do, is a loop over
steps. One that hides in another function is not seen; the firmware's loop over beats is none. The rooms
before stepper (rooms.sh) cannot step, so a step() of theirs is another.
"""
import pathlib
import re
import sys

TOKEN = re.compile(r'\b(?:for|while|do)\b|\b(?:step|follow)\s*(?:<[^;{}()]*>)?\s*\((?!\s*\))|[(){};]')
ELSE = re.compile(r'\s*else\b')
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)


NO_STEPPERS = tuple(f'core/include/tactus/{room}/'
                    for room in ('math', 'lcp', 'geometry', 'dynamics', 'contact', 'predictor'))


def blank(match):
    return re.sub(r'[^\n]', ' ', match.group())


def loops_over_steps(text):
    """The lines with a step inside of a loop."""
    text = COMMENT_OR_TEXT.sub(blank, text)
    found, opened, loops = [], [], []  # loops: how many brackets were open where each began
    for token in TOKEN.finditer(text):
        word = token.group()
        if word in ('for', 'while', 'do'):
            loops.append(len(opened))
            continue
        if word[0] in 'sf' and loops:
            found.append(text.count('\n', 0, token.start()) + 1)
        if word[-1] in '({':
            opened.append(word[-1])
            continue
        closed = opened.pop() if word in ')}' else ''
        # A loop ends with its block, or with the semicolon of its only statement.
        ends = word == ';' or (closed == '{' and not ELSE.match(text, token.end()))
        while loops and ends and len(opened) <= loops[-1]:
            loops.pop()
    return found


def main():
    tree = pathlib.Path(sys.argv[1])
    files = [f for room in ('core', 'firmware') for f in sorted((tree / room).rglob('*.[hc]pp'))]
    assert files, f'{tree} has no core and no firmware'
    wrong = 0
    for file in files:
        name = file.relative_to(tree).as_posix()
        if name.startswith(NO_STEPPERS):
            continue
        for line in loops_over_steps(file.read_text()):
            print(f'{name}:{line}: a loop over steps; let predictor/follow.hpp go through them')
            wrong = 1
    return wrong


def check_itself():
    """What it must find and what not."""
    bad = ['for (;;) step(m, s);', 'while (step<2>(m)) {}', 'for (;;) if (a) { go(); } else step(m);',
           'do { if (a) { b = law.step(s, t); } } while (x);',
           'for (int i : {1, 2})\n  if (i) follow(a, [&] { return 1; }, b);']
    good = ['for (;;) go(); step(m, s);', 'for (;;) { go(); } step(m);', 'for (;;) step();',
            '// for (;;) step(m)', 'void step(M& m) { for (;;) { go({1, 2}); } }',
            'do { go(); } while (a); step(m);', 'for (;;) for (;;) { go(); } step(m);',
            'for (;;) if (a) { go(); } step(m);']
    for text in bad:
        assert len(loops_over_steps(text)) == 1, text
    for text in good:
        assert not loops_over_steps(text), text


check_itself()
sys.exit(main())
