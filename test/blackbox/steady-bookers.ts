import { randomUUID } from 'node:crypto';

import type { BlackboxProperty } from './property.ts';
import type { Reservation } from './shapes.ts';
import { pause } from './waiting.ts';

/** A request without an answer for this long is repeated, under the same key. */
const ANSWER_MS = 4_000;
const AGAIN_MS = 50;

/** A booking that was answered with 201, and when, by `performance.now()`. */
type Acknowledged = { propertyId: string; reservationId: string; at: number };

/** Clients that book on without an end; each repeats a request under its key until it is decided. */
export class SteadyBookers {
  readonly acknowledged: Acknowledged[] = [];
  refused = 0;
  repeats = 0;
  /** How often each code of a problem was the answer to a request that is to be repeated; `none` without an answer. */
  readonly codes = new Map<string, number>();
  /** Answers that nobody should get, whatever fails. */
  readonly strange: string[] = [];
  readonly #stop = new AbortController();
  #isAbandoned = false;
  readonly #running: Promise<void>[];

  constructor(count: number, next: () => BlackboxProperty, pauseMs = 20) {
    this.#running = Array.from({ length: count }, () => this.#client(next, pauseMs));
  }

  /** Resolves when every request under way is decided. */
  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  /** As `end`, where nobody will ever decide what is under way. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true;
    await this.end();
  }

  /** When the first booking was acknowledged after a moment, if one was. */
  firstAfter(moment: number): number | undefined {
    return this.acknowledged.find(({ at }) => at > moment)?.at;
  }

  async #client(next: () => BlackboxProperty, pauseMs: number): Promise<void> {
    for (let n = 0; !this.#stop.signal.aborted; n++) {
      const property = next();
      const body = property.wish({ from: 10 + (n % 50), nights: 1 });
      const headers = { 'idempotency-key': randomUUID() };
      while (!(await this.#isDecided(property, { body, headers })) && !this.#isAbandoned) {
        this.repeats += 1;
        await pause(AGAIN_MS);
      }
      await pause(pauseMs);
    }
  }

  async #isDecided(
    { service, propertyId }: BlackboxProperty,
    call: { body: unknown; headers: Record<string, string> },
  ): Promise<boolean> {
    const sent = service.reservations<Reservation & { code?: string }>('POST', '', { role: 'STAFF', ...call });
    const answer = await Promise.race([sent.catch(() => undefined), pause(ANSWER_MS)]);
    if (!answer || answer.status === 503 || answer.status === 429 || answer.json.code === 'IDEMPOTENCY_IN_PROGRESS') {
      const said = answer?.json.code ?? 'none';
      this.codes.set(said, (this.codes.get(said) ?? 0) + 1);
      return false;
    }
    const { code, reservationId } = answer.json;
    if (answer.status === 201) this.acknowledged.push({ propertyId, reservationId, at: performance.now() });
    else if (code === 'ROOM_NOT_AVAILABLE') this.refused += 1;
    else this.strange.push(`${answer.status} ${answer.text.slice(0, 300)}`);
    return true;
  }
}
