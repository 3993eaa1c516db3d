// One word a shape: its row of the table, the kind in messages.proto, and what a scene with it tells a board.
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "hil_messages.hpp"
#include "scene_reader.hpp"
#include "unity.h"

using namespace tactus::host;
namespace geometry = tactus::geometry;
namespace wire = tactus::wire;

namespace {

// HALF_SPACE is the halfspace of scenes.
std::string word(int kind) {
  std::string name = wire::ShapeKind_Name(static_cast<wire::ShapeKind>(kind));
  name.erase(std::remove(name.begin(), name.end(), '_'), name.end());
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

void the_kinds_of_messages_are_those_of_the_table() {
  std::vector<bool> named(wire::ShapeKind_ARRAYSIZE);
  const auto compare = [&](const auto& table) {
    for (const auto& row : table) {
      TEST_ASSERT_EQUAL_STRING(row.name, word(row.wire).c_str());
      named[row.wire] = true;
    }
  };
  compare(geometry::kPlanarShapes);
  compare(geometry::kSpatialShapes);
  for (const bool kind : named) TEST_ASSERT_TRUE(kind);
}

wire::Shape message(const std::string& shape, bool plane) {
  const std::string scene =
      std::string(R"({"tactus": 1, "name": "s", "plane": )") + (plane ? "true" : "false") +
      R"(, "gravity": )" + (plane ? "[0, -9.81]" : "[0, 0, -9.81]") +
      R"(, "time": {"step": 0.001, "end": 1}, "method": "rigid", "bodies": [{"name": "ground", "shape": )" +
      (plane ? R"({"disc": 1}})" : R"({"sphere": 1}})") + R"(, {"name": "b", "mass": 1, "inertia": )" +
      (plane ? "1" : "[1, 1, 1]") + R"(, "shape": )" + shape + R"(, "pose": )" +
      (plane ? "[0, 3, 0]" : "[0, 0, 3, 1, 0, 0, 0]") +
      R"(}], "contacts": [{"between": ["ground", "b"], "mu": 0.5}]})";
  const wire::Configure configure = configure_message(parse_scene(scene, "s.json"), 1, wire::Mode());
  return configure.bodies(1).shape();
}

void a_scene_tells_a_board_its_numbers() {
  const struct {
    const char* json;
    bool plane;
    wire::ShapeKind kind;
    std::vector<float> size;
  } kRows[] = {{R"({"disc": 0.5})", true, wire::DISC, {0.5F}},
               {R"({"ellipse": [0.5, 0.25]})", true, wire::ELLIPSE, {0.5F, 0.25F}},
               {R"({"box": [0.5, 0.25]})", true, wire::BOX, {0.5F, 0.25F}},
               {R"({"polygon": {"sides": 5, "radius": 0.5}})", true, wire::POLYGON, {0.5F}},
               {R"({"rod": 0.5})", true, wire::ROD, {0.5F}},
               {R"({"sphere": 0.5})", false, wire::SPHERE, {0.5F}},
               {R"({"ellipsoid": [0.5, 0.25, 2]})", false, wire::ELLIPSOID, {0.5F, 0.25F, 2}},
               {R"({"box": [0.5, 0.25, 2]})", false, wire::BOX, {0.5F, 0.25F, 2}},
               {R"({"capsule": {"radius": 0.5, "half_length": 2}})", false, wire::CAPSULE, {0.5F, 2}}};
  for (const auto& row : kRows) {
    const wire::Shape shape = message(row.json, row.plane);
    TEST_ASSERT_EQUAL_INT_MESSAGE(row.kind, shape.kind(), row.json);
    TEST_ASSERT_EQUAL_INT_MESSAGE(static_cast<int>(row.size.size()), shape.size_size(), row.json);
    for (int i = 0; i < shape.size_size(); ++i)
      TEST_ASSERT_EQUAL_FLOAT_MESSAGE(row.size[static_cast<std::size_t>(i)], shape.size(i), row.json);
    TEST_ASSERT_EQUAL_UINT(row.kind == wire::POLYGON ? 5 : 0, shape.sides());
  }
}

}  // namespace

void setUp() {}
void tearDown() {}

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_kinds_of_messages_are_those_of_the_table);
  RUN_TEST(a_scene_tells_a_board_its_numbers);
  return UNITY_END();
}
