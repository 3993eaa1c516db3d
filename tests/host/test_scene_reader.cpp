// A scene that cannot be right is refused with one line that names the file, the key and the reason. Each row
// below spoils a right scene in one place; that the unspoilt scene is read is tested too, else every row
// would pass.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <string>
#include <vector>

#include "input_error.hpp"
#include "json_file.hpp"
#include "scene_reader.hpp"
#include "unity.h"

using tactus::host::InputError;
using tactus::host::parse_scene;
using tactus::host::Scene;

namespace {

const std::string kFile = std::string(TACTUS_MODELS_DIR) + "/scene.json";  // of arms: beside their robots

const std::string kPlane = R"({
  "tactus": 1, "name": "ellipse", "plane": true, "gravity": [0, -9.81],
  "time": {"step": 1e-4, "end": 2.0},
  "method": "compliant",
  "facets": 4,
  "bodies": [
    {"name": "ground", "shape": {"halfspace": {"normal": [0, 1], "offset": 0}}},
    {"name": "ellipse", "mass": 0.05, "inertia": 1.5e-4, "shape": {"ellipse": [0.1, 0.05]},
     "pose": [0, 0.0975, 1.3], "velocity": [0, 0, 0], "force": [0, 0, 0]}],
  "contacts": [
    {"between": ["ground", "ellipse"], "mu": 0.2, "restitution": 0,
     "patch": {"elements": [3], "spacing": 1e-6, "compliance": 1e-10, "poisson": 0.3}}],
  "joints": [], "arms": []
})";

const std::string kSpace = R"({
  "tactus": 1, "name": "box", "plane": false, "gravity": [0, 0, -9.81],
  "time": {"step": 0.001, "end": 1}, "method": "rigid", "facets": 8,
  "bodies": [
    {"name": "table", "shape": {"box": [1, 1, 0.1]}, "pose": [0, 0, -0.1, 1, 0, 0, 0]},
    {"name": "box", "mass": 1, "inertia": [0.01, 0.02, 0.03], "shape": {"box": [0.1, 0.1, 0.1]},
     "pose": [0, 0, 0.1, 1, 0, 0, 0], "velocity": [0, 0, 0, 0, 0, 0], "force": {"table": [[0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0]]}},
    {"name": "ball", "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "shape": {"sphere": 0.1}, "pose": [1, 0, 0.1, 1, 0, 0, 0]}],
  "contacts": [
    {"between": ["table", "box"], "mu": {"static": 0.5, "kinetic": 0.4}},
    {"between": ["table", "ball"], "mu": {"kinetic": 0.4, "extra": 0.1, "speed": 0.01}, "ellipsoid": [1, 1, 0.01]}],
  "joints": [{"type": "revolute", "between": ["box", "ball"], "at": [0.5, 0, 0.1], "axis": [0, 0, 1]}],
  "arms": [{"name": "finger", "urdf": "finger.urdf", "base": [0, 0, 1, 1, 0, 0, 0], "q": [0, 0, 0], "qd": [0, 0, 0],
            "torque": [0, 0, 0], "tips": [{"link": "tip", "sphere": 0.01, "at": [0, 0, 0]}]}]
})";

struct Row {
  const char* from;  // replaced in the right scene; must occur
  const char* to;
  const char* key;     // must follow the file
  const char* reason;  // must occur behind the key
};

