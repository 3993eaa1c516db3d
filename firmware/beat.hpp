// Beats per second of the firmware's timer, as the build was told.
#pragma once

#include <cstdint>

namespace tactus::firmware {

#ifndef TACTUS_BEAT_HERTZ
#define TACTUS_BEAT_HERTZ 1000
#endif
inline constexpr std::uint32_t kBeatHertz = TACTUS_BEAT_HERTZ;

}  // namespace tactus::firmware
