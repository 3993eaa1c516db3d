#!/usr/bin/env python3
"""sizes.py TOOLS LIMIT EMPTY ONE_SCENE IMAGE...: flash and RAM of every image, and what the core takes for one scene.

That is the flash of ONE_SCENE beyond that of EMPTY, the same loop around nothing, so libraries that only the core needs count.
By room it is told from the line that each instruction was compiled from, since whole functions go up into others. TOOLS: the
prefix of the binutils. Exit status 1 above LIMIT bytes.
"""
import collections
import pathlib
import re
import subprocess
import sys


def run(*command, text=None):
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout


def sizes(tools, image):
    text, data, bss = map(int, run(tools + "size", image).splitlines()[1].split()[:3])
    return text + data, data + bss


def by_room(tools, image):
    listing = run(tools + "objdump", "-d", image)
    code = re.findall(r"^\s*([0-9a-f]+):\t((?:[0-9a-f]+ )+)", listing, re.MULTILINE)
    lines = run(tools + "addr2line", "-a", "-i", "-e", image, text="\n".join(address for address, _ in code))
    rooms = collections.Counter()
    for (_, raw), frames in zip(code, re.split(r"^0x[0-9a-f]+$", lines, flags=re.MULTILINE)[1:]):
        room = re.search(r"include/tactus/(\w+)/", frames)  # the innermost; Eigen inlines into it
        rooms[room.group(1) if room else "beside it"] += len(raw.replace(" ", "")) // 2
    return rooms


def main():
    tools, limit, empty, scene, *images = sys.argv[1:]
    print("  flash     RAM  image")
    for image in (scene, *images):
        print("{:7} {:7}  {}".format(*sizes(tools, image), pathlib.Path(image).name))
    print(f"instructions of {pathlib.Path(scene).name} by room, in bytes:")
    for room, size in sorted(by_room(tools, scene).items(), key=lambda entry: entry[1]):
        print(f"{size:7}  {room}")
    core = sizes(tools, scene)[0] - sizes(tools, empty)[0]
    print(f"core text for one scene: {core} bytes of at most {limit}")
    sys.exit(core > int(limit))


main()
