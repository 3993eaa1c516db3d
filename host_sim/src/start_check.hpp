// What a scene may say and seldom means.
#pragma once

#include <string>

#include "plant.hpp"

namespace tactus::host {

// Bodies that start inside one another: a law without compliance mends a depth within one step, so they are
// shot apart at depth / step. One sentence about the deepest pair where that is faster than 0.1 m/s, else
// empty. Under the compliant law a depth is a force and may be meant.
std::string start_warning(const Scene& scene, const StepSample& initial);

}  // namespace tactus::host
