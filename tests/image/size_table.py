#!/usr/bin/env python3
"""size_table.py [--write] README BOARD TOOLS EMPTY FOLDER [LOCKSTEP EMULATOR...]: the rows of README's table of sizes that are
this board's say what its images in FOLDER take: each number within 2 %.

Sizes are those of `size`; the core's text is the flash of board_only.elf beyond EMPTY's, the same loop around nothing; the stack
bound is what stack_bound.py has written beside the image. With an EMULATOR the painted stack is measured, too: of firmware.elf by
10,000 ticks of LOCKSTEP, of board_only.elf by its own word. --write puts the measured rows in place of the old ones.
"""
import pathlib
import re
import subprocess
import sys

TOLERANCE = 0.02


def run(*command):
    # An emulator's console is its standard error.
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def sizes(tools, image):
    return [int(n) for n in run(tools + "size", image).splitlines()[1].split()[:3]]


def painted(image, lockstep, emulator):
    if not emulator:
        return None
    if image.stem == "firmware":
        return int(re.search(r"thread stack (\d+) of", run(lockstep, image, "fifo", "10000")).group(1))
    return int(re.search(r"^stack (\d+) bytes", run(*emulator, image), re.MULTILINE).group(1))


def measure(tools, empty, folder, lockstep, emulator):
    for name in ("firmware", "board_only"):
        image = pathlib.Path(folder) / (name + ".elf")
        text, data, bss = sizes(tools, image)
        core = None
        if name == "board_only":
            core = text + data - sum(sizes(tools, empty)[:2])
        bound = int(re.match(r"thread (\d+)", image.with_suffix(".stack").read_text()).group(1))
        yield name, [text, data, bss, core, bound, painted(image, lockstep, emulator)]


def row(board, name, numbers):
    return "| " + " | ".join([f"`{board}`", name, *("" if n is None else str(n) for n in numbers)]) + " |"


def near(stated, measured):
    if measured is None or not stated:
        return measured is None and not stated
    return abs(int(stated) - measured) <= TOLERANCE * measured


def main():
    arguments = sys.argv[1:]
    write = arguments[0] == "--write"
    readme, board, tools, empty, folder, *emulated = arguments[write:]
    lockstep, emulator = (emulated[0], emulated[1:]) if emulated else (None, None)
    readme = pathlib.Path(readme)
    lines, stale = readme.read_text().splitlines(), False
    for name, numbers in measure(tools, empty, folder, lockstep, emulator):
        print(row(board, name, numbers))
        at = [i for i, line in enumerate(lines) if line.startswith(f"| `{board}` | {name} |")]
        if len(at) != 1:
            sys.exit(f"{readme} has {len(at)} rows of {board}'s {name}, not one")
        stated = [cell.strip() for cell in lines[at[0]].split("|")[3:-1]]
        if write:
            lines[at[0]] = row(board, name, numbers)
        elif len(stated) != len(numbers) or not all(map(near, stated, numbers)):
            print(f"stale, more than 2 % off: {lines[at[0]]}")
            stale = True
    if write:
        readme.write_text("\n".join(lines) + "\n")
    if stale:
        sys.exit(f"to write it anew: cmake --build --preset {board} --target size_table")


main()
