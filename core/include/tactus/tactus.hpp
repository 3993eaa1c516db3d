// Plane and space. What is asked for more is in predictor/: doubt.hpp, ensemble.hpp, innovation.hpp,
// horizon_model.hpp.
#pragma once

#include "tactus/plane.hpp"
#include "tactus/space.hpp"