const Row kPlaneRows[] = {
    // Keys.
    {R"("tactus": 1,)", "", "tactus", "missing"},
    {R"("name": "ellipse", "plane")", R"("plane")", "name", "missing"},
    {R"("plane": true,)", "", "plane", "missing"},
    {R"("gravity": [0, -9.81],)", "", "gravity", "missing"},
    {R"("time": {"step": 1e-4, "end": 2.0},)", "", "time", "missing"},
    {R"("step": 1e-4, )", "", "time.step", "missing"},
    {R"(, "end": 2.0)", "", "time.end", "missing"},
    {R"("method": "compliant",)", "", "method", "missing"},
    {R"("name": "ground", )", "", "bodies[0].name", "missing"},
    {R"("inertia": 1.5e-4, )", "", "bodies[1].inertia", "missing"},
    {R"("mass": 0.05, )", "", "bodies[1].mass", "missing"},
    {R"("shape": {"ellipse": [0.1, 0.05]},)", "", "bodies[1].shape", "missing"},
    {R"("pose": [0, 0.0975, 1.3], )", "", "bodies[1].pose", "missing"},
    {R"("between": ["ground", "ellipse"], )", "", "contacts[0].between", "missing"},
    {R"("mu": 0.2, )", "", "contacts[0].mu", "missing"},
    {R"("compliance": 1e-10, )", "", "contacts[0].patch.compliance", "missing"},
    {R"("elements": [3], )", "", "contacts[0].patch.elements", "missing"},
    {R"(, "offset": 0)", "", "bodies[0].shape.halfspace.offset", "missing"},
    {R"("facets": 4,)", R"("facet": 4,)", "facet", "unknown key"},
    {R"("end": 2.0)", R"("end": 2.0, "stop": 3)", "time.stop", "unknown key"},
    {R"("mass": 0.05)", R"("masss": 0.05)", "bodies[1].masss", "unknown key"},
    {R"("mu": 0.2)", R"("mu": 0.2, "friction": 1)", "contacts[0].friction", "unknown key"},
    {R"("poisson": 0.3)", R"("poisson": 0.3, "young": 1)", "contacts[0].patch.young", "unknown key"},
    {R"("mass": 0.05)", R"("mass": 0.05, "mass": 0.06)", "bodies[1].mass", "twice"},
    {R"("tactus": 1,)", R"("tactus": 1, "tactus": 1,)", "tactus", "twice"},
    {R"("spacing": 1e-6)", R"("line\nfeed": 1, "spacing": 1e-6)", R"(contacts[0].patch.line\x0afeed)",
     "unknown key"},
    // Types.
    {R"("tactus": 1)", R"("tactus": 2)", "tactus", "from 1 to 1"},
    {R"("tactus": 1)", R"("tactus": "1")", "tactus", "whole number"},
    {R"("plane": true)", R"("plane": 1)", "plane", "true or false"},
    {R"("name": "ground")", R"("name": 7)", "bodies[0].name", "string"},
    {R"("name": "ground")", R"("name": "")", "bodies[0].name", "empty"},
    {R"("name": "ground")", R"("name": "a,b")", "bodies[0].name", "comma"},
    {R"("mass": 0.05)", R"("mass": "0.05")", "bodies[1].mass", "number"},
    {R"("mass": 0.05)", R"("mass": null)", "bodies[1].mass", "number"},
    {R"("mass": 0.05)", R"("mass": true)", "bodies[1].mass", "number"},
    {R"("inertia": 1.5e-4)", R"("inertia": [1, 1, 1])", "bodies[1].inertia", "number"},
    {R"("gravity": [0, -9.81])", R"("gravity": -9.81)", "gravity", "list"},
    {R"("time": {"step": 1e-4, "end": 2.0})", R"("time": 2)", "time", "object"},
    {R"("elements": [3])", R"("elements": [3.5])", "contacts[0].patch.elements[0]", "whole number"},
    {R"("joints": [])", R"("joints": {})", "joints", "list"},
    {R"("arms": [])", R"("arms": null)", "arms", "list"},
    {R"("shape": {"ellipse": [0.1, 0.05]})", R"("shape": "ellipse")", "bodies[1].shape", "object"},
    // Lengths.
    {R"("gravity": [0, -9.81])", R"("gravity": [0, 0, -9.81])", "gravity", "2 values"},
    {R"("pose": [0, 0.0975, 1.3])", R"("pose": [0, 0.0975])", "bodies[1].pose", "3 values"},
    {R"("velocity": [0, 0, 0])", R"("velocity": [])", "bodies[1].velocity", "3 values"},
    {R"("force": [0, 0, 0])", R"("force": [0, 0, 0, 0])", "bodies[1].force", "3 values"},
    {R"("ellipse": [0.1, 0.05])", R"("ellipse": [0.1])", "bodies[1].shape.ellipse", "2 values"},
    {R"("normal": [0, 1])", R"("normal": [0, 0, 1])", "bodies[0].shape.halfspace.normal", "2 values"},
    {R"("elements": [3])", R"("elements": [3, 3])", "contacts[0].patch.elements", "1 values"},
    {R"("between": ["ground", "ellipse"])", R"("between": ["ground"])", "contacts[0].between", "2 values"},
    // Numbers.
    {R"("mass": 0.05)", R"("mass": -0.05)", "bodies[1].mass", "positive"},
    {R"("mass": 0.05)", R"("mass": 0)", "bodies[1].mass", "positive"},
    {R"("mass": 0.05)", R"("mass": 1e999)", "bodies[1].mass", "too large"},
    {R"("mass": 0.05)", R"("mass": NaN)", "bodies[1].mass", "not valid JSON"},
    {R"("mass": 0.05)", R"("mass": Infinity)", "bodies[1].mass", "not valid JSON"},
    {R"("mass": 0.05)", R"("mass": 05)", "bodies[1].mass", "not valid JSON"},
    {R"("inertia": 1.5e-4)", R"("inertia": 0)", "bodies[1].inertia", "positive"},
    {R"("inertia": 1.5e-4)", R"("inertia": -1e-4)", "bodies[1].inertia", "positive"},
    {R"("step": 1e-4)", R"("step": 0)", "time.step", "positive"},
    {R"("step": 1e-4)", R"("step": -1e-4)", "time.step", "positive"},
    {R"("step": 1e-4)", R"("step": 1e-300)", "time.step", "capacity"},
    {R"("end": 2.0)", R"("end": 0)", "time.end", "positive"},
    {R"("end": 2.0)", R"("end": 1e-5)", "time.end", "before"},
    {R"("ellipse": [0.1, 0.05])", R"("ellipse": [0.1, 0])", "bodies[1].shape.ellipse[1]", "positive"},
    {R"("normal": [0, 1])", R"("normal": [0, 0])", "bodies[0].shape.halfspace.normal", "zero"},
    {R"("mu": 0.2)", R"("mu": -0.2)", "contacts[0].mu", "negative"},
    {R"("restitution": 0)", R"("restitution": 1.5)", "contacts[0].restitution", "from 0 to 1"},
    {R"("restitution": 0)", R"("restitution": -0.1)", "contacts[0].restitution", "from 0 to 1"},
    {R"("spacing": 1e-6)", R"("spacing": 0)", "contacts[0].patch.spacing", "positive"},
    {R"("compliance": 1e-10)", R"("compliance": -1)", "contacts[0].patch.compliance", "positive"},
    {R"("poisson": 0.3)", R"("poisson": 0.6)", "contacts[0].patch.poisson", "0.5"},
    {R"("poisson": 0.3)", R"("poisson": -0.1)", "contacts[0].patch.poisson", "from 0"},
    // Sizes.
    {R"("elements": [3])", R"("elements": [0])", "contacts[0].patch.elements[0]", "from 1"},
    {R"("elements": [3])", R"("elements": [100000])", "contacts[0].patch.elements[0]", "from 1"},
    {R"("elements": [3])", R"("elements": [99999999999999999999])", "contacts[0].patch.elements[0]",
     "whole number"},
    {R"("facets": 4)", R"("facets": 5)", "facets", "4, 8 or 16"},
    // What does not fit together.
    {R"("method": "compliant")", R"("method": "rigid")", "contacts[0].patch", "only with"},
    {R"("method": "compliant")", R"("method": "soft")", "method", "not one of"},
    {R"("method": "compliant")", R"("method": "compliant", "exact": true)", "exact", "only with"},
    {R"("method": "compliant")", R"("method": "cone", "exact": 1)", "exact", "true or false"},
    {R"("between": ["ground", "ellipse"])", R"("between": ["ground", "disc"])", "contacts[0].between[1]",
     "no body"},
    {R"("between": ["ground", "ellipse"])", R"("between": ["ellipse", "ellipse"])", "contacts[0].between",
     "differ"},
    {R"("name": "ellipse", "mass")", R"("name": "ground", "mass")", "bodies[1].name", "taken"},
    {R"("ellipse": [0.1, 0.05])", R"("sphere": 0.1)", "bodies[1].shape.sphere", "spatial scenes"},
    {R"("ellipse": [0.1, 0.05])", R"("ellipse": [0.1, 0.05], "disc": 1)", "bodies[1].shape", "one shape"},
    {R"({"ellipse": [0.1, 0.05]})", "{}", "bodies[1].shape", "one shape"},
    {R"("ellipse": [0.1, 0.05])", R"("polygon": {"sides": 2, "radius": 1})", "bodies[1].shape.polygon.sides",
     "from 3"},
    {R"({"name": "ground", )", R"({"name": "ground", "velocity": [1, 0, 0], )", "bodies[0].velocity",
     "fixed"},
    {R"({"name": "ground", )", R"({"name": "ground", "force": [1, 0, 0], )", "bodies[0].force", "fixed"},
    {R"({"name": "ground", )", R"({"name": "ground", "inertia": 1, )", "bodies[0].mass", "missing"},
    {R"("mass": 0.05, "inertia": 1.5e-4, )", "", "bodies", "nothing moves"},
    {R"("arms": [])", R"("arms": [{}])", "arms[0]", "spatial scenes"},
    {R"("force": [0, 0, 0])", R"("force": {"table": []})", "bodies[1].force.table", "one row"},
    {R"("force": [0, 0, 0])", R"("force": {"table": [[1, 0, 0, 0], [1, 0, 0, 0]]})",
     "bodies[1].force.table[1][0]", "increase"},
    {R"("force": [0, 0, 0])", R"("force": {"table": [[1, 0, 0]]})", "bodies[1].force.table[0]", "4 values"},
    {R"("restitution": 0)", R"("ellipsoid": [1, 1, 1])", "contacts[0].ellipsoid", "spatial scenes"},
    // Not JSON at all.
    {R"("arms": [])", R"("arms": [],)", "arms", "not valid JSON"},
    {R"("joints": [], "arms": []
})",
     "", "contacts", "ends in the middle"},
    {R"("plane": true)", R"("plane": // yes)", "plane", "not valid JSON"},
    {R"("plane": true)", R"('plane': true)", "", "not valid JSON"},
};

