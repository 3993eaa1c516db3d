// Writes MCAP, the log container that Foxglove, PlotJuggler and others open (https://mcap.dev/spec, version
// 0).
//
//     magic | Header | (Chunk | its Message Indexes)* | Data End | summary | summary offsets | Footer | magic
//
// Messages are gathered into chunks of about 1 MiB, not compressed. Each chunk is followed by an index of its
// messages; the summary at the end repeats schemas and channels, lists the chunks and counts the messages, so
// that a reader finds any time and topic without reading the whole file. Every CRC that the format has is
// given.
#pragma once

#include <etl/crc32.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "output_file.hpp"

namespace tactus::host {

class McapWriter {
 public:
  using Id = std::uint16_t;

  // Throws InputError where the file cannot be written.
  explicit McapWriter(const std::string& file);

  // For protobuf the encoding is "protobuf", the name that of the message, the data a FileDescriptorSet.
  Id add_schema(std::string_view name, std::string_view encoding, std::string_view data);
  Id add_channel(std::string_view topic, std::string_view encoding, Id schema);
  // Times are nanoseconds since any epoch; a reader expects them to grow, but they need not.
  void write(Id channel, std::uint64_t nanoseconds, std::string_view message);
  // Without it the file has no summary. Throws std::runtime_error where the disk is full.
  void close();

 private:
  struct Channel {
    std::uint32_t count = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> index;  // time and place of the chunk's messages
  };
  struct Span {  // of message times
    std::uint64_t first = 0, last = 0;
    bool empty = true;
    void add(std::uint64_t t);
  };

  void put(std::string_view bytes);
  void end_chunk();

  OutputFile file_;
  etl::crc32 crc_;
  std::uint64_t written_ = 0;
  std::string schemas_, channels_, chunk_indexes_;  // the records that the summary repeats or holds
  std::string chunk_;
  Span chunk_times_, times_;
  std::uint32_t chunks_ = 0;
  Id schema_count_ = 0;
  std::vector<Channel> channel_;
};

}  // namespace tactus::host
