"""The control flow of a function, from its machine code: blocks, dominators, loops, calls."""
import collections
import re

from .machine import CONDITION, Refused, plain

EXIT = -1


class Function:
    """asked: calls behind which a block is cut."""

    def __init__(self, image, start, asked=()):
        self.image, self.start, self.name, self.asked = image, start, image.names[start], asked
        self.code = {i.address: i for i in image.code[start]}
        self._cut()
        self._reach()
        self._dominate()
        self._find_loops()

    def refuse(self, address, why):
        raise Refused(f"{plain(self.name)}, {address:#x}, {self.image.place(address)}: {why}")

    def _targets(self, i):
        """Where i may go on, or None for an instruction that just goes on to the next."""
        following, operation = i.address + i.size, i.operation
        if operation == "b" or re.fullmatch("b" + CONDITION, operation):
            inside = i.target in self.code
            if not inside:
                self.tails[i.address] = i.target
            return [i.target if inside else EXIT] + ([] if operation == "b" and not i.skippable else [following])
        if operation in ("cbz", "cbnz"):
            return [i.target, following]
        if operation in ("tbb", "tbh"):
            return self._table(i)
        if operation in ("udf", "bkpt"):
            return [EXIT]
        returns = (re.fullmatch(f"bx(?:{CONDITION})?", operation) and i.operands == "lr"
                   or re.match("pop|ldm", operation) and re.search(r"\bpc\b", i.operands)
                   or operation.startswith("ldr") and i.operands.startswith("pc"))
        if returns:
            return [EXIT] + ([following] if i.skippable else [])
        if re.fullmatch(f"blx?(?:{CONDITION})?|bx(?:{CONDITION})?", operation) and i.target is None:
            self.indirect.append(i.address)
            return None if operation.startswith("bl") else [EXIT]
        return None

    def _table(self, i):
        """A branch by a table behind it, as long as the comparison before it lets it be."""
        base, width = i.address + i.size, 1 if i.operation == "tbb" else 2
        before = [j for j in self.code.values() if i.address - 24 <= j.address < i.address]
        limits = [m for j in before if j.operation == "cmp" and (m := re.fullmatch(r"\w+, #(\d+)", j.operands))]
        if not limits:
            self.refuse(i.address, "a table of branches of unknown length")
        data = self.image.data
        entries = (sum(data[base + e * width + k] << 8 * k for k in range(width))
                   for e in range(int(limits[-1][1]) + 1))
        return [base + 2 * entry for entry in entries]

    def _cut(self):
        self.tails, self.indirect = {}, []
        targets = {a: t for a, i in self.code.items() if (t := self._targets(i)) is not None}
        leaders = {self.start} | {t for ts in targets.values() for t in ts}
        leaders |= {a + self.code[a].size for a in self.code if a in targets or a in self.asked}
        self.blocks, self.successors, block = {}, {}, None
        for address, i in self.code.items():
            if address in leaders or block is None:
                block = address
                self.blocks[block] = []
            self.blocks[block].append(i)
            following = address + i.size
            if address in targets:
                self.successors[block] = [t for t in targets[address] if t in self.code or t == EXIT]
                block = None
            elif following in leaders or following not in self.code:  # behind a call that does not return is data
                self.successors[block] = [following if following in self.code else EXIT]
                block = None

    def _reach(self):
        seen, todo = set(), [self.start]
        while todo:
            if (v := todo.pop()) not in seen and v != EXIT:
                seen.add(v)
                todo += self.successors[v]
        self.blocks = {b: code for b, code in self.blocks.items() if b in seen}
        self.predecessors = collections.defaultdict(list)
        for b in self.blocks:
            for s in self.successors[b]:
                self.predecessors[s].append(b)

    def _dominate(self):
        """Cooper, Harvey, Kennedy 2001."""
        order, seen, stack = [], {self.start}, [(self.start, iter(self.successors[self.start]))]
        while stack:
            v, rest = stack[-1]
            for s in rest:
                if s != EXIT and s not in seen:
                    seen.add(s)
                    stack.append((s, iter(self.successors[s])))
                    break
            else:
                order.append(v)
                stack.pop()
        order.reverse()
        number, self.dominator = {v: k for k, v in enumerate(order)}, {self.start: self.start}

        def meet(a, b):
            while a != b:
                while number[a] > number[b]:
                    a = self.dominator[a]
                while number[b] > number[a]:
                    b = self.dominator[b]
            return a

        changed = True
        while changed:
            changed = False
            for v in order[1:]:
                known = [p for p in self.predecessors[v] if p in self.dominator]
                new = known[0]
                for p in known[1:]:
                    new = meet(new, p)
                changed |= self.dominator.get(v) != new
                self.dominator[v] = new
        self.number = number

    def dominators(self, block):
        """From the block itself up to the start of the function."""
        while True:
            yield block
            if block == self.start:
                return
            block = self.dominator[block]

    def _find_loops(self):
        """Natural loops: header, the blocks that lead back to it, and all blocks between."""
        self.latches = collections.defaultdict(list)
        for b in self.blocks:
            for s in self.successors[b]:
                if s != EXIT and self.number[s] <= self.number[b]:
                    if s not in self.dominators(b):
                        self.refuse(s, "an irreducible loop: it is entered at two places")
                    self.latches[s].append(b)
        self.body = {}
        for header, latches in self.latches.items():
            body, todo = {header}, list(latches)
            while todo:
                if (v := todo.pop()) not in body:
                    body.add(v)
                    todo += self.predecessors[v]
            self.body[header] = body
        # The innermost loop around each block, and around each loop; None outside of all.
        by_size = sorted(self.body, key=lambda h: len(self.body[h]))
        self.loop = {b: next((h for h in by_size if b in self.body[h]), None) for b in self.blocks}
        self.parent = {h: next((g for g in by_size if g != h and h in self.body[g]), None) for h in self.body}

    def begins_with_its_body(self, header):
        """The loop's test is not where it begins, so it is begun as often as its body is done; else once more."""
        return self.latches[header] == [header] or not any(s not in self.body[header] for s in self.successors[header])

    def block_at(self, address):
        return next((b for b, code in self.blocks.items() if any(i.address == address for i in code)), None)

    def calls(self, block):
        """(address, function called) of each call in a block, the last a branch to another function, if any."""
        return [(i.address, i.target) for i in self.blocks[block]
                if re.fullmatch(f"bl(?:{CONDITION})?", i.operation) and i.target is not None] + [
                    (i.address, self.tails[i.address]) for i in self.blocks[block] if i.address in self.tails]
