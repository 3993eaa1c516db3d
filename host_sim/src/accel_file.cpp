#include "accel_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "json_file.hpp"

namespace tactus::host {
namespace {

std::vector<double> matrix(const JsonNode& node, int rows, int columns) {
  node.length(static_cast<std::size_t>(rows), "its rows");
  std::vector<double> out;
  for (const JsonNode& row : node.items()) {
    const auto values = row.numbers(static_cast<std::size_t>(columns), "one row");
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

std::vector<double> vector_or_zero(const JsonNode& root, const char* key, int n) {
  const auto node = root.find(key);
  const auto size = static_cast<std::size_t>(n);
  return node ? node->numbers(size, "one each") : std::vector<double>(size, 0.0);
}

int sized(const JsonNode& node, int capacity, const char* what) {
  const std::size_t n = node.size();
  if (n > static_cast<std::size_t>(capacity))
    node.fail(fmt::format("{} {} are over this build's capacity of {}", n, what, capacity));
  return static_cast<int>(n);
}

// The pivots of Cholesky's factorisation say whether a matrix is definite; semidefinite ones pass if asked.
void require_positive(const JsonNode& node, std::vector<double> M, int n, bool semidefinite) {
  const auto at = [&](int i, int j) -> double& { return M[static_cast<std::size_t>(i * n + j)]; };
  double size = 0;
  for (const double x : M) size = std::max(size, std::fabs(x));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (std::fabs(at(i, j) - at(j, i)) > 1e-9 * size)
        node.fail(fmt::format("is not symmetric at [{}][{}]", i, j));
  const char* kind = semidefinite ? "positive semidefinite" : "positive definite";
  for (int k = 0; k < n; ++k) {
    const double pivot = at(k, k), least = 1e-13 * size;
    if (pivot < -1e-9 * size || (!semidefinite && !(pivot > least)))
      node.fail(fmt::format("must be {}", kind));
    if (!(pivot > 1e-9 * size) && semidefinite) {
      for (int i = k + 1; i < n; ++i)
        if (std::fabs(at(i, k)) > 1e-6 * size) node.fail(fmt::format("must be {}", kind));
      continue;
    }
    for (int i = k + 1; i < n; ++i) {
      const double factor = at(i, k) / pivot;
      for (int j = k + 1; j < n; ++j) at(i, j) -= factor * at(k, j);
    }
  }
}

void add(std::vector<double>& sum, const std::vector<double>& more) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

// For each joint a number in one of "tau" and "thdd", and null or nothing in the other.
void read_drives(const JsonNode& root, AccelEntry& e) {
  const auto size = static_cast<std::size_t>(e.joints);
  const auto tau = root.find("tau"), thdd = root.find("thdd");
  if (tau) tau->length(size, "one for each joint");
  if (thdd) thdd->length(size, "one for each joint");
  e.tau.assign(size, 0.0);
  e.thdd.assign(size, 0.0);
  e.driven.assign(size, false);
  for (std::size_t j = 0; j < size; ++j) {
    const bool torque = tau && !tau->item(j).is_null(), acceleration = thdd && !thdd->item(j).is_null();
    if (torque) e.tau[j] = tau->item(j).number();
    if (acceleration) e.thdd[j] = thdd->item(j).number();
    e.driven[j] = acceleration;
    if (torque == acceleration)
      root.fail_at(fmt::format("tau[{}]", j),
                   torque
                       ? "the torque is unknown where the acceleration (thdd) is given: one of them is null"
                       : "either the torque or the acceleration (thdd) must be given");
  }
}

void read_bodies(const JsonNode& root, AccelEntry& e) {
  const JsonNode M_obj = root.at("M_obj");
  e.freedoms = sized(M_obj, kAccelFreedoms, "freedoms of the object");
  if (e.freedoms == 0) M_obj.fail("must have at least one row");
  e.M_obj = matrix(M_obj, e.freedoms, e.freedoms);
  require_positive(M_obj, e.M_obj, e.freedoms, false);
  e.W = matrix(root.at("W"), e.freedoms, e.rows());
  e.f_obj = root.at("g_obj").numbers(static_cast<std::size_t>(e.freedoms), "one for each freedom");
  add(e.f_obj, vector_or_zero(root, "h_obj", e.freedoms));
  e.bias = vector_or_zero(root, "bias", e.rows());
  const auto M_man = root.find("M_man");
  if (!M_man) {
    for (const char* key : {"J", "tau", "thdd", "g_man", "h_man"})
      if (root.has(key)) root.fail_at("M_man", fmt::format("this key is missing, and \"{}\" is there", key));
    return;
  }
  e.joints = sized(*M_man, kAccelJoints, "joints");
  e.M_man = matrix(*M_man, e.joints, e.joints);
  require_positive(*M_man, e.M_man, e.joints, false);
  e.J = matrix(root.at("J"), e.rows(), e.joints);
  e.l_man = vector_or_zero(root, "g_man", e.joints);
  add(e.l_man, vector_or_zero(root, "h_man", e.joints));
  read_drives(root, e);
}

}  // namespace

AccelEntry parse_accel_file(const std::string& text, const std::string& file) {
  const nlohmann::json json = parse_json(text, file);
  const JsonNode root(json, file);
  AccelEntry e;
  const bool reduced = root.has("A");
  root.only({"name", "plane", "law", "mu", "v_t", "v_o", "A", "b", "M_obj", "W", "g_obj", "h_obj", "bias",
             "M_man", "J", "g_man", "h_man", "tau", "thdd"});
  for (const char* key :
       {"M_obj", "W", "g_obj", "h_obj", "bias", "M_man", "J", "g_man", "h_man", "tau", "thdd"})
    if (reduced && root.has(key)) root.fail_at(key, "must not be given beside A and b, which take its place");
  if (!reduced && root.has("b")) root.fail_at("A", "this key is missing, and \"b\" is there");
  if (const auto name = root.find("name")) e.name = name->string();
  e.plane = root.at("plane").boolean();
  if (const auto law = root.find("law")) {
    const std::string word = law->string();
    if (word != "pyramid" && word != "cone") law->fail("must be \"pyramid\" or \"cone\"");
    e.cone = word == "cone";
  }
  const JsonNode mu = root.at("mu");
  e.contacts = sized(mu, kAccelContacts, "contacts");
  for (const JsonNode& item : mu.items()) e.mu.push_back(item.not_negative());
  if (e.plane && root.has("v_o")) root.fail_at("v_o", "there is no second tangent in the plane");
  e.velocity = vector_or_zero(root, "v_t", e.contacts);
  if (!e.plane) {
    const auto v_o = vector_or_zero(root, "v_o", e.contacts);
    e.velocity.insert(e.velocity.end(), v_o.begin(), v_o.end());
  }
  if (!reduced) {
    read_bodies(root, e);
    return e;
  }
  e.reduced = true;
  const JsonNode A = root.at("A");
  e.A = matrix(A, e.rows(), e.rows());
  require_positive(A, e.A, e.rows(), true);
  e.b = root.at("b").numbers(static_cast<std::size_t>(e.rows()), "one for each row of A");
  return e;
}

}  // namespace tactus::host
