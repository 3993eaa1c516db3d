// The subcommands of tactus. Each returns an exit status of input_error.hpp and may throw InputError or
// Unsupported, which main turns into one line on stderr.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "disturbance.hpp"
#include "ensemble.hpp"

namespace tactus::host {

struct LcpOptions {
  std::string file;
  bool single = false;  // float
  int repeat = 1;
  int budget =
      20000;  // exponential families of n = 12 need 2^12 pivots, and a rule may use half of what is left
};
int run_lcp(const LcpOptions& options);

struct OutputOptions {
  std::string csv, mcap, report;  // files; empty: none
  long every = 1;                 // only every so many-th step goes into the first two
  bool elements = false;          // single elements into the CSV
};

struct AccelOptions {
  std::string file;
  std::optional<double> at;  // s: the file is a scene
  bool single = false;       // float
  int budget = 200000;       // pivots of each search over the modes
  std::string board;         // asks an emulated board, by the name of its folder,
  std::string port;          // or one at this serial device
};
int run_accel(const AccelOptions& options);
int ask_board(const AccelOptions& options);  // the same of a scene, of a board

struct RunOptions {
  std::string scene;
  OutputOptions output;
  EnsembleOptions ensemble;
  bool single = false;
};
int run_scene(const RunOptions& options);

struct HilOptions {
  std::string scene;  // the plant
  std::string model;  // what the board predicts with; empty: the same
  std::string board;  // an emulated board's preset, or
  std::string port;   // the serial device of a real one
  bool real_time = false;
  bool uart = false;  // an emulated board over its UART instead of FIFOs
  long ticks = 0;     // 0: to the end of the scene
  int horizon = 1;    // steps that the board looks ahead
  int substeps = 1;   // of the plant in a tick
  double step = 0;    // of the board's model, s; 0: that of its scene
  int beats = 1;      // of the board in a tick
  int share = 50;     // of a tick for the horizon, percent
  OutputOptions output;
  DisturbanceOptions disturbance;
  EnsembleOptions ensemble;  // of the board: members of doubt
};
int run_hil(const HilOptions& options);

struct ModelOptions {
  std::string file;        // URDF
  std::string out;         // header to write; empty: none
  bool check = false;      // print its figures
  std::vector<double> at;  // joint positions for them; empty: all zero
};
int run_model(const ModelOptions& options);

struct BenchOptions {
  std::string board;   // empty: this host
  std::string scenes;  // folder; empty: host_sim/scenes of the tree that the command was built in
  bool json = false;
  // Of random ticks, one step ahead:
  long random = 0;  // how many of each scene; 0: the bench of the scenes as they are
  std::uint64_t seed = 1;
  double noise = 0;  // standard deviation of each measured number
  int beats = 25;    // of the board in a tick; so many as to see what a tick costs, not whether there is time
};
int run_bench(const BenchOptions& options);

}  // namespace tactus::host
