// What a program in the plane includes: scenes and their worlds, the step, the horizon. No kernel of space is
// compiled.
#pragma once

#include "tactus/geometry/planar.hpp"
#include "tactus/predictor/predictor.hpp"
#include "tactus/stepper/build_scene.hpp"
#include "tactus/stepper/cut.hpp"
