"""What the records say of a function: bounds of its loops, and the values of names at a place (tactus/bound.hpp)."""
import ast
import collections
import functools
import re

from .machine import Record, Refused

# Loops of the C library, in the order of their addresses: it has no records. newlib-nano's memset goes byte by byte to a
# multiple of 4, then by 16, by 4 and by 1; memmove backwards by bytes, or forwards by bytes or likewise.
LIBRARY = {
    "memset": ["3", "bytes / 16", "3", "3"],
    "memmove": ["bytes", "bytes", "bytes / 16", "3", "3"],
}


class Several(tuple):
    """Values of which a name takes each at most once in a loop."""


def evaluate(text, names):
    """The value of an expression: a number, or Several."""
    if span := re.search(r"([^(),]+)\.\.([^(),]+)", text):
        low, high = (evaluate(part, names) for part in span.groups())
        return evaluate(text.replace(span[0], " span "), names | {"span": Several(range(low, high + 1))})
    tree = ast.parse(text.strip(), mode="eval").body
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - FUNCTIONS.keys()
    if missing := sorted(used - names.keys()):
        raise Refused(f'"{text}" needs a value for {", ".join(missing)}')
    several = [name for name in used if isinstance(names[name], Several)]
    if not several:
        return _number(tree, names)
    if any(names[name] != names[several[0]] for name in several):
        raise Refused(f'"{text}" has two names of several values each')
    return Several(_number(tree, names | dict.fromkeys(several, value)) for value in names[several[0]])


def uneven(records):
    """Names with which a bound may fall where they rise: in mod, or subtracted; and those that they come from."""
    texts = [r.text.split("=") for r in records]
    out = {name for text in texts for part in re.findall(r"mod\(.*|- *\w+", text[-1]) for name in re.findall(r"[a-z_]\w*", part)}
    while more := {name for text in texts if len(text) == 2 and text[0].strip() in out
                   for name in re.findall(r"[a-z_]\w*", text[1])} - out:
        out |= more
    return out


FUNCTIONS = {
    "min": min,
    "max": max,
    "mod": lambda a, b: a % b,
    "padded": lambda n: (n + 7) // 8 * 8,
}


def _number(node, names):
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.BinOp):
        a, b = _number(node.left, names), _number(node.right, names)
        if isinstance(node.op, ast.Add):
            return a + b
        if isinstance(node.op, ast.Sub):
            return a - b
        if isinstance(node.op, ast.Mult):
            return a * b
        if isinstance(node.op, ast.Div):
            return a // b
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) in FUNCTIONS:
        return FUNCTIONS[node.func.id](*(_number(a, names) for a in node.args))
    raise Refused(f"not an expression of bound.hpp: {ast.unparse(node)}")


