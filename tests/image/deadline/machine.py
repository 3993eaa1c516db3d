"""An image as objdump shows it: instructions by function, the records of tactus/bound.hpp, lines of the source."""
import collections
import re
import struct
import subprocess

CONDITION = "(?:eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|hs|lo)"
SECTION = ".debug_tactus_bounds"

Instruction = collections.namedtuple("Instruction", "address size operation operands target skippable")
Record = collections.namedtuple("Record", "address file line kind text")


class Refused(Exception):
    """What cannot be proved, and why; a sentence for a person."""


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def plain(name):
    """The bare name of a function: no arguments, scopes, and marks of copies that the compiler made."""
    name = re.sub(r" \[clone.*|\..*", "", name)
    while (shorter := re.sub(r"<[^<>]*>|\([^()]*\)|\{[^{}]*\}", "", name)) != name:
        name = shorter
    return re.split(r"::| ", name.removesuffix(" const"))[-1]


class Image:
    def __init__(self, objdump, path):
        self.path, self.tools = path, objdump.removesuffix("objdump")
        self.names, self.code, self.data = {}, {}, {}
        self._read(run(objdump, "-d", "-C", "-w", path))
        self.records = self._records()
        self._lines = {}

    def _read(self, listing):
        start, left = None, 0  # instructions that an IT block still makes conditional
        for line in listing.splitlines():
            if head := re.match(r"([0-9a-f]{8}) <(.*)>:$", line):
                start, left = int(head[1], 16), 0
                self.names.setdefault(start, head[2])
                self.code.setdefault(start, [])
                continue
            fields = line.split("\t")
            if start is None or len(fields) < 3:
                continue
            address, raw, operation = int(fields[0].strip(" :"), 16), fields[1].replace(" ", ""), fields[2].strip()
            if operation.startswith("."):  # .word and the like: tables of branches are among them
                for k, byte in enumerate(int(raw, 16).to_bytes(len(raw) // 2, "little")):
                    self.data[address + k] = byte
                continue
            operands = re.split("[@;]", fields[3])[0].strip() if len(fields) > 3 else ""
            operation = re.sub(r"\.[nw]$", "", operation)
            target = re.match(r"(?:\w+, )?([0-9a-f]+) <", operands)
            target = int(target[1], 16) if target and operation.startswith(("b", "cb")) else None
            self.code[start].append(
                Instruction(address, len(raw) // 2, operation, operands, target, left > 0))
            left = len(operation) - 1 if re.fullmatch("it[te]{0,3}", operation) else max(left - 1, 0)

    def _records(self):
        # Read from the file: the section is not loaded, and objcopy could only copy it out.
        dump = run(self.tools + "objdump", "-s", "-j", SECTION, self.path) if self._has_records() else ""
        data = bytes.fromhex("".join(m[1].replace(" ", "")
                                     for m in re.finditer(r"^ [0-9a-f]+ ((?:[0-9a-f]+ ){1,4})", dump, re.M)))
        out, at = [], 0
        while at < len(data):
            end = data.index(0, at + 4)
            place, kind, text = data[at + 4:end].decode().split(" ", 2)
            file, line = place.split(":")
            out.append(Record(struct.unpack_from("<I", data, at)[0], file, int(line), kind, text))
            at = end + 1
        return sorted(out, key=lambda r: r.address)  # those at one address in the order of the source

    def _has_records(self):
        return SECTION in run(self.tools + "objdump", "-h", self.path)

    def lines(self, addresses):
        """(file, line) of each address, of all functions that are inlined there, the innermost first."""
        return {a: [place[:2] for place in self.places(a)] for a in self._look_up(addresses)}

    def places(self, address):
        """(file, line, function) likewise."""
        self._look_up([address])
        return self._lines[address]

    def _look_up(self, addresses):
        unknown = [a for a in addresses if a not in self._lines]
        if unknown:
            text = run(self.tools + "addr2line", "-a", "-i", "-f", "-C", "-e", self.path, input="\n".join(map(hex, unknown)))
            function = None
            for line in text.splitlines():
                if line.startswith("0x"):
                    places, function = self._lines.setdefault(int(line, 16), []), None
                elif function is None:
                    function = line
                else:
                    file, number = line.split(" ")[0].rsplit(":", 1)
                    file = re.sub(r".*/(?:core/include/tactus/)?(?=(?:\w+/)?[^/]+$)", "", file)
                    places.append((file, int(number) if number.isdigit() else 0, function))
                    function = None
        return addresses

    def place(self, address):
        """For messages: where in the source that is."""
        places = self.places(address)
        return f"{places[0][0]}:{places[0][1]}" if places else "an unknown line"

    def find(self, pattern):
        """The one function whose name matches."""
        found = [a for a, name in self.names.items() if re.search(pattern, name) and self.code[a]]
        if len(found) != 1:
            raise Refused(f"{len(found)} functions match {pattern}: " + ", ".join(self.names[a] for a in found[:4]))
        return found[0]
