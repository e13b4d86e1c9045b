import type { LiveConnection, Outgoing } from './connection.ts';
import type { GatewayLimits } from './limits.ts';

interface SendBufferListener {
  /** The client has caught up: what `offer` refused may be made good. */
  recovered(): void;
  /** The client took nothing for too long. */
  blocked(): void;
}

/**
 * What goes to one client, with a bound: a client that does not take its bytes gets no more data until it has taken
 * them, and is closed with 1013 when it does not in time (docs/concepts/live-stream.md#from-the-actor-to-the-client).
 */
export class SendBuffer {
  readonly #connection: LiveConnection;
  readonly #limits: GatewayLimits;
  readonly #listener: SendBufferListener;
  #poll: NodeJS.Timeout | undefined;
  #slowSince = 0;

  constructor(connection: LiveConnection, limits: GatewayLimits, listener: SendBufferListener) {
    this.#connection = connection;
    this.#limits = limits;
    this.#listener = listener;
  }

  get isSlow(): boolean {
    return this.#poll !== undefined;
  }

  /** Small frames, which are sent to slow clients too. */
  answer(frame: Outgoing): void {
    if (this.#connection.buffered() > this.#limits.hopelessBytes) this.#giveUp();
    else this.#connection.send(frame);
  }

  /** Data; false when the client is too slow for it now. */
  offer(frame: Outgoing): boolean {
    if (this.isSlow || this.#connection.buffered() > this.#limits.slowBytes) {
      this.#watch();
      return false;
    }
    this.#connection.send(frame);
    return true;
  }

  close(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
  }

  #watch(): void {
    if (this.#poll) return;
    this.#slowSince = performance.now();
    this.#poll = setInterval(() => this.#look(), this.#limits.slowPollMs);
  }

  #look(): void {
    if (this.#connection.buffered() <= this.#limits.resumedBytes) {
      this.close();
      this.#listener.recovered();
    } else if (performance.now() - this.#slowSince > this.#limits.blockedMs) this.#giveUp();
  }

  #giveUp(): void {
    this.close();
    this.#listener.blocked();
  }
}