class Facts:
    """The records of one function, each where it belongs."""

    LINES = 2  # from a record to the head of its loop: none in a macro, one, or two where the head is broken
    NEAR = 10  # lines of a loop behind its record, where its head itself is in no line

    def __init__(self, function):
        self.function, self.library = function, function.name in LIBRARY
        self.names = set()  # that its records read
        self.records = collections.defaultdict(list)  # by block
        starts = sorted(function.code)
        for record in function.image.records:
            if starts and starts[0] <= record.address <= starts[-1]:
                block = function.block_at(record.address)
                if block is not None:
                    self.records[block].append(record)
                    text = record.text.split("=", 1)[-1]
                    self.names |= {n for n in re.findall(r"[a-z_]\w*", text)} - FUNCTIONS.keys()
        self.spans = {r: b for b, records in self.records.items() for r in records if r.kind == "let" and ".." in r.text}
        self._give_bounds()

    def _give_bounds(self):
        f = self.function
        self.bounds = {}  # header: its record
        if self.library:
            loops = sorted(f.body)
            if len(loops) != len(LIBRARY[f.name]):
                f.refuse(f.start, f"has {len(loops)} loops, not the {len(LIBRARY[f.name])} of the library that is known")
            for header, text in zip(loops, LIBRARY[f.name]):
                self.bounds[header] = Record(header, f.name, 0, "bound", text)
                self.names |= {n for n in re.findall(r"[a-z_]\w*", text)}
            return
        # A record is known to be a loop's by a line of the source: that of the branch back; or of any instruction that
        # is in no loop inside; or, where the compiler has merged its head with another's, as the nearest left.
        for attempt in (self._lines_back, self._lines_own, self._lines_near):
            for header in f.body.keys() - self.bounds.keys():
                if record := self._bound_before(header, attempt(header), attempt == self._lines_near):
                    self.bounds[header] = record
        for header in f.body.keys() - self.bounds.keys():
            if not self._is_cut(header):
                f.refuse(header, "a loop without a bound")

    def _places(self, addresses):
        lines = self.function.image.lines(addresses)
        return {(file.split("/")[-1], line) for places in lines.values() for file, line in places}

    def _lines_back(self, header):
        f = self.function
        return self._places([f.blocks[b][-1].address for b in f.latches[header]])

    def _lines_own(self, header):
        f = self.function
        return self._places([i.address for b in f.body[header] if f.loop[b] == header for i in f.blocks[b]])

    def _lines_near(self, header):
        return {(file, line - k) for file, line in self._lines_own(header) for k in range(self.NEAR)}

    def _bound_before(self, header, lines, only_left):
        """The bound that stands before a loop: the last on every way to it whose line is one of these."""
        taken = set(self.bounds.values()) if only_left else ()

        def fits(r):
            return r.kind == "bound" and r not in taken and any(
                (r.file, r.line + k) in lines for k in range(self.LINES + 1))

        at_header = [r for r in self.records[header] if r.address == header and fits(r)]
        if at_header:
            return at_header[0]
        found = self._on_every_way(header, fits, self.function.parent[header])
        return found[0] if found and len({r[1:] for r in found}) == 1 else None

    def _on_every_way(self, block, fits, loop):
        """The last records that fit on the ways to a block within a loop, or None if there is a way without one.

        Those in other loops on the way do not count.
        """
        f, found, seen = self.function, [], set()
        todo = [p for p in f.predecessors[block] if p not in f.body.get(block, ())]
        if block == f.start:
            return None
        while todo:
            if (v := todo.pop()) in seen:
                continue
            seen.add(v)
            inside = loop is None or v in f.body[loop]
            here = [r for r in self.records[v] if fits(r)] if f.loop[v] == loop else []
            if here:
                found.append(here[-1])
            elif v in (f.start, loop) or not inside:
                return None
            else:
                todo += f.predecessors[v]
        return found

    def _is_cut(self, header):
        """Whether no round avoids a place whose count is bounded."""
        f = self.function
        cut = {b for b, records in self.records.items() if f.loop[b] == header
               and any(r.kind == "reached" for r in records)}
        seen, todo = set(), [header]
        while todo:
            v = todo.pop()
            if v in seen or v in cut:
                continue
            seen.add(v)
            for s in f.successors[v]:
                if s == header:
                    return False
                if s in f.body[header]:
                    todo.append(s)
        return True

    def several(self, header):
        """The records that give a name several values in each entry of this loop: copies of one, if any."""
        f = self.function
        found = [r for r in self.spans if f.loop[self.spans[r]] == header and not self._is_peeled(r)]
        if len({r.text for r in found}) > 1:
            f.refuse(found[0].address, "two names with several values in one loop")
        return found

    def _is_peeled(self, record):
        """A copy of a record that stands in a loop, where the compiler has put the loop's first round before it."""
        f, loop = self.function, self.function.loop[self.spans[record]]
        return any(other[1:] == record[1:] and f.loop[block] != loop and (loop is None or block in f.body[loop])
                   for other, block in self.spans.items())

    def names_at(self, address, block, context):
        """The values of names at a place: of the function's context, and of what is said on the way to it.

        context: name -> value; a record's address -> the one value that its name has in this round.
        """
        names = {n: v for n, v in context.items() if isinstance(n, str)}
        for record in reversed(self._said_before(address, block)):
            name, text = (part.strip() for part in record.text.split("=", 1))
            if record.address in context:
                names[name] = context[record.address]
                continue
            try:
                names[name] = evaluate(text, names)
                if record in self.spans and self._is_peeled(record):
                    names[name] = max(names[name], default=0)
            except Refused:
                names.pop(name, None)  # refused where the name is needed
        return names

    @functools.cache
    def _said_before(self, address, block):
        """What is said on the way to a place and not in a loop that is left, the last first.

        That is what stands in its dominators, and what the compiler has put into all ways between two of them.
        """
        f, said = self.function, []
        for d in f.dominators(block):
            if f.loop[d] is None or block in f.body[f.loop[d]]:
                said += [r for r in reversed(self.records[d]) if r.kind == "let" and (d != block or r.address <= address)]
        for name in {r.text.split("=")[0].strip() for rs in self.records.values() for r in rs if r.kind == "let"}:
            def fits(r, name=name):
                return r.kind == "let" and r.text.split("=")[0].strip() == name
            if not any(fits(r) and r.address <= address for r in self.records[block]):
                copies = self._on_every_way(block, fits, f.loop[block])
                if copies and not set(copies) & set(said) and len({r[1:] for r in copies}) == 1:
                    said.insert(0, copies[0])
        return said
