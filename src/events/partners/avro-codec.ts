import type { Type } from 'avsc';
import { LRUCache } from 'lru-cache';

import { schemaOf } from '../contracts/event-schemas.ts';
import { parseSchema } from '../contracts/schema-compatibility.ts';
import { type EventCodec, type EventSchemas, UnreadableRecord } from '../ports.ts';
import { EventFailure } from '../rules/event-failure.ts';
import type { EventRecord, ReadEvent } from '../rules/events.ts';
import { subjectOf, type Topic, TOPIC_NAMES } from '../rules/topics.ts';

const MAGIC_BYTE = 0;
const HEADER_BYTES = 5;
/** Enough for nearly every record. */
const USUAL_BYTES = 512;

/** Cached writer schemas; an unknown id is looked up again, since it may be registered later. */
const MAX_WRITERS = 500;

/** Reader for records of a schema. */
type Reading = { resolver: ReturnType<Type['createResolver']> } | { foreign: string };

/** Events in Avro, in Confluent's wire format. */
export class AvroCodec implements EventCodec {
  readonly #schemas: EventSchemas;
  readonly #types: ReadonlyMap<Topic, Type>;
  readonly #readings = new LRUCache<string, Reading>({ max: MAX_WRITERS });

  constructor(schemas: EventSchemas) {
    this.#schemas = schemas;
    this.#types = new Map(TOPIC_NAMES.map((topic) => [topic, parseSchema(JSON.stringify(schemaOf(topic)))]));
  }

  async encode({ topic, value }: EventRecord): Promise<Buffer> {
    const type = this.#types.get(topic)!;
    // Checked first: an invalid event is invalid whatever the registry answers.
    const wrong = faultOf(type, value);
    if (wrong !== undefined) throw new EventFailure('NOT_SERIALIZED', `${topic} ${wrong}`);
    const id = await this.#idOf(topic);
    // Written in place: one allocation per record, and most are small.
    let bytes = Buffer.allocUnsafe(USUAL_BYTES);
    let end = type.encode(value, bytes, HEADER_BYTES);
    if (end < 0) {
      bytes = Buffer.allocUnsafe(bytes.length - end);
      end = type.encode(value, bytes, HEADER_BYTES);
    }
    bytes.writeUInt8(MAGIC_BYTE, 0);
    bytes.writeUInt32BE(id, 1);
    return bytes.subarray(0, end);
  }

  async decode(topic: Topic, bytes: Uint8Array): Promise<ReadEvent> {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (buffer.length <= HEADER_BYTES)
      throw new UnreadableRecord('TOO_SHORT', `${buffer.length} bytes, which is less than an envelope`);
    if (buffer[0] !== MAGIC_BYTE)
      throw new UnreadableRecord('WRONG_MAGIC_BYTE', `begins with ${buffer[0]} instead of ${MAGIC_BYTE}`);
    const reading = await this.#reading(topic, buffer.readUInt32BE(1));
    if ('foreign' in reading) throw new UnreadableRecord('FOREIGN_SCHEMA', reading.foreign);
    const type = this.#types.get(topic)!;
    try {
      return { topic, value: type.fromBuffer(buffer.subarray(HEADER_BYTES), reading.resolver) };
    } catch (error) {
      throw new UnreadableRecord('BROKEN_BYTES', messageOf(error));
    }
  }

  /** Without a registry nothing can be written, and a retry may succeed (`EventFailure.passes`). */
  async #idOf(topic: Topic): Promise<number> {
    try {
      return await this.#schemas.idOf(topic);
    } catch (error) {
      if (!(error instanceof EventFailure) || error.code !== 'SCHEMA_NOT_FOUND') throw error;
      throw new EventFailure('NOT_SERIALIZED', `${topic}, ${error.line}`, { cause: error });
    }
  }

  async #reading(topic: Topic, id: number): Promise<Reading> {
    const key = `${topic} ${id}`;
    const known = this.#readings.get(key);
    if (known) return known;
    const text = await this.#schemas.schemaOf(id);
    if (text === undefined) throw new UnreadableRecord('UNKNOWN_SCHEMA_ID', `the registry has no schema ${id}`);
    const reading = readingOf(this.#types.get(topic)!, text, `schema ${id}, subject ${subjectOf(topic)}`);
    this.#readings.set(key, reading);
    return reading;
  }
}

function readingOf(type: Type, text: string, what: string): Reading {
  try {
    return { resolver: type.createResolver(parseSchema(text)) };
  } catch (error) {
    return { foreign: `${what}: ${messageOf(error)}` };
  }
}

/** First field that does not match its schema. */
function faultOf(type: Type, value: object): string | undefined {
  let fault: string | undefined;
  const errorHook = (path: string[], wrong: unknown, expected: Type): void => {
    fault ??= `${path.join('.')} is ${wrong === undefined ? 'not set' : `a ${typeof wrong}`}, expected ${expected.toString()}`;
  };
  return type.isValid(value, { errorHook }) ? undefined : (fault ?? 'does not fit its schema');
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
