#include "mcap_writer.hpp"

#include <algorithm>

namespace tactus::host {
namespace {

constexpr std::string_view kMagic{"\x89MCAP0\r\n", 8};
constexpr std::size_t kChunkSize = std::size_t{1} << 20;

enum Opcode : std::uint8_t {
  kHeader = 1,
  kFooter = 2,
  kSchema = 3,
  kChannel = 4,
  kMessage = 5,
  kChunk = 6,
  kMessageIndex = 7,
  kChunkIndex = 8,
  kStatistics = 11,
  kSummaryOffset = 14,
  kDataEnd = 15
};

// The fields of a record, little endian, and around them the record: opcode, length, fields.
class Fields {
 public:
  Fields& u8(std::uint64_t x) { return integer(x, 1); }
  Fields& u16(std::uint64_t x) { return integer(x, 2); }
  Fields& u32(std::uint64_t x) { return integer(x, 4); }
  Fields& u64(std::uint64_t x) { return integer(x, 8); }
  Fields& bytes(std::string_view x) {
    text_ += x;
    return *this;
  }
  Fields& string(std::string_view x) { return u32(x.size()).bytes(x); }

  const std::string& text() const { return text_; }
  std::string record(Opcode opcode) const {
    Fields head;
    return head.u8(opcode).u64(text_.size()).text_ + text_;
  }

 private:
  Fields& integer(std::uint64_t x, int size) {
    for (int i = 0; i < size; ++i) text_ += static_cast<char>(x >> (8 * i));
    return *this;
  }
  std::string text_;
};

std::uint32_t crc(std::string_view bytes) {
  return etl::crc32(bytes.begin(), bytes.end()).value();
}

}  // namespace

void McapWriter::Span::add(std::uint64_t t) {
  first = empty ? t : std::min(first, t);
  last = empty ? t : std::max(last, t);
  empty = false;
}

McapWriter::McapWriter(const std::string& file) : file_(file) {
  put(kMagic);
  put(Fields().string("").string("tactus").record(kHeader));
}

McapWriter::Id McapWriter::add_schema(std::string_view name, std::string_view encoding,
                                      std::string_view data) {
  const Id id = ++schema_count_;  // 0 says that there is none
  const std::string record = Fields().u16(id).string(name).string(encoding).string(data).record(kSchema);
  schemas_ += record;
  chunk_ += record;
  return id;
}

McapWriter::Id McapWriter::add_channel(std::string_view topic, std::string_view encoding, Id schema) {
  const auto id = static_cast<Id>(channel_.size());
  const std::string record =
      Fields().u16(id).u16(schema).string(topic).string(encoding).string("").record(kChannel);
  channel_.emplace_back();
  channels_ += record;
  chunk_ += record;
  return id;
}

void McapWriter::write(Id channel, std::uint64_t nanoseconds, std::string_view message) {
  Channel& to = channel_[channel];
  to.index.emplace_back(nanoseconds, chunk_.size());
  chunk_ +=
      Fields().u16(channel).u32(to.count++).u64(nanoseconds).u64(nanoseconds).bytes(message).record(kMessage);
  chunk_times_.add(nanoseconds);
  times_.add(nanoseconds);
  if (chunk_.size() >= kChunkSize) end_chunk();
}

void McapWriter::put(std::string_view bytes) {
  file_.write(bytes);
  crc_.add(bytes.begin(), bytes.end());
  written_ += bytes.size();
}

void McapWriter::end_chunk() {
  if (chunk_.empty()) return;
  const std::uint64_t chunk_start = written_;
  put(Fields()
          .u64(chunk_times_.first)
          .u64(chunk_times_.last)
          .u64(chunk_.size())
          .u32(crc(chunk_))
          .string("")
          .u64(chunk_.size())
          .bytes(chunk_)
          .record(kChunk));
  const std::uint64_t chunk_end = written_;
  Fields places;
  for (std::size_t id = 0; id < channel_.size(); ++id) {
    auto& index = channel_[id].index;
    if (index.empty()) continue;
    Fields entries;
    for (const auto& [time, place] : index) entries.u64(time).u64(place);
    places.u16(id).u64(written_);
    put(Fields().u16(id).string(entries.text()).record(kMessageIndex));
    index.clear();
  }
  chunk_indexes_ += Fields()
                        .u64(chunk_times_.first)
                        .u64(chunk_times_.last)
                        .u64(chunk_start)
                        .u64(chunk_end - chunk_start)
                        .string(places.text())
                        .u64(written_ - chunk_end)
                        .string("")
                        .u64(chunk_.size())
                        .u64(chunk_.size())
                        .record(kChunkIndex);
  ++chunks_;
  chunk_.clear();
  chunk_times_ = {};
}

void McapWriter::close() {
  end_chunk();
  put(Fields().u32(crc_.value()).record(kDataEnd));

  Fields counts;
  std::uint64_t messages = 0;
  for (std::size_t id = 0; id < channel_.size(); ++id) {
    counts.u16(id).u64(channel_[id].count);
    messages += channel_[id].count;
  }
  const std::string statistics = Fields()
                                     .u64(messages)
                                     .u16(schema_count_)
                                     .u32(channel_.size())
                                     .u32(0)  // attachments
                                     .u32(0)  // metadata
                                     .u32(chunks_)
                                     .u64(times_.first)
                                     .u64(times_.last)
                                     .string(counts.text())
                                     .record(kStatistics);
  const std::pair<Opcode, const std::string*> groups[] = {{kSchema, &schemas_},
                                                          {kChannel, &channels_},
                                                          {kChunkIndex, &chunk_indexes_},
                                                          {kStatistics, &statistics}};
  std::string summary, offsets;
  for (const auto& [opcode, records] : groups) {
    if (records->empty()) continue;
    offsets += Fields().u8(opcode).u64(written_ + summary.size()).u64(records->size()).record(kSummaryOffset);
    summary += *records;
  }
  // The footer's CRC is of all from the summary's start to the field before it.
  const std::string footer = Fields().u64(written_).u64(written_ + summary.size()).u32(0).record(kFooter);
  const std::string end = summary + offsets + footer.substr(0, footer.size() - 4);
  put(Fields().bytes(end).u32(crc(end)).bytes(kMagic).text());
  file_.close();
}

}  // namespace tactus::host
