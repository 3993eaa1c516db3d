#include "scene_parts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scene_reader.hpp"

namespace tactus::host {
namespace {

constexpr double kUnitTolerance = 1e-3;  // of a quaternion's norm; what is nearer is normalised

template <std::size_t N>
void copy(const std::vector<double>& from, std::array<double, N>& to) {
  for (std::size_t i = 0; i < from.size() && i < N; ++i) to[i] = from[i];
}

double norm(const double* v, std::size_t n) {
  double s = 0;
  for (std::size_t i = 0; i < n; ++i) s = std::hypot(s, v[i]);
  return s;
}

// Positive definite by its leading minors, relative to the size of the matrix.
bool positive_definite(const std::array<double, 6>& I) {
  const double xx = I[0], yy = I[1], zz = I[2], xy = I[3], xz = I[4], yz = I[5];
  const double minor = xx * yy - xy * xy;
  const double det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  const double size = std::max({std::fabs(xx), std::fabs(yy), std::fabs(zz)});
  constexpr double kRelative = 1e-12;
  return xx > 0 && yy > 0 && zz > 0 && minor > kRelative * size * size &&
         det > kRelative * size * size * size;
}

void read_inertia(const JsonNode& node, bool plane, std::array<double, 6>& inertia) {
  if (plane) {
    inertia[0] = node.positive();
    return;
  }
  if (node.size() != 3 && node.size() != 6) {
    node.fail(
        fmt::format("must have 3 values (Ixx, Iyy, Izz) or 6 (and Ixy, Ixz, Iyz), not {}", node.size()));
  }
  copy(node.numbers(node.size(), "inertia"), inertia);
  const double size = std::max({std::fabs(inertia[0]), std::fabs(inertia[1]), std::fabs(inertia[2])});
  std::array<double, 6> scaled = inertia;  // so that the minors of a tiny or a huge one stay in range
  for (double& x : scaled) x /= size > 0 ? size : 1;
  if (!positive_definite(scaled)) node.fail("the inertia is not positive definite");
}

}  // namespace

std::array<double, 3> read_unit(const JsonNode& node, std::size_t components) {
  std::array<double, 3> v{};
  copy(node.numbers(components, "a direction"), v);
  const double size = norm(v.data(), components);
  if (!(size > 0)) node.fail("a direction must not be zero");
  if (!std::isfinite(size)) node.fail("a direction this long cannot be normalised");
  for (double& x : v) x /= size;
  return v;
}

std::array<double, 7> read_pose(const JsonNode& node, bool plane) {
  std::array<double, 7> pose{};
  if (plane) {
    copy(node.numbers(3, "x, y, angle"), pose);
    return pose;
  }
  copy(node.numbers(7, "x, y, z, qw, qx, qy, qz"), pose);
  const double size = norm(&pose[3], 4);
  if (!(std::fabs(size - 1) <= kUnitTolerance)) {
    node.fail(fmt::format("the quaternion (qw, qx, qy, qz) has norm {:.6g}, not 1", size));
  }
  for (std::size_t i = 3; i < 7; ++i) pose[i] /= size;
  return pose;
}

Forcing read_forcing(const JsonNode& node, std::size_t components) {
  Forcing forcing;
  if (!node.is_object()) {
    forcing.rows.push_back({0, node.numbers(components, "one for each component")});
    return forcing;
  }
  node.only({"table"});
  const JsonNode table = node.at("table");
  if (table.size() == 0) table.fail("a table needs one row at least");
  if (table.size() > kMaxTableRows) {
    table.fail(fmt::format("{} rows are over this build's capacity of {}", table.size(), kMaxTableRows));
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    auto row = table.item(i).numbers(components + 1, "the time and one for each component");
    const double t = row.front();
    row.erase(row.begin());
    if (i > 0 && !(t > forcing.rows.back().t)) table.item(i).item(0).fail("the times must increase");
    forcing.rows.push_back({t, std::move(row)});
  }
  return forcing;
}

Body read_body(const JsonNode& node, bool plane) {
  node.only({"name", "mass", "inertia", "shape", "pose", "velocity", "force"});
  Body body;
  body.name = node.at("name").name();
  const std::size_t freedoms = plane ? 3 : 6;
  body.shape = read_shape(node.at("shape"), plane);
  if (const auto mass = node.find("mass")) {
    body.mass = mass->positive();
    if (body.shape.is_half_space()) mass->fail("a halfspace is fixed and has no mass");
    read_inertia(node.at("inertia"), plane, body.inertia);
  } else if (node.has("inertia")) {
    node.fail_at("mass", "this key is missing: a body with an inertia needs a mass");
  }
  if (!plane) body.pose[3] = 1;
  if (body.mass) {
    body.pose = read_pose(node.at("pose"), plane);
  } else if (const auto pose = node.find("pose")) {
    body.pose = read_pose(*pose, plane);
  }
  if (const auto velocity = node.find("velocity")) {
    copy(velocity->numbers(freedoms, plane ? "vx, vy, omega" : "v and omega"), body.velocity);
    if (!body.mass && norm(body.velocity.data(), freedoms) > 0)
      velocity->fail("a body without mass is fixed: its velocity is zero");
  }
  if (const auto force = node.find("force")) {
    body.force = read_forcing(*force, freedoms);
    for (const auto& row : body.force.rows) {
      if (!body.mass && norm(row.value.data(), freedoms) > 0)
        force->fail("a body without mass is fixed: a force has no effect");
    }
  }
  return body;
}

Friction read_friction(const JsonNode& node) {
  Friction mu;
  if (!node.is_object()) {
    mu.kinetic = mu.static_mu = node.not_negative();
    return mu;
  }
  if (node.has("static")) {
    node.only({"static", "kinetic"});
    mu.kind = Friction::Kind::static_kinetic;
    mu.static_mu = node.at("static").not_negative();
    mu.kinetic = node.at("kinetic").not_negative();
    if (mu.kinetic > mu.static_mu) node.fail_at("kinetic", "must not exceed the static one");
    return mu;
  }
  node.only({"kinetic", "extra", "speed"});
  mu.kind = Friction::Kind::falling;
  mu.kinetic = node.at("kinetic").not_negative();
  mu.extra = node.at("extra").not_negative();
  mu.speed = node.at("speed").positive();
  return mu;
}

namespace {

// n rows of n numbers. What else a matrix must be, the core says.
std::vector<double> read_matrix(const JsonNode& node, std::size_t n) {
  node.length(n, "a row for each element and direction, n first");
  std::vector<double> all;
  for (const JsonNode& row : node.items()) {
    const auto numbers = row.numbers(n, "one for each element and direction");
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

std::vector<int> read_elements(const JsonNode& elements, bool plane) {
  elements.length(plane ? 1 : 2, plane ? "n" : "n, m");
  std::vector<int> counts;
  int total = 1;
  for (const JsonNode& n : elements.items()) {
    counts.push_back(n.integer(1, kMaxElements));
    total *= counts.back();
  }
  if (total > kMaxElements)
    elements.fail(fmt::format("{} elements are over this build's capacity of {}", total, kMaxElements));
  return counts;
}

Patch read_lumped(const JsonNode& node) {
  node.only({"stiffness", "stiffness_t", "damping", "damping_ratio"});
  Patch patch;
  patch.stiffness = node.at("stiffness").positive();
  if (const auto t = node.find("stiffness_t")) patch.stiffness_t = t->positive();
  if (const auto ratio = node.find("damping_ratio")) {
    if (node.has("damping")) ratio->fail("\"damping\" is given, too");
    patch.damping = 2 * ratio->not_negative() * std::sqrt(patch.stiffness);
  } else {
    patch.damping = node.at("damping").not_negative();
  }
  return patch;
}

}  // namespace

Patch read_patch(const JsonNode& node, bool plane) {
  if (node.has("stiffness") || node.has("damping") || node.has("stiffness_t")) return read_lumped(node);
  Patch patch;
  if (const auto K = node.find("K")) {
    node.only({"K", "C", "damping_ratio", "elements", "spacing"});
    std::size_t rows = plane ? 2 : 3;
    if (const auto elements = node.find("elements")) patch.elements = read_elements(*elements, plane);
    for (const int n : patch.elements) rows *= static_cast<std::size_t>(n);
    if (rows > 3 || node.has("spacing")) patch.spacing = node.at("spacing").positive();
    patch.K = read_matrix(*K, rows);
    patch.printed = false;
    if (const auto C = node.find("C")) patch.C = read_matrix(*C, rows);
  } else {
    node.only({"elements", "spacing", "compliance", "poisson", "damping_ratio", "printed"});
    patch.elements = read_elements(node.at("elements"), plane);
    patch.spacing = node.at("spacing").positive();
    patch.compliance = node.at("compliance").positive();
    patch.poisson = node.at("poisson").within(0, 0.5);
    if (const auto printed = node.find("printed")) patch.printed = printed->boolean();
  }
  if (const auto ratio = node.find("damping_ratio")) {
    if (!patch.C.empty()) ratio->fail("\"C\" is given, too");
    patch.damping_ratio = ratio->not_negative();
  }
  return patch;
}

}  // namespace tactus::host
