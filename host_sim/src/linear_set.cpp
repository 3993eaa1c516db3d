#include "linear_set.hpp"

namespace tactus::host {

LinearSet::Verdict LinearSet::find(Eigen::Index unknowns, Eigen::VectorXd& z) const {
  const int n = static_cast<int>(2 * unknowns), m = static_cast<int>(rows_.size());
  if (n > kColumns || m > kRows) return Verdict::undecided;
  std::vector<double> M(rows_.size() * static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (Eigen::Index j = 0; j < unknowns; ++j) {
      M[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)] = rows_[i][j];
      M[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(unknowns + j)] = -rows_[i][j];
    }
  static thread_local const auto workspace = std::make_unique<Workspace>();
  bool found = false;
  const auto result = lcp::branch(lcp::Inequalities<double>{m, n, 0, M.data(), n, constants_.data()},
                                  *workspace, kPivots, [&](const auto& node) {
                                    z.resize(unknowns);
                                    for (Eigen::Index j = 0; j < unknowns; ++j)
                                      z[j] = node.z[static_cast<std::size_t>(j)] -
                                             node.z[static_cast<std::size_t>(unknowns + j)];
                                    found = true;
                                    return static_cast<int>(lcp::kBranchStop);
                                  });
  if (found) return Verdict::point;
  return result.complete && result.proved ? Verdict::empty : Verdict::undecided;
}

}  // namespace tactus::host
