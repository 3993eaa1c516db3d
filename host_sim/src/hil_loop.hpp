// A plant on the host and a board that predicts it, tick by tick: in lockstep, or in real time.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "forecasts.hpp"
#include "hil_tally.hpp"
#include "host_sim/link/link.hpp"

namespace tactus::host {

// Throws InputError, naming the emulated boards, where this is none of them.
void demand_emulated(const std::string& board);

class HilLoop {
 public:
  // Connects, and configures the board with the model: what it predicts with, which may be the plant's own
  // scene. Throws link::LinkError, and InputError where the two do not fit each other or the board refuses.
  // Many runs one after the other may share a board that connect() gave.
  static std::unique_ptr<HilLoop> make(const Scene& plant, const Scene& model, const HilOptions& options,
                                       std::shared_ptr<link::Board> board = nullptr);
  static std::shared_ptr<link::Board> connect(const HilOptions& options);
  virtual ~HilLoop() = default;

  // Tick k = 1, 2, ...: the board gets a state, the plant moves on. The state afterwards is in now().
  void tick(long k);
  // After the last tick: what the board counted.
  virtual void finish();

  // After k ticks.
  double time(long k) const { return static_cast<double>(k * steps_in_tick_) * model_.step; }
  long ticks() const;  // of the whole scene
  double plant_step() const { return fine_.step; }
  const StepSample& now() const { return now_; }
  const HilTally& tally() const { return tally_; }
  // Of this tick: the state as measured, whether or not it arrived, and the answers that came.
  const wire::State& state() const { return state_; }
  const std::vector<wire::Prediction>& answers() const { return answers_; }

  // Columns of the report that only a run with a board has, and their values after a tick; NaN where there is
  // none.
  std::vector<std::string> columns() const;
  const std::vector<double>& values() const { return values_; }

 protected:
  HilLoop(const Scene& plant, const Scene& model, const HilOptions& options,
          std::shared_ptr<link::Board> board, wire::Mode mode);

  // Sends state() or not, and gives every answer that comes to take().
  virtual void exchange() = 0;
  // On its way to the board the state is lost or damaged: true, and it has been seen to.
  bool spoil_state();
  // The next frame of the board, after what may happen to it on its way; nothing where none came, or none
  // that can be read. A HEALTH among them is kept in the tally.
  std::optional<wire::Prediction> receive(std::chrono::nanoseconds timeout, bool& came);
  void take(const wire::Prediction& answer);

  const Scene& scene_;
  const Scene& model_;
  const HilOptions& options_;
  HilTally tally_;
  const std::shared_ptr<link::Board> shared_;
  link::Board& board_;
  Disturbance disturbance_;
  wire::Configure configuration_;
  long steps_in_tick_ = 1;  // of the model
  double difference_ = 0;   // of this tick; NaN: none
  bool health_came_ = false;

 private:
  void note_values();

  const Scene fine_;
  const long plant_steps_;  // in a step of the model
  std::unique_ptr<Plant> plant_;
  StepSample now_;
  wire::State state_;
  std::vector<wire::Prediction> answers_;
  LinkCounts board_before_, host_before_;
  Forecasts forecasts_;
  double cost_ = 0;
  std::vector<double> values_;
  std::vector<double> changes_;  // of each contact: how far off its next change is said to be, s; NaN: none
};

// Of all presets, of which the command's own is one: build/<preset>/tactus.
std::filesystem::path build_folder();
std::unique_ptr<HilLoop> make_lockstep(const Scene& plant, const Scene& model, const HilOptions& options,
                                       std::shared_ptr<link::Board> board);
std::unique_ptr<HilLoop> make_real_time(const Scene& plant, const Scene& model, const HilOptions& options,
                                        std::shared_ptr<link::Board> board);
// Throws InputError where `who` refuses the scene.
void demand_accepted(const Scene& scene, const wire::Configured& answer, const std::string& who);

}  // namespace tactus::host
