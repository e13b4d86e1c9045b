import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { requireProgram } from '../../test/services/debian.ts';
import { type ReadRecord as StrangerRecord, readTopics } from '../../test/services/reader.ts';
import type { Services } from '../../test/services/start.ts';
import { PUBLISHED_TOPICS, type ReadRecord } from '../events/topic-reader.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 1 << 30;

/**
 * Reads the topics with programs that have no line in common with ours: librdkafka with Confluent's deserializer and
 * fastavro, and kcat. They must see what our reader saw, in the same order, under the registered schemas.
 */
export async function readByOthers({ env }: Services, read: readonly ReadRecord[]): Promise<boolean> {
  const [kafka, registry] = [env['KAFKA_BROKERS']!, env['SCHEMA_REGISTRY_URL']!];
  const records: StrangerRecord[] = [];
  for await (const record of readTopics({ kafka, registry }, PUBLISHED_TOPICS, console.log)) records.push(record);
  const ours = new Map(read.map((one) => [placeOf(one), one]));
  const unread = records.filter(({ error }) => error !== undefined);
  const differing = records.filter((record) => {
    const own = ours.get(placeOf(record));
    return own?.eventId !== record.value?.['eventId'] || own?.key !== record.key;
  });
  const ids = await wrongSchemas(registry, records);
  const disorder = outOfOrder(records);
  const tombstones = records.filter(({ tombstone }) => tombstone === true).length;
  console.log(
    `librdkafka: ${records.length} records, ours ${read.length}; ${unread.length} are no Avro, ${tombstones} tombstones`,
  );
  console.log(
    `  ${differing.length} differ, ${ids} under another schema than the registered one, ${disorder} out of order`,
  );
  const kcat = await byKcat(kafka, ours);
  console.log(`kcat: ${kcat.records} records, ${kcat.differing} differ, ${kcat.tombstones} tombstones`);
  const wrong = unread.length + differing.length + ids + disorder + tombstones + kcat.differing + kcat.tombstones;
  return wrong === 0 && records.length === read.length && kcat.records === read.length;
}

const placeOf = ({
  topic,
  partition,
  offset,
}: Pick<ReadRecord, 'partition' | 'offset'> & { topic: string }): string => `${topic} ${partition} ${offset}`;

/** Records whose schema id is not the newest one of their topic's subject. */
async function wrongSchemas(registry: string, records: readonly StrangerRecord[]): Promise<number> {
  const newest = new Map<string, number>();
  for (const topic of new Set(records.map((one) => one.topic))) {
    const answer = await fetch(`${registry}/subjects/${topic}-value/versions/latest`);
    const { id } = (await answer.json()) as { id: number };
    newest.set(topic, id);
  }
  return records.filter(({ topic, schemaId }) => schemaId !== undefined && newest.get(topic) !== schemaId).length;
}

/** First occurrences that follow a later one of their property: by generation, then by number. */
function outOfOrder(records: readonly StrangerRecord[]): number {
  const seen = new Set<unknown>();
  const reached = new Map<string, [generation: number, seq: number]>();
  let count = 0;
  for (const { topic, key, headers, value } of records) {
    const id = value?.['eventId'];
    if (id === undefined || seen.has(id)) continue;
    seen.add(id);
    const at: [number, number] = [Number(headers['generation']), Number(headers['seq'])];
    const last = reached.get(`${topic} ${key}`) ?? at;
    if (at[0] < last[0] || (at[0] === last[0] && at[1] < last[1])) count += 1;
    reached.set(`${topic} ${key}`, at);
  }
  return count;
}

/** Partition, offset, key and length of each record, as kcat prints them; -1 is the length of a tombstone. */
async function byKcat(kafka: string, ours: ReadonlyMap<string, ReadRecord>) {
  const found = { records: 0, differing: 0, tombstones: 0 };
  for (const topic of PUBLISHED_TOPICS) {
    const args = ['-b', kafka, '-C', '-q', '-e', '-t', topic, '-o', 'beginning', '-f', '%p %o %S %k\n'];
    const { stdout } = await run(requireProgram('kcat'), args, { maxBuffer: MAX_OUTPUT_BYTES });
    for (const line of stdout.split('\n').filter((text) => text !== '')) {
      const [partition, offset, length, key] = line.split(' ');
      found.records += 1;
      if (Number(length) < 0) found.tombstones += 1;
      const own = ours.get(`${topic} ${partition} ${offset}`);
      if (own?.key !== key) found.differing += 1;
    }
  }
  return found;
}
