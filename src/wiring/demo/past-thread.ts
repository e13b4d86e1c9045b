import { Worker } from 'node:worker_threads';

import type { PlannedStay } from '../../demo/rules/plan.ts';
import type { PastOrder, PlayedBatch, PlayedPart, PlayedRecent } from './past-order.ts';

/** Requests to a thread, one after the other: the recent past, then each older part. */
export type PastRequest = { recent: true } | { batch: true } | { upcoming: true } | { next: true; done: number };
export type PastReply =
  | { recent: PlayedRecent }
  | { upcoming: PlannedStay[] }
  | { part: PlayedPart | null }
  | { batch: PlayedBatch | null }
  | { error: string };

type Waiting = { resolve(reply: PastReply): void; reject(error: Error): void };

/**
 * Plays the past of one property in a thread: it takes seconds, in which the service answers
 * (docs/concepts/demo.md#how-the-past-is-written).
 */
export class PastThread implements AsyncDisposable {
  readonly #worker: Worker;
  #waiting: Waiting | undefined;
  #failure: Error | undefined;

  constructor(order: PastOrder) {
    this.#worker = new Worker(new URL('./past-worker.ts', import.meta.url), { workerData: order });
    this.#worker.unref();
    this.#worker.on('message', (reply: PastReply) => this.#take()?.resolve(reply));
    this.#worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', () => this.#fail(new Error('the thread of the demo has ended')));
  }

  async recent(): Promise<PlayedRecent> {
    const reply = await this.#ask({ recent: true });
    if ('recent' in reply) return reply.recent;
    throw new Error('the thread of the demo has answered something else');
  }

  /** Stays that are still to be booked or cancelled. */
  async upcoming(): Promise<PlannedStay[]> {
    const reply = await this.#ask({ upcoming: true });
    if ('upcoming' in reply) return reply.upcoming;
    throw new Error('the thread of the demo has answered something else');
  }

  /** The next part after `done`; null after the last one. */
  async next(done: number): Promise<PlayedPart | null> {
    const reply = await this.#ask({ next: true, done });
    if ('part' in reply) return reply.part;
    throw new Error('the thread of the demo has answered something else');
  }

  /** The next batch of a whole past; null after the last one. */
  async batch(): Promise<PlayedBatch | null> {
    const reply = await this.#ask({ batch: true });
    if ('batch' in reply) return reply.batch;
    throw new Error('the thread of the demo has answered something else');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  async #ask(request: PastRequest): Promise<Exclude<PastReply, { error: string }>> {
    if (this.#failure) throw this.#failure;
    const reply = await new Promise<PastReply>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#worker.postMessage(request);
    });
    if ('error' in reply) throw new Error(reply.error);
    return reply;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#take()?.reject(error);
  }

  #take(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#worker.unref();
    return waiting;
  }
}
