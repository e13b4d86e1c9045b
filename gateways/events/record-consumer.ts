import type { Consumer } from 'kafkajs';
import type { Logger } from 'pino';

import type { Taken, TakenEvent } from '../../src/channels/operations/taken-event.ts';
import { InvalidRecord } from '../../src/channels/rules/invalid-record.ts';
import {
  type Consuming,
  type EventSender,
  NotSent,
  type OutgoingRecord,
  UnreadableRecord,
} from '../../src/events/ports.ts';
import type { Tracer } from '../../src/kernel/ports.ts';
import { CODES, DomainError } from '../../src/kernel/rules/domain-error.ts';
import { domainErrorOf } from '../http/domain-error-of.ts';
import { type Incoming, isRegistryAway, type RawRecord, textOf } from './incoming.ts';
import { Offsets, type OffsetPlace } from './offsets.ts';

/** Pauses before a record is retried; each is twice the one before. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** Retries of a record that fails with a bug, about two minutes: it must not block later records. */
const MAX_FAULTS = 10;
/** Pending records of a partition; further ones wait. */
const MAX_WAITING = 5_000;
/** Interval of heartbeats while one record takes long. */
const HEARTBEAT_MS = 2_000;
const MAX_DETAIL = 500;
/** Records with counted retries: one per partition, and some of reassigned ones. */
const MAX_RETRIED = 1_000;

/** Handles the records of a topic. */
type Take = (event: TakenEvent) => Promise<Taken>;

/** Controls of kafkajs for one record. */
export type PartitionControl = { consumer: Pick<Consumer, 'pause' | 'resume' | 'seek'>; heartbeat(): Promise<void> };

/** Wrapped in an object, because a returned promise would be awaited. */
type Follows = Pick<Taken, 'follows'>;

/** Length of a foreign header in a span. */
const MAX_TENANT = 50;

type Options = {
  sender: EventSender;
  log: Logger;
  tracer?: Tracer;
  consuming: Consuming;
  /** Shorter pauses for tests. */
  pausesMs?: { first: number; longest: number };
};

/**
 * Handles each record by its topic, and never throws: an error would make kafkajs restart everything. A record that
 * can never be handled goes to `<topic>.dlq` with the reason. A temporary failure pauses its partition only, which
 * resumes at this record, so that the order is preserved and other partitions continue.
 */
export class RecordConsumer {
  readonly offsets = new Offsets();
  readonly #options: Options;
  readonly #tries = new Map<string, { times: number; faults: number }>();
  readonly #paused = new Map<string, ReturnType<typeof setTimeout>>();
  #ended = false;

  constructor(options: Options) {
    this.#options = options;
  }

  async handle({ record, reading }: Incoming, take: Take, control: PartitionControl): Promise<void> {
    if (this.#ended) return;
    const { consuming } = this.#options;
    const ends = this.offsets.begin(record);
    const settle = (): void => {
      ends();
      this.#tries.delete(placeOf(record));
    };
    const beat = setInterval(() => void control.heartbeat().catch(() => undefined), HEARTBEAT_MS);
    try {
      const { follows } = await this.#orPutAside(record, () => this.#take(record, reading, take));
      consuming.records += 1;
      const ended = follows?.then(settle, (error: unknown) => this.#afterwards(record, error, settle, control));
      if (!ended) settle();
      else if (this.offsets.waiting(record) >= MAX_WAITING) await ended;
    } catch (error) {
      this.#again(record, error, control);
    } finally {
      clearInterval(beat);
      consuming.lag = this.offsets.lag();
    }
  }

  /** Starts no further record, and ends pauses. */
  end(): void {
    this.#ended = true;
    for (const timer of this.#paused.values()) clearTimeout(timer);
    this.#paused.clear();
  }

  async #take(record: RawRecord, reading: Incoming['reading'], take: Take): Promise<Follows> {
    if ('test' in reading) return {};
    if ('unreadable' in reading) throw reading.unreadable;
    if ('failure' in reading) throw reading.failure;
    const headers = Object.fromEntries(Object.entries(record.headers).map(([name, of]) => [name, textOf(of)]));
    const { tracer, consuming } = this.#options;
    const span =
      headers['traceparent'] && tracer?.open(`consume ${record.topic}`, 'consumer', headers['traceparent']);
    let failed = true;
    try {
      const { effect, follows } = await take({ ...reading.event, headers });
      if (effect === 'taken') consuming.taken += 1;
      failed = false;
      return { follows };
    } finally {
      if (span) span.end({ 'innkeeper.tenant': headers['tenantId']?.slice(0, MAX_TENANT) }, failed);
    }
  }

  /** The effect of a handled record failed: it is handled again with all later ones. */
  async #afterwards(record: RawRecord, error: unknown, settle: () => void, control: PartitionControl): Promise<void> {
    if (this.#ended) return;
    try {
      await this.#orPutAside(record, () => Promise.reject(error));
      settle();
    } catch (failure) {
      this.#again(record, failure, control);
    }
  }

  /** @throws errors that are temporary */
  async #orPutAside(record: RawRecord, work: () => Promise<Follows>): Promise<Follows> {
    try {
      return await work();
    } catch (error) {
      const { reason, detail } = this.#dispositionOf(record, error);
      if (reason === undefined) throw error;
      await this.#putAside(record, reason, detail);
      return {};
    }
  }

  /** Why a record is dead-lettered; `undefined` while it may be retried. */
  #dispositionOf(record: RawRecord, error: unknown): { reason?: string; detail: string } {
    if (error instanceof InvalidRecord || error instanceof UnreadableRecord)
      return { reason: error.reason, detail: error.message };
    if (!isFault(error)) return { detail: '' };
    const { faults = 0 } = this.#tries.get(placeOf(record)) ?? {};
    return faults + 1 < MAX_FAULTS ? { detail: '' } : { reason: 'FAULT', detail: 'it broke again and again' };
  }

