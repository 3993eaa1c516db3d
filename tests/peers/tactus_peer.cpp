// build/host/tactus_peer.so: the solver as a plugin of the peer harness, whose C interface is these four
// functions. Variants tactus_double and tactus_float, n <= 180. Only lcp_solve is timed; it scales, solves
// and certifies.
#include <cstring>
#include <memory>
#include <vector>

#include "tactus/lcp/solver.hpp"

namespace {

constexpr int kCapacity = 180;
constexpr int kPivotBudget = 10000;  // what the harness grants every peer

struct Handle {
  virtual ~Handle() = default;
  virtual int solve(double* z, int* iterations) = 0;
};

template <class Scalar>
class Instance : public Handle {
 public:
  Instance(int n, const double* M, const double* q) : n_(n), M_(M, M + n * n), q_(q, q + n) {}

  int solve(double* z, int* iterations) override {
    const auto answer = tactus::lcp::solve(tactus::lcp::Problem<Scalar>{n_, M_.data(), n_, q_.data()},
                                           *memory_, {.pivot_budget = kPivotBudget});
    for (int i = 0; i < n_; ++i) z[i] = static_cast<double>(memory_->z[static_cast<std::size_t>(i)]);
    *iterations = answer.pivots;
    return answer.status == tactus::lcp::Status::solved ? 0 : 1;
  }

 private:
  int n_;
  std::vector<Scalar> M_, q_;
  std::unique_ptr<tactus::lcp::Workspace<Scalar, kCapacity>> memory_ =
      std::make_unique<tactus::lcp::Workspace<Scalar, kCapacity>>();
};

}  // namespace

extern "C" {

const char* lcp_variants(void) {
  return "tactus_double,tactus_float";
}

void* lcp_prepare(const char* variant, int n, const double* M, const double* q) {
  if (n < 0 || n > kCapacity) return nullptr;
  if (std::strcmp(variant, "tactus_float") == 0) return new Instance<float>(n, M, q);
  return new Instance<double>(n, M, q);
}

int lcp_solve(void* handle, double* z, int* iterations) {
  return static_cast<Handle*>(handle)->solve(z, iterations);
}

void lcp_release(void* handle) {
  delete static_cast<Handle*>(handle);
}
}
