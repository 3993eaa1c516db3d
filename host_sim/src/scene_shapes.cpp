#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "scene_parts.hpp"
#include "scene_reader.hpp"

namespace tactus::host {
namespace {

using geometry::Form;

// Each word with its rows: in the plane, in space.
std::map<std::string, std::array<const geometry::ShapeRow*, 2>> read_tables() {
  std::map<std::string, std::array<const geometry::ShapeRow*, 2>> words{{kIntersection, {}}};
  for (const auto& row : geometry::kPlanarShapes) words[row.name][0] = &row;
  for (const auto& row : geometry::kSpatialShapes) words[row.name][1] = &row;
  return words;
}

geometry::ShapeNumbers<double> read_numbers(const JsonNode& node, Form form, std::size_t dim) {
  geometry::ShapeNumbers<double> numbers;
  const auto read_sizes = [&](const char* what) {
    node.length(dim, what);
    for (std::size_t i = 0; i < dim; ++i) numbers.value[i] = node.item(i).positive();
  };
  switch (form) {
    case Form::normal: {
      node.only({"normal", "offset"});
      const auto unit = read_unit(node.at("normal"), dim);
      std::copy(unit.begin(), unit.end(), numbers.value);
      numbers.offset = node.at("offset").number();
      break;
    }
    case Form::radius:
    case Form::length:
      numbers.value[0] = node.positive();
      break;
    case Form::semi_axes:
      read_sizes("the semi-axes");
      break;
    case Form::half_extents:
      read_sizes("the half extents");
      break;
    case Form::sides_radius:
      node.only({"sides", "radius"});
      numbers.sides = node.at("sides").integer(3, geometry::kMaxPolygonSides);
      numbers.value[0] = node.at("radius").positive();
      break;
    case Form::radius_half_length:
      node.only({"radius", "half_length"});
      numbers.value[0] = node.at("radius").positive();
      numbers.value[1] = node.at("half_length").positive();
      break;
  }
  return numbers;
}

std::vector<Shape> read_parts(const JsonNode& node) {
  const auto parts = node.items();
  if (parts.size() < 2) node.fail("an intersection needs two shapes at least");
  if (parts.size() > kMaxParts) {
    node.fail(fmt::format("{} shapes are over this build's capacity of {}", parts.size(), kMaxParts));
  }
  std::vector<Shape> shapes;
  for (const JsonNode& part : parts) shapes.push_back(read_shape(part, false));
  return shapes;
}

}  // namespace

Shape read_shape(const JsonNode& node, bool plane) {
  static const auto words = read_tables();
  std::vector<const char*> names;
  const char* found = nullptr;
  Shape shape;
  for (const auto& [word, rows] : words) {
    const char* name = word.c_str();
    names.push_back(name);
    if (!node.has(name)) continue;
    if (found) node.fail(fmt::format("must name one shape, but names {} and {}", found, name));
    found = name;
    shape.row = rows[plane ? 0 : 1];
  }
  node.only(names);
  if (!found) node.fail("must name one shape");
  const JsonNode value = node.at(found);
  if (shape.row) {
    shape.numbers = read_numbers(value, shape.row->form, plane ? 2 : 3);
  } else if (!plane && std::string_view(found) == kIntersection) {
    shape.parts = read_parts(value);
  } else {
    node.fail_at(found, plane ? "this shape is for spatial scenes (\"plane\": false)"
                              : "this shape is for plane scenes (\"plane\": true)");
  }
  return shape;
}

}  // namespace tactus::host
