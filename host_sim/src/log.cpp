#include "log.hpp"

#include <google/protobuf/descriptor.pb.h>
#include <log.pb.h>

#include <cmath>

namespace tactus::host {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Takes the fields of a message, in their order, from the CSV's row.
const double* fill(Message& message, const double* value) {
  const Descriptor& type = *message.GetDescriptor();
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  for (int i = 0; i < type.field_count(); ++i, ++value) {
    const FieldDescriptor& field = *type.field(i);
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_ENUM:
        reflection.SetEnumValue(&message, &field, static_cast<int>(*value));
        break;
      case FieldDescriptor::CPPTYPE_UINT32:
        reflection.SetUInt32(&message, &field, static_cast<std::uint32_t>(*value));
        break;
      default:
        reflection.SetDouble(&message, &field, *value);
    }
  }
  return value;
}

}  // namespace

Log::Log(const std::string& file, const Scene& scene, bool with_board) : writer_(file) {
  const Message& body = scene.plane ? static_cast<const Message&>(log::PlaneBody::default_instance())
                                    : log::SpaceBody::default_instance();
  const Message& contact = scene.plane ? static_cast<const Message&>(log::PlaneContact::default_instance())
                                       : log::SpaceContact::default_instance();
  const auto body_schema = schema(*body.GetDescriptor());
  for (const Body& b : scene.bodies) {
    if (b.mass)
      topics_.push_back({channel("/body/" + b.name, body_schema), std::unique_ptr<Message>(body.New())});
  }
  if (!scene.contacts.empty()) {
    const auto contact_schema = schema(*contact.GetDescriptor());
    for (const ContactPair& pair : scene.contacts)
      topics_.push_back(
          {channel("/contact/" + pair.name(), contact_schema), std::unique_ptr<Message>(contact.New())});
  }
  topics_.push_back(
      {channel("/solver", schema(*log::Solver::descriptor())), std::make_unique<log::Solver>()});
  energy_ = channel("/energy", schema(*log::Energy::descriptor()));
  if (!with_board) return;
  state_ = channel("/board/state", schema(*wire::State::descriptor()));
  prediction_ = channel("/board/prediction", schema(*wire::Prediction::descriptor()));
}

McapWriter::Id Log::schema(const Descriptor& message) {
  google::protobuf::FileDescriptorSet files;  // neither file imports another
  message.file()->CopyTo(files.add_file());
  return writer_.add_schema(message.full_name(), "protobuf", files.SerializeAsString());
}

McapWriter::Id Log::channel(const std::string& topic, McapWriter::Id schema) {
  return writer_.add_channel(topic, "protobuf", schema);
}

void Log::write(McapWriter::Id channel, double t, const Message& message) {
  message.SerializeToString(&bytes_);
  writer_.write(channel, static_cast<std::uint64_t>(std::llround(t * 1e9)), bytes_);
}

void Log::step(const std::vector<double>& values, const StepSample& sample) {
  const double t = values.front();
  const double* value = values.data() + 1;
  for (const Topic& topic : topics_) {
    value = fill(*topic.message, value);
    write(topic.channel, t, *topic.message);
  }
  log::Energy energy;
  energy.set_kinetic(sample.kinetic);
  energy.set_potential(sample.potential);
  write(energy_, t, energy);
}

}  // namespace tactus::host
