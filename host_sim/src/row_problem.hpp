// A contact problem out of rows that core has made (rigid_rows.hpp). What holds - joints of bodies, mimics -
// is eliminated, s = 0. What gives way becomes a contact, so that every law and verdict of contacts is its
// own:
//
//     a stop    is a contact without friction, n along its joint: 0 <= p _|_ a >= 0
//     a rub     is Coulomb's friction f of a joint at rest, |p| <= f against a: a contact with mu = 1 that is
//               pressed by f, whatever moves: row n is a_n = alpha (c_n - f), and t is the joint
//
// Rows that are left over then, t and o of a stop and o of a rub, are alpha c = 0. alpha, the mobility of the
// joint, has no consequence but that all rows are of one size.
#pragma once

#include "instant_problem.hpp"
#include "rigid_rows.hpp"

namespace tactus::host {

class RowProblem {
 public:
  RowProblem(int dim, const RowsAt& rows, const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

  // In this order: rubs are the last of InstantProblem.
  void add_contact(int row, double mu);
  void add_stop(int row, int side, double least);  // side a >= least
  void add_rub(int row, double friction);
  InstantProblem take() const;

 private:
  void add(int row, double factor, double constant);
  void add_own(double mobility, double constant);
  double mobility(int row) const;

  int dim_;
  Eigen::MatrixXd A_;  // without what holds
  Eigen::VectorXd b_;
  std::vector<Eigen::VectorXd> column_;  // of what rows each row is made
  std::vector<double> own_, constant_;
  std::vector<double> mu_;
  int joints_ = 0;
};

}  // namespace tactus::host
