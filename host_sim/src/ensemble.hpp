// `tactus run --ensemble N`: what may happen where nobody knows the start, the masses and the friction to the
// last digit. N members of a scene, each off by numbers of its own (predictor/disturbance.hpp).
#pragma once

#include <string>
#include <vector>

#include "tactus/predictor/disturbance.hpp"

namespace tactus::host {

struct EnsembleOptions {
  int members = 0;               // 0: none
  std::vector<std::string> off;  // WHAT=AMOUNT; empty: what is usual
  std::uint32_t seed = 1;
};

// Largest deviations, uniform between minus and plus that. Throws InputError, "--off" its key.
predictor::Disturbance<double> deviations(const EnsembleOptions& options);

struct RunOptions;
struct Scene;

// Runs and prints it; an exit status.
int run_ensemble(const Scene& scene, const RunOptions& options);

}  // namespace tactus::host
