// node check.mjs FILE.mcap FILE.csv: reads the log as Foxglove does, with @mcap/core and the schemas inside the file, and
// compares it with the CSV of the same run: the channels, how many messages each has, and every number to the last bit.
// With a board: that each answer belongs to a state, and says where the plant then went to within 1e-3.
import {crc32} from '@foxglove/crc';
import {McapIndexedReader, McapStreamReader} from '@mcap/core';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor/index.js';
import {readFileSync} from 'node:fs';

const [mcapFile, csvFile] = process.argv.slice(2);
const bytes = readFileSync(mcapFile);
let checks = 0;
const check = (good, what) => {
  ++checks;
  if (!good) throw new Error(`FAILED: ${what}`);
};

const [head, ...lines] = readFileSync(csvFile, 'utf8').trimEnd().split('\n');
const names = head.split(',');
const rows = lines.map((line) => line.split(',').map(Number));
const nanoseconds = (t) => BigInt(Math.round(t * 1e9));

// From front to back, with the CRC of every chunk.
const stream = new McapStreamReader({validateCrcs: true, includeChunks: true});
stream.append(bytes);
const kinds = {};
let dataEnd = null;
for (let record; (record = stream.nextRecord()); ) {
  kinds[record.type] = (kinds[record.type] ?? 0) + 1;
  if (record.type === 'DataEnd') dataEnd = record;
}
check(stream.done(), 'the file ends where it says');
// The Data End record is 13 bytes long and ends where the summary begins.
// By its index; this also holds the summary against its CRC.
const reader = await McapIndexedReader.Initialize({
  readable: {
    size: async () => BigInt(bytes.length),
    read: async (offset, length) => bytes.subarray(Number(offset), Number(offset + length)),
  },
});
const dataSize = Number(reader.footer.summaryStart) - 13;
check(dataEnd.dataSectionCrc === crc32(bytes.subarray(0, dataSize)), 'the CRC of the data section');
check(reader.footer.summaryCrc !== 0, 'the summary has a CRC');
check(reader.statistics.chunkCount === kinds.Chunk && reader.chunkIndexes.length === kinds.Chunk, 'the count of chunks');

// Which column of the CSV is which field of which channel.
const single = {status: '/solver', pivots: '/solver', residual: '/solver'};
const places = names.map((name) => {
  if (name === 't') return null;
  if (single[name]) return [single[name], name];
  const joint = name.match(/^(.*)\.(qd?)(\d+)$/);
  if (joint) return [`/arm/${joint[1]}`, joint[2], Number(joint[3])];
  const dot = name.lastIndexOf('.');
  const owner = name.slice(0, dot);
  return [`/${names.includes(`${owner}.gap`) ? 'contact' : 'body'}/${owner}`, name.slice(dot + 1)];
});

const types = new Map();
for (const [id, schema] of reader.schemasById) {
  check(schema.encoding === 'protobuf', `the encoding of ${schema.name}`);
  const set = protobuf.descriptor.FileDescriptorSet.decode(schema.data);
  types.set(id, protobuf.Root.fromDescriptor(set).lookupType(schema.name));
}
const topics = new Map([...reader.channelsById.values()].map((c) => [c.topic, c]));
const expected = new Set([...places.filter(Boolean).map(([topic]) => topic), '/energy']);
const board = topics.has('/board/state');
if (board) expected.add('/board/state').add('/board/prediction');
check([...topics.keys()].sort().join() === [...expected].sort().join(), `the topics: ${[...topics.keys()]}`);

const logs = new Map([...topics.keys()].map((topic) => [topic, []]));
for await (const message of reader.readMessages()) {
  const channel = reader.channelsById.get(message.channelId);
  const type = types.get(channel.schemaId);
  logs.get(channel.topic).push({time: message.logTime, sequence: message.sequence, said: type.decode(message.data)});
}
for (const [topic, log] of logs) {
  const {id} = topics.get(topic);
  check(reader.statistics.channelMessageCounts.get(id) === BigInt(log.length), `the statistics of ${topic}`);
  check(log.every((m, i) => m.sequence === i), `the sequence of ${topic}`);
  if (!topic.startsWith('/board/')) check(log.length === rows.length, `${topic} has ${log.length} messages, not ${rows.length}`);
}
rows.forEach((row, i) => places.forEach((place, column) => {
  if (!place) return;
  const {time, said} = logs.get(place[0])[i];
  check(time === nanoseconds(row[0]), `the time of message ${i} of ${place[0]}`);
  const value = place.length > 2 ? said[place[1]][place[2]] : said[place[1]];
  check(value === row[column], `${place.join('.')} of message ${i}: ${value}, not ${row[column]}`);
}));

// A later part by time, from the index alone.
const from = nanoseconds(rows[Math.floor(rows.length * 0.9)][0]);
let part = 0;
for await (const message of reader.readMessages({topics: ['/solver'], startTime: from})) part += message.logTime >= from ? 1 : -1e9;
check(part === rows.length - Math.floor(rows.length * 0.9), `the last tenth has ${part} messages`);

if (board) {
  const states = new Map(logs.get('/board/state').map((m) => [m.said.tick, m]));
  const answers = logs.get('/board/prediction');
  check(states.size === logs.get('/board/state').length && states.size === rows.length, 'a state for each tick');
  check(answers.length > 0.9 * rows.length && answers.length <= rows.length, `${answers.length} answers to ${rows.length} states`);
  const x = places.findIndex((place) => place?.[0].startsWith('/body/'));
  for (const {time, said} of answers) {
    check(states.get(said.tick)?.time === time, `the answer to tick ${said.tick} has the time of its state`);
    check(Math.abs(said.pose[0] - rows[said.tick - 1][x]) < 1e-3, `the answer to tick ${said.tick}`);
  }
}
console.log(`${topics.size} topics, ${reader.statistics.messageCount} messages in ${kinds.Chunk} chunks, ${checks} checks passed`);
