// Whether linear inequalities G z + g >= 0 of free unknowns have a solution: a point, or a contradiction that
// is checked on the numbers given (lcp/branch.hpp, without pairs).
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "tactus/lcp/branch.hpp"

namespace tactus::host {

class LinearSet {
 public:
  enum class Verdict : std::uint8_t { empty, point, undecided };

  void add(const Eigen::VectorXd& row, double constant) {
    rows_.push_back(row);
    constants_.push_back(constant);
  }
  std::size_t size() const { return rows_.size(); }
  // Back to so many inequalities.
  void cut_to(std::size_t size) {
    rows_.resize(size);
    constants_.resize(size);
  }

  Verdict find(Eigen::Index unknowns, Eigen::VectorXd& z) const;

 private:
  static constexpr int kRows = 512, kColumns = 64, kPivots = 20000;
  using Workspace = lcp::BranchWorkspace<double, kRows, kColumns>;

  std::vector<Eigen::VectorXd> rows_;
  std::vector<double> constants_;
};

}  // namespace tactus::host
