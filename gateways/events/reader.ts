import type { DynamicModule, INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Consumer, Kafka } from 'kafkajs';
import type { Logger } from 'pino';

import type { Topics } from '../../src/events/ports.ts';
import type { Services } from '../../src/kernel/operations/services.ts';
import type { Tracer } from '../../src/kernel/ports.ts';
import type { Round, Rounds } from '../../src/kernel/rules/rounds.ts';
import { nestLog } from '../http/telemetry/nest-log.ts';
import { SERVICES } from '../rest/answer.ts';
import { Consumers, RECORD_CONSUMER } from './consumers.ts';
import { AvroDeserializer } from './incoming.ts';
import { KafkaServer } from './kafka-server.ts';
import { RecordConsumer } from './record-consumer.ts';

/** Pauses before the topics are opened again. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** Interval of offset commits. */
const COMMIT_MS = 500;
/** Period of the round in health: a slow broker needs a while, so offsets are late after three times this. */
const COMMITS_MS = 5_000;
/** A reader without a fetch for this long is stuck, whatever its state. */
const STUCK_MS = 60_000;
/** Time limit of the shutdown when the broker is away. */
const END_WITHIN_MS = 3_000;

type Parts = { topics: Topics<Kafka>; services: Services; log: Logger; rounds: Rounds; tracer?: Tracer };

/**
 * Reads the topics throughout the life of the process: an unavailable broker is retried, and a reader that kafkajs
 * gives up or that is stuck is replaced. The service keeps serving.
 */
export class Reader implements AsyncDisposable {
  readonly #parts: Parts;
  readonly #records: RecordConsumer;
  readonly #commits: Round;
  readonly #looking: ReturnType<typeof setInterval>;
  #app: INestMicroservice | undefined;
  #consumer: Consumer | undefined;
  #seenAt = 0;
  #committing: Promise<void> | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #again: ReturnType<typeof setTimeout> | undefined;
  #opening: Promise<void> | undefined;
  #ended = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { topics, log, rounds, tracer } = parts;
    this.#commits = rounds.register('topic-offsets', COMMITS_MS);
    this.#records = new RecordConsumer({ sender: topics.sender, consuming: topics.consuming, log, tracer });
    this.#looking = setInterval(() => this.#look(), COMMIT_MS);
    this.#open();
  }

  /** Runs once: what has timed out is not awaited again. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#again);
    clearInterval(this.#looking);
    this.#records.end();
    const ends = async (): Promise<void> => {
      // The commit under way lacks the last records.
      await this.#committing;
      await this.#commit();
      await this.#opening;
      await this.#close();
    };
    await Promise.race([ends(), new Promise((late) => setTimeout(late, END_WITHIN_MS))]);
  }

  #open(): void {
    this.#again = undefined;
    this.#opening ??= this.#start()
      .then(() => (this.#pauseMs = FIRST_PAUSE_MS))
      .catch((error: unknown) => this.#anew(error))
      .then(() => (this.#opening = undefined));
  }

  async #start(): Promise<void> {
    const { topics, services, log } = this.#parts;
    await this.#close();
    if (this.#ended) return;
    const deserializer = new AvroDeserializer(topics.codec);
    await topics.prepare();
    const strategy = new KafkaServer(topics.client(), deserializer, (consumer) => this.#follow(consumer));
    const providers = [
      { provide: RECORD_CONSUMER, useValue: this.#records },
      { provide: SERVICES, useValue: services },
    ];
    // oxlint-disable-next-line typescript/no-extraneous-class
    const module: DynamicModule = { module: class EventModule {}, controllers: [Consumers], providers };
    const options = { strategy, logger: nestLog(log), abortOnError: false };
    this.#app = await NestFactory.createMicroservice(module, options);
    await this.#app.listen();
  }

  #follow(consumer: Consumer): void {
    const { consuming } = this.#parts.topics;
    const { events } = consumer;
    this.#consumer = consumer;
    this.#seenAt = Date.now();
    consumer.on(events.GROUP_JOIN, () => {
      this.#records.offsets.clear();
      consuming.reading = true;
      consuming.trouble = undefined;
    });
    consumer.on(events.FETCH, () => void (this.#seenAt = Date.now()));
    consumer.on(events.START_BATCH_PROCESS, ({ payload }) => {
      this.#records.offsets.ends(payload, payload.highWatermark);
    });
    consumer.on(events.CRASH, ({ payload: { error, restart } }) => {
      if (consumer !== this.#consumer) return;
      this.#seenAt = Date.now();
      this.#report(error);
      if (!restart) this.#anew(error);
    });
  }

  /** Commits offsets, and checks that the reader is alive. */
  #look(): void {
    void this.#commit();
    const { consuming } = this.#parts.topics;
    if (consuming.reading && Date.now() - this.#seenAt > STUCK_MS)
      this.#anew(new Error('the topic reader is stuck: it has fetched nothing for a minute'));
  }

  #anew(error: unknown): void {
    if (this.#ended || this.#again) return;
    this.#report(error);
    this.#again = setTimeout(() => this.#open(), this.#pauseMs);
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }

  #report(error: unknown): void {
    const { topics, log } = this.#parts;
    const { consuming } = topics;
    if (consuming.reading || consuming.trouble === undefined)
      log.warn({ error: String(error) }, 'topics are not read at the moment');
    consuming.reading = false;
    consuming.trouble = String(error);
  }

  #commit(): Promise<void> {
    return (this.#committing ??= this.#commitNow().finally(() => (this.#committing = undefined)));
  }

  async #commitNow(): Promise<void> {
    const { offsets } = this.#records;
    const places = offsets.ready();
    if (places.length === 0 || !this.#consumer) return this.#commits.completed();
    try {
      await this.#consumer.commitOffsets(places);
      offsets.committed(places);
      this.#commits.completed();
    } catch (error) {
      this.#commits.failed(error);
      // Uncommitted records are handled again, which has no effect.
      this.#parts.log.debug({ error: String(error) }, 'offsets not committed');
    }
  }

  async #close(): Promise<void> {
    const app = this.#app;
    this.#app = undefined;
    this.#consumer = undefined;
    const closed = app?.close().catch(() => undefined);
    await Promise.race([closed, new Promise((late) => setTimeout(late, app ? END_WITHIN_MS : 0))]);
  }
}
