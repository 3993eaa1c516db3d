// A right scene in the plane and one in space, and how they are spoilt in one place: each is then refused
// with one line that names the file, the key and the reason. That the unspoilt scenes are read is tested in
// test_scene_reader.cpp, else every row would pass.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "input_error.hpp"
#include "scene_reader.hpp"
#include "unity.h"

namespace spoilt_scene {

using tactus::host::InputError;
using tactus::host::parse_scene;
using tactus::host::Scene;

inline const std::string kFile =
    std::string(TACTUS_MODELS_DIR) + "/scene.json";  // of arms: beside their robots

inline const std::string kPlane = R"({
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

inline const std::string kSpace = R"({
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

inline std::string spoilt(const std::string& scene, const Row& row) {
  std::string text = scene;
  const auto at = text.find(row.from);
  TEST_ASSERT_TRUE_MESSAGE(at != std::string::npos, row.from);
  return text.replace(at, std::strlen(row.from), row.to);
}

inline void refuse(const std::string& text, const std::string& key, const std::string& reason,
                   const char* what) {
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

// Every row spoils the scene, and is refused with its key and its reason.
template <std::size_t N>
void refuse_every(const std::string& scene, const Row (&rows)[N]) {
  for (const Row& row : rows) refuse(spoilt(scene, row), row.key, row.reason, row.to);
}

}  // namespace spoilt_scene
