#include <fmt/format.h>

#include "scene_parts.hpp"
#include "scene_reader.hpp"

namespace tactus::host {
namespace {

void read_sizes(const JsonNode& node, std::size_t n, const char* what, Shape& shape) {
  node.length(n, what);
  for (std::size_t i = 0; i < n; ++i) shape.size[i] = node.item(i).positive();
}

Shape read_halfspace(const JsonNode& node, bool plane) {
  Shape shape;
  node.only({"normal", "offset"});
  shape.size = read_unit(node.at("normal"), plane ? 2 : 3);
  shape.offset = node.at("offset").number();
  return shape;
}

Shape read_polygon(const JsonNode& node) {
  Shape shape;
  node.only({"sides", "radius"});
  shape.sides = node.at("sides").integer(3, kMaxPolygonSides);
  shape.size[0] = node.at("radius").positive();
  return shape;
}

Shape read_capsule(const JsonNode& node) {
  Shape shape;
  node.only({"radius", "half_length"});
  shape.size[0] = node.at("radius").positive();
  shape.size[1] = node.at("half_length").positive();
  return shape;
}

Shape read_intersection(const JsonNode& node) {
  Shape shape;
  const auto parts = node.items();
  if (parts.size() < 2) node.fail("an intersection needs two shapes at least");
  if (parts.size() > kMaxParts) {
    node.fail(fmt::format("{} shapes are over this build's capacity of {}", parts.size(), kMaxParts));
  }
  for (const JsonNode& part : parts) shape.parts.push_back(read_shape(part, false));
  return shape;
}

}  // namespace

Shape read_shape(const JsonNode& node, bool plane) {
  struct Kind {
    const char* key;
    ShapeKind kind;
    bool in_plane, in_space;
  };
  static constexpr Kind kKinds[] = {
      {"halfspace", ShapeKind::halfspace, true, true}, {"disc", ShapeKind::disc, true, false},
      {"ellipse", ShapeKind::ellipse, true, false},    {"box", ShapeKind::box, true, true},
      {"polygon", ShapeKind::polygon, true, false},    {"rod", ShapeKind::rod, true, false},
      {"sphere", ShapeKind::sphere, false, true},      {"ellipsoid", ShapeKind::ellipsoid, false, true},
      {"capsule", ShapeKind::capsule, false, true},    {"intersection", ShapeKind::intersection, false, true},
  };
  node.only({"halfspace", "disc", "ellipse", "box", "polygon", "rod", "sphere", "ellipsoid", "capsule",
             "intersection"});
  const Kind* found = nullptr;
  for (const Kind& kind : kKinds) {
    if (!node.has(kind.key)) continue;
    if (found) node.fail(fmt::format("must name one shape, but names {} and {}", found->key, kind.key));
    found = &kind;
  }
  if (!found) node.fail("must name one shape");
  if (!(plane ? found->in_plane : found->in_space)) {
    node.fail_at(found->key, plane ? "this shape is for spatial scenes (\"plane\": false)"
                                   : "this shape is for plane scenes (\"plane\": true)");
  }
  const JsonNode value = node.at(found->key);
  Shape shape;
  switch (found->kind) {
    case ShapeKind::halfspace:
      shape = read_halfspace(value, plane);
      break;
    case ShapeKind::polygon:
      shape = read_polygon(value);
      break;
    case ShapeKind::capsule:
      shape = read_capsule(value);
      break;
    case ShapeKind::intersection:
      shape = read_intersection(value);
      break;
    case ShapeKind::disc:
    case ShapeKind::sphere:
    case ShapeKind::rod:
      shape.size[0] = value.positive();
      break;
    case ShapeKind::ellipse:
      read_sizes(value, 2, "the semi-axes", shape);
      break;
    case ShapeKind::ellipsoid:
      read_sizes(value, 3, "the semi-axes", shape);
      break;
    case ShapeKind::box:
      read_sizes(value, plane ? 2 : 3, "the half extents", shape);
      break;
  }
  shape.kind = found->kind;
  return shape;
}

}  // namespace tactus::host
