// What the tests against the reference cases share: a case file, its numbers, and worlds built without a
// word.
#pragma once

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tactus/sentence.hpp"
#include "tactus/tactus.hpp"
#include "unity.h"

// A world with room for every case, built by short calls.
template <int Dim, tactus::stepper::Capacity C, class Scalar = double>
struct Stage {
  using Vector = tactus::math::Vector<Scalar, Dim>;

  tactus::stepper::World<Scalar, Dim, C> world;
  tactus::stepper::Workspace<Scalar, Dim, C> workspace;

  Stage(double h, const Vector& gravity, const tactus::stepper::Method& method = {}) {
    must(tactus::stepper::configure(world, Scalar(h), gravity, method));
  }
  static void must(const tactus::Error& error) {
    TEST_ASSERT_FALSE_MESSAGE(error, tactus::Sentence(error).text());
  }
  int add(const tactus::stepper::BodyDescription<Scalar, Dim>& body) {
    int index = -1;
    must(add_body(world, body, index));
    return index;
  }
  int floor() {
    tactus::stepper::BodyDescription<Scalar, Dim> body;
    body.shape = tactus::geometry::half_space<Scalar>(Vector(Vector::Unit(Dim - 1)), Scalar(0));
    return add(body);
  }
  int touch(const tactus::stepper::ContactDescription<Scalar, Dim>& contact) {
    int index = -1;
    must(add_contact(world, contact, index));
    return index;
  }
  int touch(int a, int b, double mu, double restitution = 0,
            const tactus::contact::PatchLaw<Scalar>* patch = nullptr) {
    tactus::stepper::ContactDescription<Scalar, Dim> contact;
    contact.a = a;
    contact.b = b;
    contact.friction.kinetic = Scalar(mu);
    contact.restitution = Scalar(restitution);
    contact.patch = patch;
    return touch(contact);
  }
  auto step() {
    const auto report = tactus::stepper::step(world, workspace);
    TEST_ASSERT_EQUAL_STRING(sentence(tactus::stepper::StepReason::none), sentence(report.reason));
    return report;
  }
  auto& pose(int body) { return world.state.pose[static_cast<std::size_t>(body)]; }
  auto& velocity(int body) { return world.state.velocity[static_cast<std::size_t>(body)]; }
};

namespace reference {

using Json = nlohmann::json;

inline Json load(const std::string& name, const std::string& folder = TACTUS_CASES_DIR) {
  std::ifstream file(folder + "/" + name);
  TEST_ASSERT_TRUE_MESSAGE(file.good(), name.c_str());
  return Json::parse(file);
}

inline std::vector<double> numbers(const Json& json) {
  return json.get<std::vector<double>>();
}

inline void must(const tactus::Error& error) {
  TEST_ASSERT_FALSE_MESSAGE(error, tactus::Sentence(error).text());
}

// Largest difference seen of one quantity, printed at the end so that a run shows how near its tolerance it
// is.
struct Worst {
  explicit Worst(std::string what) : name(std::move(what)) {}
  void see(double error) { value = error <= value ? value : error; }  // NaN is kept
  template <class List>
  void see(const List& have, const Json& want) {
    TEST_ASSERT_EQUAL_size_t_MESSAGE(want.size(), have.size(), name.c_str());
    for (std::size_t i = 0; i < have.size(); ++i) see(std::abs(have[i] - want[i].get<double>()));
  }
  void within(double tolerance) const {
    std::printf("%s: %.3g (tolerance %.3g)\n", name.c_str(), value, tolerance);
    TEST_ASSERT_TRUE_MESSAGE(value <= tolerance, name.c_str());
  }
  std::string name;
  double value = 0;
};

}  // namespace reference
