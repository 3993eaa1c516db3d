#!/usr/bin/env python3
"""addition.py TREE BUILD: what CONTRIBUTING.md says it takes to add a shape, a field of a message and a law is
true.

In a copy of the tree it adds a coin, a disc of a kind of its own, and a field that scales a shape; it counts
the places that had to be edited (blocks of changed lines; an include counts with what needs it) and compiles
and runs a program with them: the coin comes in a scene and in a message, is checked, and touches the ground
and a disc. The law is a spring with a damper: a file, a line in the table, and a test that steps a ball on it
(the folder addition). BUILD is a build folder of the tree, for its compile_commands.json and what was
fetched into it.
"""
import difflib
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

GEOMETRY, STEPPER, WIRE = (f'core/include/tactus/{room}/' for room in ('geometry', 'stepper', 'wire'))

# Where to edit: a file, the text after which something is put, and what.
COIN = [
    (GEOMETRY + 'shape_table.hpp', 'box, polygon, rod', ', coin'),
    (GEOMETRY + 'shape_table.hpp', 'ShapeRow{"rod", Form::length, 2, 5},            //\n',
     '    ShapeRow{"coin", Form::radius, 1, 9},\n'),
    (GEOMETRY + 'planar_half_space.hpp', '  switch (b.kind) {\n',
     '    case PlanarKind::coin:\n'
     '      return add_point<Scalar>(set, normal, f.position, -b.size.x() * normal, centre_gap - b.size.x(),\n'
     '                               margin, 0);\n'),
    (GEOMETRY + 'planar_distance.hpp', '  switch (shape.kind) {\n',
     '    case PlanarKind::coin:\n      return detail::distance_to_ball<Scalar, 2>(p, shape.size.x());\n'),
    (WIRE + 'messages.proto', '  CAPSULE = 8;     // radius, half length\n', '  COIN = 9;        // radius\n'),
]
SCALE = [
    (WIRE + 'messages.proto', '  uint32 sides = 4;\n', '  float scale = 5;  // of the size; 0: 1\n'),
    ('firmware/convert.hpp', 'numbers.value[i] = from.size[i]', ' * (from.scale == 0 ? 1 : from.scale)'),
]
LAW = [
    (STEPPER + 'laws.hpp', '#include "tactus/stepper/law_rigid.hpp"\n',
     '#include "tactus/stepper/law_spring.hpp"\n'),
    (STEPPER + 'laws.hpp', 'using Laws = LawTable<',
     'SpringDamper,  // R = 1 / (h k + d), c = k gap / (h k + d)\n                      '),
]

PROGRAM = r'''
#include <cstdio>
#include <string_view>

#include "firmware/convert.hpp"
#include "scene_parts.hpp"
#include "tactus/plane.hpp"

#define DEMAND(x) if (!(x)) return std::puts("not so: " #x), 1

using namespace tactus;
using namespace tactus::geometry;

int main() {
  const auto text = nlohmann::json::parse(R"({"coin": 0.5})");
  const host::Shape scene = host::read_shape(host::JsonNode(text, "scene.json"), true);
  DEMAND(std::string_view(scene.name()) == "coin" && scene.numbers.value[0] == 0.5);

  tactus_wire_Shape message = tactus_wire_Shape_init_zero;
  message.kind = tactus_wire_ShapeKind_COIN;
  DEMAND(scene.row->wire == message.kind);
  message.size_count = 1;
  message.size[0] = 0.5F;
  Shape<float, 2> coin;
  DEMAND(firmware::detail::read_shape<2>(message, coin) && !check(coin));
  DEMAND(bounding_radius(coin) == 0.5F);
  DEMAND(stepper::point_slots(PlanarKind::half_space, coin.kind, 0) == 1);

  PlanarContacts<float> contacts;
  const PlanarPose<float> origin{0, 0, 0}, above{0, 0.75F, 0};
  const auto ground = half_space<float>(math::Vector2<float>(0, 1), 0);
  DEMAND(find_contacts(ground, origin, coin, above, 1.0F, contacts) == FindStatus::ok);
  DEMAND(contacts.count == 1 && contacts[0].gap == 0.25F);
  DEMAND(find_contacts(disc(0.125F), origin, coin, above, 1.0F, contacts) == FindStatus::ok);
  DEMAND(contacts.count == 1 && contacts[0].gap == 0.125F);

  message.scale = 2;
  DEMAND(firmware::detail::read_shape<2>(message, coin) && coin.size.x() == 1);
  return 0;
}
'''


