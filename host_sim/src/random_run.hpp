// A scene in motion and what predicts it one step ahead, tick by tick: an emulated board, or this host.
#pragma once

#include <cstdint>
#include <memory>

#include "commands.hpp"
#include "scene.hpp"

namespace tactus::host {

namespace link {
class Board;
}

struct Outcome {
  double cost = 0;  // the board's counts, or us
  double rank = 0;  // what a search for dear ticks climbs by: where the cost is a time, what was begun in it
  bool certified = false;
  bool failed = false;  // without an answer of its own
};

class Run {
 public:
  virtual ~Run() = default;
  virtual Outcome tick(long k) = 0;                // k = 1, 2, ...
  virtual long late() = 0;                         // of all ticks; after the last
  virtual bool same_bits() const { return true; }  // on board and host
};

class Predictor {
 public:
  // Of the options the board, the noise and the beats. Throws as HilLoop::connect() does.
  explicit Predictor(const BenchOptions& options);
  // One run at a time; the scene must outlive it. Throws InputError where the scene is refused.
  std::unique_ptr<Run> begin(const Scene& scene, std::uint64_t noise_seed);

 private:
  HilOptions options_;
  // One for all runs. It is booted anew after a refusal: over the FIFOs nothing but a tick feeds the board's
  // watchdog, so many refusals in a row would end in a reset.
  std::shared_ptr<link::Board> board_;
};

}  // namespace tactus::host