  #again(record: RawRecord, error: unknown, { consumer }: PartitionControl): void {
    const { log, consuming, pausesMs } = this.#options;
    const { topic, partition, offset } = record;
    const line = lineOf(record);
    const { times = 0, faults = 0 } = this.#tries.get(placeOf(record)) ?? {};
    const fault = isFault(error);
    if (this.#tries.size > MAX_RETRIED) this.#tries.clear();
    this.#tries.set(placeOf(record), { times: times + 1, faults: faults + (fault ? 1 : 0) });
    consuming.retried += 1;
    const { first, longest } = pausesMs ?? { first: FIRST_PAUSE_MS, longest: LONGEST_PAUSE_MS };
    const pauseMs = Math.min(longest, first * 2 ** Math.min(times, 20));
    // An outage is logged once; bugs are logged each time.
    if (times === 0 || fault) log.warn({ topic, partition, offset, pauseMs, error: String(error) }, 'record waits');
    this.offsets.forget(record);
    try {
      consumer.pause([{ topic, partitions: [partition] }]);
      consumer.seek({ topic, partition, offset });
    } catch {
      // The partition has stopped: its next reader starts at the committed offset.
      return;
    }
    clearTimeout(this.#paused.get(line));
    this.#paused.set(
      line,
      setTimeout(() => {
        this.#paused.delete(line);
        try {
          consumer.resume([{ topic, partitions: [partition] }]);
        } catch {
          // The same.
        }
      }, pauseMs),
    );
  }

  /** @throws NotSent, which is temporary */
  async #putAside(record: RawRecord, reason: string, detail: string): Promise<void> {
    const { sender, log, consuming } = this.#options;
    const { topic, partition, offset } = record;
    const letter = deadLetterOf(record, reason, detail.slice(0, MAX_DETAIL));
    try {
      await sender.send([letter]);
    } catch (error) {
      if (!(error instanceof NotSent) || error.passes) throw error;
      // Too large with the added headers: the dead letter has the offset, valid while the topic retains the record.
      const bytes = record.value?.length ?? 0;
      const headers = { ...letter.headers, valueLeftOut: `${bytes} bytes, to be read where they came from` };
      await sender.send([{ ...letter, value: null, headers }]);
    }
    consuming.deadLettered += 1;
    log.warn({ topic, partition, offset, reason }, 'record put aside');
  }
}

const lineOf = ({ topic, partition }: Omit<OffsetPlace, 'offset'>): string => `${partition} ${topic}`;

const placeOf = ({ topic, partition, offset }: OffsetPlace): string => `${partition} ${offset} ${topic}`;

/** Whether an error is a bug, not an outage, an overload or a decided error. */
function isFault(error: unknown): boolean {
  if (isRegistryAway(error) || (error instanceof NotSent && error.passes)) return false;
  const rejection = domainErrorOf(error);
  return !(rejection instanceof DomainError && CODES[rejection.code].retryable) || rejection.kind === 'fault';
}

/** The dead letter: the whole record, and why it could not be handled (docs/concepts/events.md#consumers). */
function deadLetterOf({ topic, partition, offset, key, value, headers }: RawRecord, reason: string, detail: string) {
  const came = Object.entries(headers).flatMap(([name, of]) => (of === undefined ? [] : [[name, of] as const]));
  const why = { reason, detail, originalTopic: topic, originalPartition: String(partition), originalOffset: offset };
  return {
    topic: `${topic}.dlq`,
    key,
    value,
    headers: { ...Object.fromEntries(came), ...why },
  } satisfies OutgoingRecord;
}
