// What a program in space includes: scenes and their worlds, arms in them, the step, the horizon. No kernel
// of the plane is compiled.
#pragma once

#include "tactus/geometry/spatial.hpp"
#include "tactus/predictor/predictor.hpp"
#include "tactus/stepper/build_scene.hpp"
#include "tactus/stepper/cut.hpp"
