#include "log.hpp"

#include <google/protobuf/descriptor.pb.h>
#include <log.pb.h>

#include <algorithm>
#include <cmath>

#include "csv.hpp"

namespace tactus::host {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

void set(Message& message, const FieldDescriptor& field, double value) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection.SetEnumValue(&message, &field, static_cast<int>(value));
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection.SetUInt32(&message, &field, static_cast<std::uint32_t>(value));
    default:
      return reflection.SetDouble(&message, &field, value);
  }
}

}  // namespace

Log::Log(const std::string& file, const Scene& scene, bool with_board) : writer_(file) {
  const Message& body = scene.plane ? static_cast<const Message&>(log::PlaneBody::default_instance())
                                    : log::SpaceBody::default_instance();
  const Message& contact = scene.plane ? static_cast<const Message&>(log::PlaneContact::default_instance())
                                       : log::SpaceContact::default_instance();
  const auto columns = csv_columns(scene);
  // A field of the message is the column of that name; one that this run does not have stays empty.
  const auto add = [&](const std::string& topic, const std::string& owner, const Message& prototype,
                       McapWriter::Id schema) {
    Topic made{channel(topic, schema), std::unique_ptr<Message>(prototype.New()), {}};
    const Descriptor& type = *prototype.GetDescriptor();
    for (int i = 0; i < type.field_count(); ++i) {
      const auto column = std::find(columns.begin(), columns.end(), owner + type.field(i)->name());
      if (column != columns.end())
        made.fields.emplace_back(type.field(i), static_cast<std::size_t>(column - columns.begin()));
    }
    topics_.push_back(std::move(made));
  };
  const auto body_schema = schema(*body.GetDescriptor());
  for (const Body& b : scene.bodies) {
    if (b.mass) add("/body/" + b.name, b.name + ".", body, body_schema);
  }
  if (!scene.contacts.empty()) {
    const auto contact_schema = schema(*contact.GetDescriptor());
    for (const ContactPair& pair : scene.contacts)
      add("/contact/" + pair.name(), pair.name() + ".", contact, contact_schema);
  }
  if (!scene.arms.empty()) {
    const auto arm_schema = schema(*log::Arm::descriptor());
    for (const Arm& arm : scene.arms) arms_.push_back(channel("/arm/" + arm.name, arm_schema));
  }
  add("/solver", "", log::Solver::default_instance(), schema(*log::Solver::descriptor()));
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
  for (const Topic& topic : topics_) {
    for (const auto& [field, column] : topic.fields) {
      if (std::isfinite(values[column]))
        set(*topic.message, *field, values[column]);
      else
        topic.message->GetReflection()->ClearField(topic.message.get(), field);
    }
    write(topic.channel, t, *topic.message);
  }
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    log::Arm arm;
    arm.mutable_q()->Add(sample.arms[i].q.begin(), sample.arms[i].q.end());
    arm.mutable_qd()->Add(sample.arms[i].qd.begin(), sample.arms[i].qd.end());
    write(arms_[i], t, arm);
  }
  log::Energy energy;
  energy.set_kinetic(sample.kinetic);
  energy.set_potential(sample.potential);
  energy.set_elastic(sample.elastic);
  write(energy_, t, energy);
}

}  // namespace tactus::host
