// The log of a run as MCAP with protobuf messages: the plant's state after each step in the words of
// log.proto, and what passed between host and board in those of the wire.
//
//     /body/NAME       tactus.log.PlaneBody or SpaceBody
//     /contact/A-B     tactus.log.PlaneContact or SpaceContact
//     /solver          tactus.log.Solver
//     /energy          tactus.log.Energy
//     /board/state     tactus.wire.State, as it left for the board, at the state's time
//     /board/prediction  tactus.wire.Prediction, at the time of the state that it answers
//
// Times are those of the scene, from 0.
#pragma once

#include <google/protobuf/message.h>
#include <messages.pb.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mcap_writer.hpp"
#include "plant.hpp"

namespace tactus::host {

class Log {
 public:
  // Throws InputError where the file cannot be written.
  Log(const std::string& file, const Scene& scene, bool with_board);

  // `values` as csv_values gives them.
  void step(const std::vector<double>& values, const StepSample& sample);
  void state(double t, const wire::State& message) { write(state_, t, message); }
  void prediction(double t, const wire::Prediction& message) { write(prediction_, t, message); }
  void close() { writer_.close(); }

 private:
  // A message of each step: its fields, and where in the CSV's row they are.
  struct Topic {
    McapWriter::Id channel;
    std::unique_ptr<google::protobuf::Message> message;
    std::vector<std::pair<const google::protobuf::FieldDescriptor*, std::size_t>> fields;
  };
  McapWriter::Id schema(const google::protobuf::Descriptor& message);
  McapWriter::Id channel(const std::string& topic, McapWriter::Id schema);
  void write(McapWriter::Id channel, double t, const google::protobuf::Message& message);

  McapWriter writer_;
  std::vector<Topic> topics_;
  std::vector<McapWriter::Id> arms_;
  McapWriter::Id energy_ = 0, state_ = 0, prediction_ = 0;
  std::string bytes_;
};

}  // namespace tactus::host
