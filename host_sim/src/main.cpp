// The tactus command: what each subcommand is called with, and what its help teaches.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>

#include "commands.hpp"
#include "input_error.hpp"
#include "options.hpp"

namespace {

using namespace tactus::host;

void add_precision(CLI::App& command, bool& single) {
  command
      .add_option_function<std::string>(
          "--precision",
          [&single](const std::string& word) {
            if (word != "float" && word != "double")
              throw CLI::ValidationError("--precision",
                                         fmt::format("must be float or double, not \"{}\"", word));
            single = word == "float";
          },
          "float or double (the default)")
      ->type_name("TYPE");
}

void add_output(CLI::App& command, OutputOptions& options) {
  command.add_option("--csv", options.csv, "write the motion and the contact forces of every step")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_option("--mcap", options.mcap, "write them as a log that Foxglove and PlotJuggler open")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_option("--report", options.report, "write a page to look at, that works offline")
      ->type_name("FILE.html")
      ->check(not_empty());
  command.add_option("--every", options.every, "only every K-th step into CSV and log")
      ->type_name("K")
      ->check(within(1L, 1000000000L));
}

void add_lcp(CLI::App& app, LcpOptions& options) {
  CLI::App& command = *app.add_subcommand("lcp", "Solve linear complementarity problems from a JSON file");
  command.add_option("FILE", options.file, "a list of problems, or one")->required()->check(not_empty());
  add_precision(command, options.single);
  command.add_option("--repeat", options.repeat, "solve each so often and give the median time")
      ->check(within(1, 1000000));
  command.add_option("--budget", options.budget, "most pivots of one solve")->check(within(0, 1000000000));
  command.footer(
      R"(FILE holds  [{"name": "a", "n": 2, "M": [[2, 1], [1, 2]], "q": [-1, 1]}, ...]  for w = M z + q; one JSON line
each comes out, in the same order: status solved (certified), ray (a proof that no pivot leads on), pivot_limit (the best
iterate, with its residual) or invalid. Exit status 0 for all of these, 2 where the file cannot be right. "blocks": [0, 1]
says which unknowns share a unit.

  tactus lcp problems.json                       in double, once each
  tactus lcp problems.json --precision float     as a board would
  tactus lcp problems.json --repeat 101          with a median time worth reading
  tactus lcp problems.json --budget 5            the best iterate after five pivots, and what it is worth)");
}

void add_accel(CLI::App& app, AccelOptions& options) {
  CLI::App& command = *app.add_subcommand("accel", "Solve one contact problem at the level of accelerations");
  command
      .add_option("FILE", options.file,
                  "the problem, JSON; host_sim/README.md says what it holds; with --at a scene")
      ->required()
      ->check(not_empty());
  command.add_option("--at", options.at, "of a scene: run it to here and take what touches then")
      ->type_name("SECONDS")
      ->check(within(0.0, 1e9));
  add_precision(command, options.single);
  CLI::Option* const board =
      command.add_option("--board", options.board, "with --at: ask an emulated board, such as mps2-an500");
  board->check(not_empty());
  command.add_option("--port", options.port, "with --at: ask the board at this serial device")
      ->check(not_empty())
      ->excludes(board);
  command.add_option("--budget", options.budget, "most pivots of each search over the contacts' modes")
      ->check(within(0, 1000000000));
  command.footer(
      R"(FILE holds M_obj, W, g_obj and mu, with a manipulator M_man, J and tau (or thdd), or simply A and b. One JSON line
comes out: forces and accelerations; or, where a sliding contact jams, that no forces obey Coulomb's law, and those
nearest to it; of a part at rest among fixed contacts, too, whether they hold it. Exit status 1 where nothing was found
and nothing excluded, 2 where the file cannot be right.

  tactus accel rod.json                       in double
  tactus accel rod.json --precision float     as a board would
  tactus accel host_sim/scenes/painleve.json --at 0          a scene as it starts, and its first step
  tactus accel host_sim/scenes/arm.json --at 1 --board mps2-an500      as a board tells it)");
}

CLI::Option* add_ensemble(CLI::App& command, EnsembleOptions& options, int least, int most,
                          const char* what) {
  CLI::Option* const ensemble = command.add_option("--ensemble", options.members, what);
  ensemble->type_name("N")->check(within(least, most));
  command
      .add_option("--off", options.off, "by how much members are off at most, such as mass=0.05 (repeat it)")
      ->type_name("WHAT=AMOUNT")
      ->check(not_empty())
      ->needs(ensemble);
  return ensemble;
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App& command =
      *app.add_subcommand("run", "Run a scene on this host, with the core that the boards run");
  command.add_option("SCENE", options.scene, "a scene, JSON; host_sim/README.md says what it holds")
      ->required()
      ->check(not_empty());
  add_output(command, options.output);
  command.add_flag("--elements", options.output.elements,
                   "forces and deformations of single elements into the CSV");
  add_precision(command, options.single);
  CLI::Option* const ensemble = add_ensemble(
      command, options.ensemble, 1, 1000000,
      "so many runs, each with masses, friction, places and speeds a little off: what may happen");
  command.add_option("--seed", options.ensemble.seed, "of the ensemble: the same seed, the same members")
      ->check(within<std::uint32_t>(0, std::numeric_limits<std::uint32_t>::max()))
      ->needs(ensemble);
  for (const char* other : {"--mcap", "--report"}) ensemble->excludes(command.get_option(other));
  command.footer(
      R"(Exit status 1 where a step is not certified, 2 where the scene cannot be right, 3 where this build has no law for it.

  tactus run host_sim/scenes/ellipse.json                           the verdict only
  tactus run host_sim/scenes/ellipse.json --report ellipse.html     and a page with motion and plots
  tactus run host_sim/scenes/ellipse.json --csv out.csv --every 100
  tactus run host_sim/scenes/ellipse.json --mcap out.mcap           for Foxglove, PlotJuggler and their like
  tactus run host_sim/scenes/ellipse.json --precision float         the bits that a board computes
  tactus run host_sim/scenes/chain.json --csv out.csv --elements    single points and elements, too
  tactus run host_sim/scenes/push.json --ensemble 100 --seed 1      what may happen, and how often
  tactus run host_sim/scenes/push.json --ensemble 100 --off friction=0.2 --off mass=0.05)");
}

void add_disturbance(CLI::App& command, DisturbanceOptions& d) {
  command.add_option("--noise", d.noise, "standard deviation of each measured number")
      ->type_name("SIGMA")
      ->check(within(0.0, 1.0));
  command
      .add_option("--uncertainty", d.told,
                  "what the board is told of that noise, in place of the scene's; 0: nothing")
      ->type_name("SIGMA")
      ->check(within(0.0, 1.0));
  command.add_option("--latency", d.latency, "age of the measured state")
      ->type_name("TICKS")
      ->check(within(0L, 1000L));
  command.add_option("--drop", d.drop, "share of the frames that get lost, to 0.5")
      ->type_name("SHARE")
      ->check(within(0.0, 0.5));
  command.add_option("--corrupt", d.corrupt, "share of the frames that arrive damaged, to 0.5")
      ->type_name("SHARE")
      ->check(within(0.0, 0.5));
  command.add_option("--seed", d.seed, "of noise and losses: the same seed, the same run");
}

void add_hil(CLI::App& app, HilOptions& options) {
  CLI::App& command = *app.add_subcommand(
      "hil", "Let a board predict the scene that runs on this host (hardware in the loop)");
  command.add_option("SCENE", options.scene, "a scene, JSON; it is the plant")
      ->required()
      ->check(not_empty());
  CLI::Option_group& target = *command.add_option_group("board", "which board");
  target
      .add_option("--board", options.board,
                  "an emulated board, " TACTUS_EMULATED_BOARDS "; boots the image of its preset")
      ->type_name("NAME");
  target.add_option("--port", options.port, "serial device of a real board")->type_name("DEVICE");
  target.require_option(1);
  command.add_option("--ticks", options.ticks, "ticks to run (default: to the end of the scene)")
      ->check(within(1L, 1000000000L));
  command.add_option("--horizon", options.horizon, "steps that the board looks ahead (default 1)")
      ->type_name("STEPS")
      ->check(within(1, 32));
  add_output(command, options.output);
  command
      .add_option("--model", options.model,
                  "another scene for the board to predict with: the same bodies, its own step and law")
      ->type_name("SCENE")
      ->check(not_empty());
  command
      .add_option("--substeps", options.substeps,
                  "steps of the plant in one tick: a plant finer than the board")
      ->check(within(1, 1000));
  command.add_option("--step", options.step, "step of the board's model (default: that of its scene)")
      ->type_name("SECONDS")
      ->check(within(1e-9, 1.0));
  command.add_option("--beats", options.beats, "beats of the board in one tick (default 1)")
      ->check(within(1, 25));
  command.add_option("--share", options.share, "of a tick that the horizon may take (default 50)")
      ->type_name("PERCENT")
      ->check(within(1, 75));
  command.add_flag("--uart", options.uart,
                   "reach the emulated board over its UART, as a real one, not over FIFOs");
  command.add_flag("--realtime", options.real_time,
                   "a tick each beat of the board's clock; measures latency and jitter");
  add_disturbance(command, options.disturbance);
  add_ensemble(command, options.ensemble, 2, 8,
               "members of doubt that the board runs beside each prediction, 2 to 8");
  command.footer(
      R"(The summary ends with one JSON line. Exit status 1 where a frame was lost
other than by --drop, an answer was uncertified, or an answer
differs from the host's own core.

  tactus hil host_sim/scenes/ellipse.json --board mps2-an500                  the whole scene, in lockstep
  tactus hil host_sim/scenes/ellipse.json --board mps2-an386 --ticks 2000 --report ellipse.html
  tactus hil host_sim/scenes/ellipse.json --board mps2-an500 --drop 0.01 --corrupt 0.01 --noise 1e-5
  tactus hil host_sim/scenes/push.json --board mps2-an500 --ensemble 4 --off friction=0.1 --horizon 5 --beats 8
  tactus hil host_sim/scenes/ellipse.json --port /dev/ttyACM0                 a real board)");
}

void add_bench(CLI::App& app, BenchOptions& options) {
  CLI::App& command = *app.add_subcommand("bench", "Measure what the solver and the steps cost");
  command
      .add_option("--board", options.board,
                  "count on an emulated board instead of timing here: " TACTUS_EMULATED_BOARDS)
      ->type_name("NAME");
  command.add_option("--scenes", options.scenes, "folder of the scenes (default: those of this tree)")
      ->type_name("FOLDER");
  command.add_flag("--json", options.json, "one JSON object for each row");
  CLI::Option* const random = command.add_option(
      "--random", options.random, "so many ticks of each scene that nobody chose: half drawn, half searched");
  random->type_name("N")->check(within(1L, 1000000000L));
  command.add_option("--seed", options.seed, "of all that is drawn: the same seed, the same ticks")
      ->check(within<std::int64_t>(0, std::numeric_limits<std::int64_t>::max()))
      ->needs(random);
  command.add_option("--noise", options.noise, "standard deviation of each measured number")
      ->type_name("SIGMA")
      ->check(within(0.0, 1.0))
      ->needs(random);
  command.add_option("--beats", options.beats, "beats of 1 ms in a random tick (default 25)")
      ->check(within(1, 25))
      ->needs(random);
  command.footer(R"(  tactus bench                        time on this host
  tactus bench --board mps2-an386     instructions on the emulated Cortex-M4F
  tactus bench --board mps2-an386 --random 2000 --seed 1     and of 2000 ticks that nobody chose
  tactus bench --json > cost.jsonl)");
}

void add_model(CLI::App& app, ModelOptions& options) {
  CLI::App& command = *app.add_subcommand("model", "Make constants for a board from a robot's URDF file");
  command.add_option("FILE", options.file, "a robot, URDF")->required()->check(not_empty());
  command.add_option("--out", options.out, "the header to write")->type_name("FILE.hpp")->check(not_empty());
  command.add_flag("--check", options.check,
                   "print masses, a pose and the mass matrix (the default without --out)");
  command.add_option("--at", options.at, "joint positions of that pose (default: all zero)")
      ->type_name("Q1,Q2,...")
      ->delimiter(',');
  command.footer(
      R"(Elements that say nothing of the motion are named on stderr and left out; exit status 3 where one would change it.

  tactus model host_sim/models/finger.urdf                          its figures
  tactus model host_sim/models/finger.urdf --at 0.3,-0.5,0.8        and in another pose
  tactus model host_sim/models/finger.urdf --out finger.hpp         constants for a board)");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "tactus predicts frictional contact on the controller itself; this command runs it on the host.",
      "tactus");
  app.set_help_all_flag("--help-all", "the help of every command");
  app.set_version_flag("--version", "tactus " TACTUS_VERSION);
  app.require_subcommand(1);
  LcpOptions lcp;
  add_lcp(app, lcp);
  AccelOptions accel;
  add_accel(app, accel);
  RunOptions run;
  add_run(app, run);
  HilOptions hil;
  add_hil(app, hil);
  BenchOptions bench;
  add_bench(app, bench);
  ModelOptions model;
  add_model(app, model);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    std::fprintf(stderr, "tactus: %s (tactus --help tells more)\n", e.what());
    return kExitBadInput;
  }
  try {
    if (app.got_subcommand("lcp")) return run_lcp(lcp);
    if (app.got_subcommand("accel")) return run_accel(accel);
    if (app.got_subcommand("run")) return run_scene(run);
    if (app.got_subcommand("hil")) return run_hil(hil);
    if (app.got_subcommand("bench")) return run_bench(bench);
    if (app.got_subcommand("model")) return run_model(model);
  } catch (const InputError& e) {
    std::fprintf(stderr, "tactus: %s\n", e.what());
    return kExitBadInput;
  } catch (const Unsupported& e) {
    std::fprintf(stderr, "tactus: %s\n", e.what());
    return kExitUnsupported;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tactus: %s\n", e.what());
    return kExitRunFailed;
  }
  return kExitBadInput;
}