const Row kSpaceRows[] = {
    {R"([0.01, 0.02, 0.03])", R"([0.01, 0.02, 0])", "bodies[1].inertia", "positive definite"},
    {R"([0.01, 0.02, 0.03])", R"([0.01, 0.02, -0.03])", "bodies[1].inertia", "positive definite"},
    {R"([0.01, 0.02, 0.03])", R"([0.01, 0.02])", "bodies[1].inertia", "3 values"},
    {R"([0.01, 0.02, 0.03])", R"(0.01)", "bodies[1].inertia", "list"},
    {R"([1, 1, 1, 0, 0, 0])", R"([1, 1, 1, 2, 0, 0])", "bodies[2].inertia", "positive definite"},
    {R"([1, 1, 1, 0, 0, 0])", R"([1, 1, 1, 0.9, -0.9, 0.9])", "bodies[2].inertia", "positive definite"},
    {R"("pose": [0, 0, 0.1, 1, 0, 0, 0])", R"("pose": [0, 0, 0.1, 0, 0, 0, 0])", "bodies[1].pose", "norm 0"},
    {R"("pose": [0, 0, 0.1, 1, 0, 0, 0])", R"("pose": [0, 0, 0.1, 1, 1, 0, 0])", "bodies[1].pose",
     "norm 1.41421"},
    {R"("pose": [0, 0, 0.1, 1, 0, 0, 0])", R"("pose": [0, 0, 0.1])", "bodies[1].pose", "7 values"},
    {R"("velocity": [0, 0, 0, 0, 0, 0])", R"("velocity": [0, 0, 0])", "bodies[1].velocity", "6 values"},
    {R"("sphere": 0.1)", R"("sphere": -0.1)", "bodies[2].shape.sphere", "positive"},
    {R"("sphere": 0.1)", R"("disc": 0.1)", "bodies[2].shape.disc", "plane scenes"},
    {R"("sphere": 0.1)", R"("capsule": {"radius": 0.1})", "bodies[2].shape.capsule.half_length", "missing"},
    {R"("sphere": 0.1)", R"("intersection": [{"sphere": 1}])", "bodies[2].shape.intersection", "two shapes"},
    {R"("sphere": 0.1)", R"("intersection": [{"sphere": 1}, {"sphere": 0}])",
     "bodies[2].shape.intersection[1].sphere", "positive"},
    {R"("sphere": 0.1)", R"("intersection": {"sphere": 1, "box": [1, 1, 1]})", "bodies[2].shape.intersection",
     "list"},
    {R"("sphere": 0.1)", R"("intersection": [])", "bodies[2].shape.intersection", "two shapes"},
    {R"("sphere": 0.1)", R"("intersection": [{"sphere": 1}, {"disc": 1}])",
     "bodies[2].shape.intersection[1].disc", "plane scenes"},
    {R"("sphere": 0.1)", R"("intersection": [{"sphere": 1}, {"ball": 1}])",
     "bodies[2].shape.intersection[1].ball", "unknown key"},
    {R"("sphere": 0.1)", R"("intersection": [{"sphere": 1}, {"box": [1, 1]}])",
     "bodies[2].shape.intersection[1].box", "3 values"},
    {R"("sphere": 0.1)", R"("ellipsoid": [0.1, 0.1])", "bodies[2].shape.ellipsoid", "3 values"},
    {R"("sphere": 0.1)", R"("ellipsoid": [0.1, 0.1, 0])", "bodies[2].shape.ellipsoid[2]", "positive"},
    {R"("sphere": 0.1)", R"("ellipsoid": [0.1, "0.1", 1])", "bodies[2].shape.ellipsoid[1]", "number"},
    {R"("static": 0.5, "kinetic": 0.4)", R"("static": 0.3, "kinetic": 0.4)", "contacts[0].mu.kinetic",
     "static"},
    {R"("method": "rigid")", R"("method": "implicite")", "method", "not one of"},
    {R"("method": "rigid")", R"("method": "implicit", "exact": true)", "exact", "only with"},
    {R"("static": 0.5, "kinetic": 0.4)", R"("static": 0.5)", "contacts[0].mu.kinetic", "missing"},
    {R"("speed": 0.01)", R"("speed": 0)", "contacts[1].mu.speed", "positive"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": [1, 1])", "contacts[1].ellipsoid", "3 values"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": 1)", "contacts[1].ellipsoid", "list"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": [1, 0, 1])", "contacts[1].ellipsoid[1]", "positive"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": [1, 1, null])", "contacts[1].ellipsoid[2]", "number"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": [1, 1, 1e999])", "contacts[1].ellipsoid[2]",
     "too large"},
    {R"("ellipsoid": [1, 1, 0.01])", R"("ellipsoid": [1, 1, -1])", "contacts[1].ellipsoid[2]", "positive"},
    {R"("between": ["table", "box"])",
     R"("patch": {"stiffness": 1, "damping": 1}, "between": ["table", "box"])", "contacts[0].patch",
     "only with"},
    {R"("between": ["table", "ball"])", R"("between": ["box", "table"])", "contacts[1].between", "twice"},
    {R"("type": "revolute")", R"("type": "hinge")", "joints[0].type", "not one of"},
    {R"("axis": [0, 0, 1])", R"("axis": [0, 0, 0])", "joints[0].axis", "zero"},
    {R"("type": "revolute")", R"("type": "fixed")", "joints[0].axis", "no axis"},
    {R"("at": [0.5, 0, 0.1])", R"("at": [0.5, 0])", "joints[0].at", "3 values"},
    {R"("between": ["box", "ball"])", R"("between": ["box", "finger/tip"])", "joints[0].between[1]",
     "not the tips"},
    {R"("qd": [0, 0, 0])", R"("qd": [0, 0])", "arms[0].qd", "3 values"},
    {R"("torque": [0, 0, 0])", R"("torque": [0])", "arms[0].torque", "3 values"},
    {R"("q": [0, 0, 0])", R"("q": [])", "arms[0].q", "3 values"},
    {R"("q": [0, 0, 0])", R"("q": [0, 0, 0, 0])", "arms[0].q", "3 values"},
    {R"("q": [0, 0, 0])", R"("q": [0, 0, 1.9])", "arms[0].q[2]", "goes from -0.2 to 1.8"},
    {R"("q": [0, 0, 0])", R"("q": [0, null, 0])", "arms[0].q[1]", "number"},
    {R"("q": [0, 0, 0])", R"("q": [0, NaN, 0])", "arms[0].q[1]", "not valid JSON"},
    {R"("q": [0, 0, 0])", R"("q": [0, 1e999, 0])", "arms[0].q[1]", "too large"},
    {R"("q": [0, 0, 0], )", "", "arms[0].q", "missing"},
    {R"("qd": [0, 0, 0])", R"("qd": [0, 0, "0"])", "arms[0].qd[2]", "number"},
    {R"("qd": [0, 0, 0],)", "", "arms[0].qd", "missing"},
    {R"("torque": [0, 0, 0])", R"("torque": [0, 0, 1e999])", "arms[0].torque[2]", "too large"},
    {R"("torque": [0, 0, 0])", R"("torque": 0)", "arms[0].torque", "list"},
    {R"("torque": [0, 0, 0], )", "", "arms[0].torque", "missing"},
    {R"("torque": [0, 0, 0])", R"("torque": {"table": [[0, 0, 0]]})", "arms[0].torque.table[0]", "4 values"},
    {R"("torque": [0, 0, 0])", R"("torque": {"table": [[0, 0, 0, 0], [0, 1, 0, 0]]})",
     "arms[0].torque.table[1][0]", "increase"},
    {R"("torque": [0, 0, 0])", R"("torque": {"held": [0, 0, 0]})", "arms[0].torque.held", "unknown key"},
    {R"("torque": [0, 0, 0])", R"("torque": {"impedance": [1, 1, 1]})", "arms[0].torque.impedance", "object"},
    {R"("torque": [0, 0, 0])", R"("torque": {"impedance": {}})", "arms[0].torque.impedance.stiffness",
     "missing"},
    {R"("torque": [0, 0, 0])",
     R"("torque": {"impedance": {"stiffness": [1, -1, 1], "damping": [0, 0, 0], "q": [0, 0, 0]}})",
     "arms[0].torque.impedance.stiffness[1]", "negative"},
    {R"("torque": [0, 0, 0])",
     R"("torque": {"impedance": {"stiffness": [1, 1, 1], "damping": [0, 0], "q": [0, 0, 0]}})",
     "arms[0].torque.impedance.damping", "3 values"},
    {R"("torque": [0, 0, 0])", R"("torque": {"impedance": {"stiffness": [1, 1, 1], "damping": [0, 0, 0]}})",
     "arms[0].torque.impedance.q", "missing"},
    {R"("torque": [0, 0, 0])",
     R"("torque": {"impedance": {"stiffness": [1, 1, 1], "damping": [0, 0, 0], "q": [0, 0, 0], "qd": [0]}})",
     "arms[0].torque.impedance.qd", "3 values"},
    {R"("torque": [0, 0, 0])",
     R"("torque": {"impedance": {"stiffness": [1, 1, 1], "damping": [0, 0, 0], "q": [0, 0, 0], "k": 1}})",
     "arms[0].torque.impedance.k", "unknown key"},
    {R"("torque": [0, 0, 0])", R"("torque": {"impedance": {}, "table": []})", "arms[0].torque.table",
     "unknown key"},
    {R"("urdf": "finger.urdf", )", "", "arms[0].urdf", "missing"},
    {R"("urdf": "finger.urdf")", R"("urdf": "")", "arms[0].urdf", "empty"},
    {R"("urdf": "finger.urdf")", R"("urdf": 3)", "arms[0].urdf", "string"},
    {R"("urdf": "finger.urdf")", R"("urdf": "none.urdf")", "arms[0].urdf", "none.urdf"},
    {R"("urdf": "finger.urdf")", R"("urdf": ".")", "arms[0].urdf", "."},
    {R"("urdf": "finger.urdf")", R"("urdf": "README.md")", "arms[0].urdf", "README.md"},
    {R"("base": [0, 0, 1, 1, 0, 0, 0], )", "", "arms[0].base", "missing"},
    {R"("base": [0, 0, 1, 1, 0, 0, 0])", R"("base": [0, 0, 1])", "arms[0].base", "7 values"},
    {R"("base": [0, 0, 1, 1, 0, 0, 0])", R"("base": [0, 0, 1, 1, 1, 0, 0])", "arms[0].base", "norm 1.41421"},
    {R"({"link": "tip", )", R"({"link": "thumb", )", "arms[0].tips[0].link", "no link"},
    {R"({"link": "tip", )", R"({"link": "palm", )", "arms[0].tips[0].link", "does not move"},
    {R"({"link": "tip", )", R"({)", "arms[0].tips[0].link", "missing"},
    {R"("sphere": 0.01)", R"("sphere": -0.01)", "arms[0].tips[0].sphere", "positive"},
    {R"("sphere": 0.01)", R"("box": [1, 1, 1])", "arms[0].tips[0].box", "unknown key"},
    {R"("sphere": 0.01, "at": [0, 0, 0])", R"("sphere": 0.01, "at": [0, 0])", "arms[0].tips[0].at",
     "3 values"},
    {R"("at": [0, 0, 0]}])", R"("at": [0, 0, 0]}, {"link": "tip", "sphere": 1, "at": [0, 0, 0]}])",
     "arms[0].tips[1].link", "taken"},
    {R"("tips": [{)", R"("tip": [{)", "arms[0].tip", "unknown key"},
    {R"("between": ["table", "ball"])", R"("between": ["table", "finger"])", "contacts[1].between[1]",
     "no body"},
    {R"("between": ["table", "ball"])", R"("between": ["table", "finger/palm"])", "contacts[1].between[1]",
     "no body"},
    {R"("between": ["table", "ball"])", R"("between": ["finger/tip", "finger/tip"])", "contacts[1].between",
     "differ"},
    {R"("name": "finger")", R"("name": "box")", "arms[0].name", "taken"},
    {R"("facets": 8)", R"("facets": 2)", "facets", "4, 8 or 16"},
};

