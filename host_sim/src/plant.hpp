// A scene in motion: the core's own stepper behind an interface that does not depend on precision or
// dimension.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scene.hpp"
#include "tactus/predictor/disturbance.hpp"

namespace tactus::host {

// One contact pair after a step. Forces are those of the step, act on the pair's second body and are summed
// over its points and elements in the contact frame of the core (geometry/contact.hpp): n from the first body
// to the second, t and o = n x t tangential.
struct ContactSample {
  double gap = 0;  // smallest distance of the shapes at the end of the step, m; negative in penetration
  std::array<double, 3> force{};  // fn, ft, fo; N
  double torsion = 0;             // fr, about the normal; N m
  int mode = 0;                   // 0 open, 1 stick, 2 slip
  bool can_jam = false;  // Scene::uniqueness: its friction alone could push it in (step_verdicts.hpp)
  std::array<double, 3> point{};  // centre of pressure, world, m; where nothing is pressed the nearest point
  std::array<double, 3> normal{}, tangent{};
  // fn, ft, fo of each point, or of each element of each point, in N and in its own frame; zero where it does
  // not touch. The core's slots: a corner, and an element of a patch, keeps its place.
  std::vector<std::array<double, 3>> element;
  std::vector<std::array<double, 3>> deformation;  // of the same, after the step, m; zero where it is rigid
};

// A joint of the scene after a step: what it gives its second body, at its anchor there, in the world frame.
struct JointSample {
  std::array<double, 3> force{}, moment{};  // N, N m; in the plane the moment is the third
};

struct BodySample {
  std::array<double, 7> pose{};      // x, y, z, qw, qx, qy, qz, or x, y, angle
  std::array<double, 6> velocity{};  // v, omega, or vx, vy, omega
};

struct ArmSample {
  std::vector<double> q, qd;
};

struct StepSample {
  int status = 0;           // 0 solved, 1 degraded, 2 failed
  const char* reason = "";  // a sentence
  int pivots = 0;
  bool warm = false;
  bool ambiguous = false, impulse = false;  // Scene::uniqueness: stepper/ambiguity.hpp, step_verdicts.hpp
  bool sought = false;                      // core has looked for both
  std::optional<bool> guaranteed;           // a theorem says that the step has an answer; none: unsaid
  double residual = 0;
  double kinetic = 0;    // J
  double potential = 0;  // of gravity, J, from where the run starts
  double elastic = 0;    // in compliant patches, J
  int impacts = 0;
  double lift = 0;         // m; by which the relaxed cone holds a sliding contact off
  double worst_facet = 0;  // relative shortfall of friction by the pyramid
  double energy() const { return kinetic + potential + elastic; }
  std::vector<BodySample> bodies;       // as in the scene, fixed ones too
  std::vector<ArmSample> arms;          // as in the scene
  std::vector<ContactSample> contacts;  // as in the scene
  std::vector<JointSample> joints;      // as in the scene
};

class Plant {
 public:
  virtual ~Plant() = default;
  // Advances by one step of the scene, from t = step * steps taken so far. The sample lives until the next
  // call.
  virtual const StepSample& step() = 0;
  // The same without a sample: what a step costs.
  virtual void advance() = 0;
  // The state before the first step.
  virtual const StepSample& initial() const = 0;
  // Back to the start, as a member of an ensemble: see predictor/disturbance.hpp.
  virtual void restart(const predictor::Disturbance<double>& by, int member) = 0;
};

// Throws InputError where the scene is over the compiled capacity, Unsupported where the core has no law,
// shape or pair for it.
std::unique_ptr<Plant> make_plant(const Scene& scene, bool single);

}  // namespace tactus::host
