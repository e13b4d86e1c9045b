import { v4 as uuidv4 } from 'uuid';

import type { Clock } from '../../kernel/ports.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { type EventCodec, type EventSender, NotSent } from '../ports.ts';
import { EVENT_FAILURES, EventFailure } from '../rules/event-failure.ts';
import { testEvent } from '../rules/test-event.ts';
import { subjectOf } from '../rules/topics.ts';
import type { ShownEvent } from './read-events.ts';

const DAY_MS = 86_400_000;
/** Stored test events. */
const MAX_STORED = 20;
/** A test does not wait for a broker that is away. */
const WITHIN_MS = 10_000;

type Options = {
  codec: EventCodec;
  /** Without brokers: the event is encoded with its schema and stored here as it would have been sent. */
  sender?: EventSender;
  /** Addresses of the registry and of a topic viewer, without credentials. */
  registryUrl: string;
  topicsUrl: string;
  clock: Clock;
  /** A shorter one for tests. */
  withinMs?: number;
};

type TestedEvents = {
  status: 'SUCCESS';
  message: string;
  eventId: string;
  topic: string;
  checkKafkaUI: string;
  checkSchemaRegistry: string;
};

/**
 * Publishes test events (docs/concepts/events.md#to-look-at), and stores the last ones for display: they belong to no
 * tenant.
 */
export class TestEvents {
  readonly #options: Options;
  readonly #stored: ShownEvent[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  /** Newest first. */
  get recent(): readonly ShownEvent[] {
    return this.#stored;
  }

  /**
   * Publishes a test event, and returns once its topic has it.
   * @throws DomainError PARTNER_UNAVAILABLE with a text of EVENT_FAILURES where one applies
   */
  async publish(): Promise<TestedEvents> {
    const { sender, registryUrl, topicsUrl, clock, withinMs = WITHIN_MS } = this.#options;
    const now = clock.now();
    const record = testEvent(uuidv4(), now, Math.floor(now / DAY_MS));
    await within(withinMs, this.#send(record));
    const { topic, value } = record;
    return {
      status: 'SUCCESS',
      message: sender
        ? `One test event was published to ${topic}, and its brokers have acknowledged it.`
        : `One test event was written with its schema; without brokers it is kept here, as ${topic} would have it.`,
      eventId: value.eventId,
      topic,
      checkKafkaUI: topicsUrl,
      checkSchemaRegistry: `${registryUrl}/subjects/${subjectOf(topic)}/versions/latest`,
    };
  }

  async #send(record: ReturnType<typeof testEvent>): Promise<void> {
    const { codec, sender } = this.#options;
    const { topic, key, headers } = record;
    try {
      const value = await codec.encode(record);
      await sender?.send([{ topic, key, value, headers }]);
      this.#stored.unshift({ record, bytes: value.length, read: await codec.decode(topic, value) });
      this.#stored.length = Math.min(this.#stored.length, MAX_STORED);
    } catch (error) {
      throw errorFor(error);
    }
  }
}

/** Reason why an event was not published, without addresses. */
function errorFor(error: unknown): unknown {
  if (error instanceof NotSent) return away(`The brokers did not take the event: ${error.message}.`);
  if (!(error instanceof EventFailure)) return error;
  const failures = [error, error.cause].filter((one) => one instanceof EventFailure);
  const words = failures.map(({ code }) => `${EVENT_FAILURES[code].message}: ${EVENT_FAILURES[code].remedy}.`);
  return away(words.join(' '));
}

const away = (detail: string): DomainError =>
  new DomainError('PARTNER_UNAVAILABLE', detail, { retryAfterSeconds: 5 });

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(away('Registry or brokers did not answer in time.')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
