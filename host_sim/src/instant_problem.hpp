// One contact problem at the level of accelerations as the host looks into it: a = A c + b in double, rows n,
// t (, o) contact by contact, whatever it was made of. A step is the same problem of impulses and speeds in
// which every contact rolls, since friction opposes the slip at its end (Stewart 2000 (2.11)-(2.15)).
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "tactus/contact/acceleration.hpp"

namespace tactus::host {

struct InstantProblem {
  int dim = 2;
  bool cone = false;  // the law of what rolls; in the plane the two are one
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
  std::vector<double> mu;
  std::vector<double> velocity;  // v_t (, v_o) of each contact: zero where it rolls
  int joints = 0;  // the last of the contacts: joints at rest that rub (tactus/stepper/instant_problem.hpp)

  int contacts() const { return static_cast<int>(mu.size()); }
  int rows() const { return contacts() * dim; }
  bool is_joint(int i) const { return i >= contacts() - joints; }
  bool slides(int i) const;
  bool rolls() const;               // all of them
  double pull(int i, int k) const;  // c_k / c_n of a contact that slides: (11)
  double largest_b() const;
  // core's measure of how far the forces c are off the laws, as a share of b; solved up to kSolved.
  double measure(const Eigen::VectorXd& c) const;
  Eigen::VectorXd accelerations(const Eigen::VectorXd& c) const { return A * c + b; }
};

// Its parts that do not feel each other, by A: each may be asked alone. `contacts`: the numbers of each.
struct ProblemPart {
  InstantProblem problem;
  std::vector<int> contacts;
};
std::vector<ProblemPart> parts_of(const InstantProblem& p);

inline constexpr double kSolved = contact::acceleration::kSolved<double>;

}  // namespace tactus::host
