#!/usr/bin/env python3
"""stack_bound.py OBJDUMP IMAGE OUTPUT: the deepest stack an image can need, proved from its machine code.

The frame of each function is what its instructions take from the stack pointer; the call graph is every direct branch, and
every indirect one must be named below. A recursion must be named, too, with how deep it goes. What the compiler says of its functions, by
-fstack-usage beside the image, is held against it: no frame is larger, and none of dynamic size.

Writes "thread N" and "handlers N" (bytes) to OUTPUT. Exit status 1 where a bound cannot be proved or exceeds its stack.
"""
import pathlib
import re
import subprocess
import sys

from deadline.machine import plain

EXCEPTION_FRAME = 112  # what the core itself pushes: 26 words and 8 bytes of alignment

# Who calls through a pointer, and whom. nanopb's streams and callbacks: with PB_BUFFER_ONLY and no callback fields, only the
# default callback, which then finds no callback to call. The start-up: the constructors.
INDIRECT = [
    (r"start$", r"_GLOBAL__sub_I_.*"),
    (r"(pb_|decode_|encode_|buf_|default_|check_|load_|release_|read_|message_|field_|allocate_|open_|close_).*",
     r"pb_default_field_callback|pb_dec_.*|pb_enc_.*"),
]
# Messages contain messages: Configure, Contact, Patch and the field in it.
RECURSION = [(r"pb_.*|decode_.*|encode_.*|load_.*|check_.*|default_.*|message_.*|read_.*", 4)]
HANDLERS = ["beat_interrupt", "uart_interrupt", "uart_receive_interrupt"]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def parse(listing):
    frames, calls, indirect, name = {}, {}, {}, None
    for line in listing.splitlines():
        head = re.match(r"^[0-9a-f]+ <(.*)>:$", line)
        if head:
            name = head.group(1)
            frames.setdefault(name, 0)
            calls.setdefault(name, set())
            continue
        fields = line.split("\t")
        if name is None or len(fields) < 3:
            continue
        operation, operands = fields[1].strip(), fields[2]
        if operation.startswith(("push", "vpush")) or re.match(r"v?stmdb", operation) and operands.startswith("sp!"):
            registers = operands[operands.index("{") + 1:operands.index("}")]
            frames[name] += sum(size_of(r.strip()) for r in registers.split(","))
        elif operation.startswith("sub") and re.match(r"sp, (sp, )?", operands):
            amount = re.search(r"#(\d+)", operands)
            if not amount:
                sys.exit(f"{name}: a frame of dynamic size: {operation} {operands}")
            frames[name] += int(amount.group(1))
        elif operation.startswith(("str", "vstr")) and (pre := re.search(r"\[sp, #-(\d+)\]!", operands)):
            frames[name] += int(pre.group(1))
        elif re.match(r"b(l|lx)?(eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al)?(\.[wn])?$", operation):
            target = re.search(r"<(.*?)(\+0x[0-9a-f]+)?>\s*$", operands)
            if target:
                if target.group(1) != name:
                    calls[name].add(target.group(1))
                elif operation.startswith("bl") and not operation.startswith(("bls", "blt", "ble")):
                    calls[name].add(name)
        if re.match(r"bl?x", operation) and re.match(r"(r\d+|ip)\b", operands):
            indirect[name] = f"{operation} {operands.split()[0]}"
    return frames, calls, indirect


def size_of(register):
    first = register[0]
    if "-" in register:
        low, high = (int(re.sub(r"\D", "", part)) for part in register.split("-"))
        return (high - low + 1) * (8 if first == "d" else 4)
    return 8 if first == "d" else 4


def components(nodes, calls):
    """Tarjan: a component is a set of functions that call each other in a circle."""
    index, low, stack, on, out, counter = {}, {}, [], set(), [], [0]

    def visit(v):
        index[v] = low[v] = counter[0]
        counter[0] += 1
        stack.append(v)
        on.add(v)
        for w in calls.get(v, ()):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            group = set()
            while True:
                w = stack.pop()
                on.discard(w)
                group.add(w)
                if w == v:
                    break
            out.append(group)

    for v in nodes:
        if v not in index:
            visit(v)
    return out