std::string spoilt(const std::string& scene, const Row& row) {
  std::string text = scene;
  const auto at = text.find(row.from);
  TEST_ASSERT_TRUE_MESSAGE(at != std::string::npos, row.from);
  return text.replace(at, std::strlen(row.from), row.to);
}

void refuse(const std::string& text, const std::string& key, const std::string& reason, const char* what) {
  try {
    parse_scene(text, kFile);
  } catch (const InputError& error) {
    const std::string line = error.what();
    const std::string head = key.empty() ? kFile + ": " : kFile + ": " + key + ": ";
    TEST_ASSERT_EQUAL_STRING_MESSAGE(head.c_str(), line.substr(0, head.size()).c_str(), what);
    TEST_ASSERT_TRUE_MESSAGE(line.find(reason, head.size()) != std::string::npos,
                             (line + "  lacks  " + reason).c_str());
    TEST_ASSERT_TRUE_MESSAGE(line.find('\n') == std::string::npos, line.c_str());
    return;
  }
  TEST_FAIL_MESSAGE((std::string("accepted: ") + what).c_str());
}

void test_right_scenes_are_read() {
  const Scene plane = parse_scene(kPlane, kFile);
  TEST_ASSERT_EQUAL_INT(2, plane.bodies.size());
  TEST_ASSERT_EQUAL_DOUBLE(0.05, *plane.bodies[1].mass);
  TEST_ASSERT_FALSE(plane.bodies[0].mass.has_value());
  TEST_ASSERT_EQUAL_STRING("ground-ellipse", plane.contacts[0].name().c_str());
  TEST_ASSERT_EQUAL_INT(20000, plane.steps());
  const Scene space = parse_scene(kSpace, kFile);
  TEST_ASSERT_EQUAL_DOUBLE(0.25, space.bodies[1].force.at(0.25, 0));
  TEST_ASSERT_EQUAL_DOUBLE(1.0, space.bodies[1].force.at(7.0, 0));
  TEST_ASSERT_EQUAL_INT(1000, space.steps());
  // finger.urdf: the tip's link is fixed to the third joint's, 25 mm along it.
  const tactus::host::Arm& finger = space.arms.at(0);
  TEST_ASSERT_EQUAL_INT(3, finger.robot.joints.size());
  TEST_ASSERT_EQUAL_INT(2, finger.tips.at(0).joint);
  TEST_ASSERT_EQUAL_DOUBLE(0.025, finger.tips[0].centre[2]);
  TEST_ASSERT_FALSE(finger.impedance.has_value());
}

