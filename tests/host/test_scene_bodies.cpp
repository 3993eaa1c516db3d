// Bodies of a scene that cannot be right.
#include "spoilt_scene.hpp"

using namespace spoilt_scene;

namespace {

const Row kPlaneRows[] = {
    // Keys.
    {R"("name": "ground", )", "", "bodies[0].name", "missing"},
    {R"("inertia": 1.5e-4, )", "", "bodies[1].inertia", "missing"},
    {R"("mass": 0.05, )", "", "bodies[1].mass", "missing"},
    {R"("shape": {"ellipse": [0.1, 0.05]},)", "", "bodies[1].shape", "missing"},
    {R"("pose": [0, 0.0975, 1.3], )", "", "bodies[1].pose", "missing"},
    {R"(, "offset": 0)", "", "bodies[0].shape.halfspace.offset", "missing"},
    {R"("mass": 0.05)", R"("masss": 0.05)", "bodies[1].masss", "unknown key"},
    {R"("mass": 0.05)", R"("mass": 0.05, "mass": 0.06)", "bodies[1].mass", "twice"},
    // Types.
    {R"("name": "ground")", R"("name": 7)", "bodies[0].name", "string"},
    {R"("name": "ground")", R"("name": "")", "bodies[0].name", "empty"},
    {R"("name": "ground")", R"("name": "a,b")", "bodies[0].name", "comma"},
    {R"("mass": 0.05)", R"("mass": "0.05")", "bodies[1].mass", "number"},
    {R"("mass": 0.05)", R"("mass": null)", "bodies[1].mass", "number"},
    {R"("mass": 0.05)", R"("mass": true)", "bodies[1].mass", "number"},
    {R"("inertia": 1.5e-4)", R"("inertia": [1, 1, 1])", "bodies[1].inertia", "number"},
    {R"("shape": {"ellipse": [0.1, 0.05]})", R"("shape": "ellipse")", "bodies[1].shape", "object"},
    // Lengths.
    {R"("pose": [0, 0.0975, 1.3])", R"("pose": [0, 0.0975])", "bodies[1].pose", "3 values"},
    {R"("velocity": [0, 0, 0])", R"("velocity": [])", "bodies[1].velocity", "3 values"},
    {R"("force": [0, 0, 0])", R"("force": [0, 0, 0, 0])", "bodies[1].force", "3 values"},
    {R"("ellipse": [0.1, 0.05])", R"("ellipse": [0.1])", "bodies[1].shape.ellipse", "2 values"},
    {R"("normal": [0, 1])", R"("normal": [0, 0, 1])", "bodies[0].shape.halfspace.normal", "2 values"},
    // Numbers.
    {R"("mass": 0.05)", R"("mass": -0.05)", "bodies[1].mass", "positive"},
    {R"("mass": 0.05)", R"("mass": 0)", "bodies[1].mass", "positive"},
    {R"("mass": 0.05)", R"("mass": 1e999)", "bodies[1].mass", "too large"},
    {R"("mass": 0.05)", R"("mass": NaN)", "bodies[1].mass", "not valid JSON"},
    {R"("mass": 0.05)", R"("mass": Infinity)", "bodies[1].mass", "not valid JSON"},
    {R"("mass": 0.05)", R"("mass": 05)", "bodies[1].mass", "not valid JSON"},
    {R"("inertia": 1.5e-4)", R"("inertia": 0)", "bodies[1].inertia", "positive"},
    {R"("inertia": 1.5e-4)", R"("inertia": -1e-4)", "bodies[1].inertia", "positive"},
    {R"("ellipse": [0.1, 0.05])", R"("ellipse": [0.1, 0])", "bodies[1].shape.ellipse[1]", "positive"},
    {R"("normal": [0, 1])", R"("normal": [0, 0])", "bodies[0].shape.halfspace.normal", "zero"},
    // What does not fit together.
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
    {R"("force": [0, 0, 0])", R"("force": {"table": []})", "bodies[1].force.table", "one row"},
    {R"("force": [0, 0, 0])", R"("force": {"table": [[1, 0, 0, 0], [1, 0, 0, 0]]})",
     "bodies[1].force.table[1][0]", "increase"},
    {R"("force": [0, 0, 0])", R"("force": {"table": [[1, 0, 0]]})", "bodies[1].force.table[0]", "4 values"},
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
};

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

void test_every_spoilt_plane_scene_is_refused() {
  refuse_every(kPlane, kPlaneRows);
}

void test_every_spoilt_spatial_scene_is_refused() {
  refuse_every(kSpace, kSpaceRows);
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_sizes_over_the_capacity_are_refused);
  RUN_TEST(test_every_spoilt_plane_scene_is_refused);
  RUN_TEST(test_every_spoilt_spatial_scene_is_refused);
  return UNITY_END();
}