def flags(tree, copy, build, made):
    """Of the scene reader and of the board's messages together, with the copy's headers for the tree's."""
    commands = json.loads((build / 'compile_commands.json').read_text())
    commands = {entry['file']: shlex.split(entry['command']) for entry in commands}
    out = ['-isystem', str(made)]
    for file in ('host_sim/src/scene_shapes.cpp', 'host_sim/link/mirror.cpp'):
        words = commands[str(tree / file)]
        out += [word for word in words if word.startswith(('-D', '-W', '-std'))]
        folders = [('-I', word[2:]) for word in words if word.startswith('-I')]
        folders += [('-isystem', words[i + 1]) for i, word in enumerate(words) if word == '-isystem']
        for option, place in folders:
            if not place.startswith(f'{build}/messages'):
                out += [option, place.replace(str(tree), str(copy), 1) if option == '-I' else place]
    return out


def edit(copy, edits):
    """Does them; the places edited, which are the blocks of changed lines, each as 'file:line'."""
    before = {name: (copy / name).read_text() for name, _, _ in edits}
    for name, after, what in edits:
        text = (copy / name).read_text()
        if text.count(after) != 1:
            sys.exit(f'{name} does not have, once: {after!r}. Say in addition.py where to edit now.')
        (copy / name).write_text(text.replace(after, after + what))
    found = []
    for name, text in before.items():
        lines = text.splitlines(), (copy / name).read_text().splitlines()
        blocks = difflib.SequenceMatcher(None, *lines, autojunk=False).get_opcodes()
        found += [f'{name}:{block[3] + 1}' for block in blocks if block[0] != 'equal'
                  and not all(line.startswith('#include') for line in lines[1][block[3]:block[4]])]
    return found


def runs(flags, sources, program):
    command = ['c++', '-O1', '-ffp-contract=off', *flags, *sources, '-lfmt', '-o', program]
    return all(subprocess.run(c).returncode == 0 for c in (command, [program]))


def generate_messages(copy, made):
    made.mkdir()
    wire = copy / WIRE
    subprocess.run(['protoc', f'-I{wire}', f'--nanopb_opt=-f{wire}/messages.options', f'--nanopb_out={made}',
                    f'{wire}/messages.proto'], check=True, stdout=subprocess.DEVNULL)


def add_law(tree, copy):
    """The places, the first of which is the law's own file."""
    name = STEPPER + 'law_spring.hpp'
    shutil.copy(tree / 'tests/house/addition/law_spring.hpp', copy / name)
    return [name, *edit(copy, LAW)]


def main():
    tree, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for room in ('core', 'firmware', 'host_sim/src'):
            shutil.copytree(tree / room, copy / room)
        shape, field, law = edit(copy, COIN), edit(copy, SCALE), add_law(tree, copy)
        for kind, places in {'shape': shape, 'field': field, 'law': law}.items():
            print(*(f'a {kind}: {place}' for place in places), sep='\n')
        if len(shape) > 5 or len(field) > 2 or len(law) > 2:
            sys.exit('A shape takes 5 places at most, a field 2, a law 2.')
        made = copy / 'made'
        generate_messages(copy, made)
        (made / 'shape.cpp').write_text(PROGRAM)
        options = flags(tree, copy, build, made)
        names = 'scene_shapes', 'scene_parts', 'json_node', 'input_error'
        reader = [copy / 'host_sim/src' / f'{name}.cpp' for name in names]
        test = tree / 'tests/house/addition/test_spring.cpp'
        programs = {'shape': [made / 'shape.cpp', *reader], 'law': [test]}
        if not all(runs(options, sources, made / name) for name, sources in programs.items()):
            sys.exit('With these places alone it does not work.')


main()