void test_an_impedance_is_read() {
  std::string text = kSpace;
  const std::string held = R"("torque": [0, 0, 0])";
  text.replace(text.find(held), held.size(),
               R"("torque": {"impedance": {"stiffness": [1, 2, 3], "damping": [4, 5, 6],
                  "q": {"table": [[0, 0, 0, 0], [1, 0, 0, 1]]}, "torque": [0, 0.5, 0]}})");
  const Scene scene = parse_scene(text, kFile);
  const auto& impedance = scene.arms.at(0).impedance;
  TEST_ASSERT_TRUE(impedance.has_value());
  TEST_ASSERT_EQUAL_DOUBLE(2, impedance->stiffness[1]);
  TEST_ASSERT_EQUAL_DOUBLE(6, impedance->damping[2]);
  TEST_ASSERT_EQUAL_DOUBLE(0.25, impedance->q.at(0.25, 2));
  TEST_ASSERT_EQUAL_DOUBLE(0, impedance->qd.at(0.25, 2));
  TEST_ASSERT_EQUAL_DOUBLE(0.5, scene.arms[0].torque.at(0, 1));
}

// Five fingers: more arms than there is room for; two arms of seven joints: more joints; two tips on links of
// one joint: a pair that never moves.
void test_arms_that_do_not_fit_are_refused() {
  const std::string finger = R"({"name": "finger", "urdf")";
  const auto with = [&](const std::string& arms) {
    std::string text = kSpace;
    return text.insert(text.find(finger), arms);
  };
  const auto arm = [](const std::string& name, const std::string& urdf, std::size_t joints) {
    const std::string zeros = fmt::format("{}", std::vector<int>(joints));
    return fmt::format(
        R"({{"name": "{}", "urdf": "{}", "base": [0, 0, 0, 1, 0, 0, 0], "q": {}, "qd": {}, "torque": {}, "tips": []}}, )",
        name, urdf, zeros, zeros, zeros);
  };
  std::string arms;
  for (int i = 0; i < tactus::host::kMaxArms; ++i) arms += arm(fmt::format("f{}", i), "finger.urdf", 3);
  refuse(with(arms), "arms", "capacity", "too many arms");
  refuse(with(arm("a", "arm7.urdf", 7) + arm("b", "arm7.urdf", 7)), "arms[1].q", "14 joints",
         "too many joints");
  std::string tips;
  for (const char* link : {"distal", "middle", "proximal"})
    tips += fmt::format(R"({{"link": "{}", "sphere": 0.01, "at": [0, 0, 0]}}, )", link);
  std::string text = kSpace;
  const std::string pair = R"("between": ["table", "ball"])";
  text.insert(text.find(R"({"link": "tip")"), tips);
  text.replace(text.find(pair), pair.size(), R"("between": ["finger/distal", "finger/tip"])");
  refuse(text, "contacts[1].between", "one joint carries both", "two tips of a joint");
}