def check_compilers_word(image, frames):
    files = list(pathlib.Path(image).parent.glob(pathlib.Path(image).name + ".*.su"))
    names = subprocess.run(["c++filt"], input="\n".join(frames), check=True, capture_output=True, text=True).stdout
    found = {}
    for name, frame in zip(names.splitlines(), frames.values()):
        found.setdefault(plain(name), []).append(frame)
    said = {}
    for line in "".join(file.read_text() for file in files).splitlines():
        place, size, kind = line.split("\t")
        if kind != "static":
            sys.exit(f"the compiler says: {line}")
        said.setdefault(plain(place.split(":", 3)[3]), []).append(int(size))
    if not said:
        sys.exit(f"no -fstack-usage file beside {image}")
    checked = 0
    for name in said.keys() & found.keys():  # the rest was not linked, or is assembly and libraries
        compilers, ours = sorted(said[name], reverse=True), sorted(found[name], reverse=True)
        if len(ours) < len(compilers):  # some of that name were not linked
            compilers = [compilers[-1]] * len(ours)
        if any(frame < size for frame, size in zip(ours, compilers)):
            sys.exit(f"{name}: frames of {ours} bytes in the machine code, of {said[name]} by the compiler")
        checked += len(ours)
    print(f"the compiler sees no larger frame in any of {checked} functions")


def bound(root, frames, calls):
    seen, todo = set(), [root]
    while todo:
        v = todo.pop()
        if v not in seen:
            seen.add(v)
            todo.extend(calls.get(v, ()))
    depth, chain = {}, {}
    for group in components(sorted(seen), calls):
        circle = len(group) > 1 or any(v in calls.get(v, ()) for v in group)
        times = 1
        if circle:
            times = next((n for pattern, n in RECURSION if all(re.fullmatch(pattern, v) for v in group)), None)
            if times is None:
                sys.exit("a recursion that is not named here: " + ", ".join(sorted(group)))
        own = sum(frames.get(v, 0) for v in group) * times
        below = [(depth[w], w) for v in group for w in calls.get(v, ()) if w not in group]
        deepest = max(below, default=(0, None))
        for v in group:
            depth[v] = own + deepest[0]
            chain[v] = deepest[1]
    path, v = [], root
    while v is not None:
        path.append(f"{v} ({frames.get(v, 0)})")
        v = chain[v]
    return depth[root], path


def main():
    objdump, image, output = sys.argv[1:]
    frames, calls, indirect = parse(run(objdump, "-d", "--no-show-raw-insn", image))
    symbols = {}
    for line in run(objdump, "-t", image).splitlines():
        fields = line.split()
        if len(fields) >= 4 and re.fullmatch("[0-9a-f]{8}", fields[0]):
            symbols[fields[-1]] = int(fields[0], 16)
    for caller, instruction in indirect.items():
        targets = [t for who, whom in INDIRECT if re.fullmatch(who, caller) for t in frames if re.fullmatch(whom, t)]
        known = any(re.fullmatch(who, caller) for who, _ in INDIRECT)
        if not known:
            sys.exit(f"{caller} calls through a pointer ({instruction}) that is not named here")
        calls[caller].update(targets)
    check_compilers_word(image, frames)

    thread, path = bound("start", frames, calls)
    thread += EXCEPTION_FRAME
    handlers = sum(bound(h, frames, calls)[0] + EXCEPTION_FRAME for h in HANDLERS if h in frames)
    fault, _ = bound("record_fault", frames, calls)
    sizes = {
        "thread": symbols["__thread_stack_top"] - symbols["__thread_stack_limit"],
        "handlers": symbols["__handler_stack_top"] - symbols["__handler_stack_limit"],
        "fault": symbols["__fault_stack_top"] - symbols["__thread_stack_top"],
    }
    text = ""
    for name, need in (("thread", thread), ("handlers", handlers), ("fault", fault)):
        print(f"{name}: at most {need} of {sizes[name]} bytes")
        text += f"{name} {need}\n"
    print("the thread's deepest chain: " + " > ".join(run_filt(path)))
    pathlib.Path(output).write_text(text)
    if thread > sizes["thread"] or handlers > sizes["handlers"] or fault > sizes["fault"]:
        sys.exit("a stack is too small")


def run_filt(names):
    text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True).stdout
    return [re.sub(r"[<(].*[>)] \(", " (", line) for line in text.splitlines()] or names


main()