void test_every_spoilt_plane_scene_is_refused() {
  for (const Row& row : kPlaneRows) refuse(spoilt(kPlane, row), row.key, row.reason, row.to);
}

void test_every_spoilt_spatial_scene_is_refused() {
  for (const Row& row : kSpaceRows) refuse(spoilt(kSpace, row), row.key, row.reason, row.to);
}

void test_every_truncation_is_refused() {
  for (std::size_t n = 0; n + 1 < kPlane.size(); ++n) {
    try {
      parse_scene(kPlane.substr(0, n), kFile);
    } catch (const InputError&) {
      continue;
    }
    TEST_FAIL_MESSAGE("a truncated scene was accepted");
  }
}

void test_every_flipped_byte_is_read_or_refused() {
  for (std::size_t n = 0; n < kSpace.size(); ++n) {
    for (const char byte : {'\0', '"', '{', '9', '\xff'}) {
      std::string text = kSpace;
      text[n] = byte;
      try {
        parse_scene(text, kFile);
      } catch (const InputError& error) {
        TEST_ASSERT_NULL(std::strchr(error.what(), '\n'));
      }
    }
  }
}

void test_whole_files_that_are_no_scene() {
  refuse("", "(whole file)", "empty", "empty");
  refuse(" \n", "(whole file)", "empty", "blank");
  refuse("[]", "(whole file)", "object", "a list");
  refuse("null", "(whole file)", "object", "null");
  refuse("{}", "tactus", "missing", "{}");
  refuse(std::string("\0\1\2", 3), "(whole file)", "not valid JSON", "binary");
  refuse("{\"name\": \"\xff\"}", "name", "not valid JSON", "not UTF-8");
  refuse(kPlane + kPlane, "(whole file)", "not valid JSON", "two scenes");
  std::string path;
  for (int i = 0; i < tactus::host::kMaxNesting; ++i) path += "[0]";
  refuse(std::string(1000000, '['), path, "nested deeper", "deep");
}

void test_sizes_over_the_capacity_are_refused() {
  std::string bodies;
  for (int i = 0; i <= tactus::host::kMaxBodies; ++i) {
    bodies += R"({"name": "b)" + std::to_string(i) + R"(", "shape": {"disc": 1}}, )";
  }
  const Row row{R"({"name": "ground")", "", "", ""};
  std::string text = kPlane;
  text.insert(text.find(row.from), bodies);
  refuse(text, "bodies", "capacity", "bodies");
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_right_scenes_are_read);
  RUN_TEST(test_an_impedance_is_read);
  RUN_TEST(test_arms_that_do_not_fit_are_refused);
  RUN_TEST(test_every_spoilt_plane_scene_is_refused);
  RUN_TEST(test_every_spoilt_spatial_scene_is_refused);
  RUN_TEST(test_every_truncation_is_refused);
  RUN_TEST(test_every_flipped_byte_is_read_or_refused);
  RUN_TEST(test_whole_files_that_are_no_scene);
  RUN_TEST(test_sizes_over_the_capacity_are_refused);
  return UNITY_END();
}
