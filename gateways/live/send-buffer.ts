import type { LiveConnection, Outgoing } from './connection.ts';
import type { GatewayLimits } from './limits.ts';

interface SendBufferListener {
  /** The client has caught up: refused data may be sent now. */
  recovered(): void;
  /** The client accepted nothing for too long. */
  blocked(): void;
}

/**
 * Bounded output to one client: a slow client gets no more data until it has accepted what was sent, and is closed
 * with 1013 when it does not in time (docs/concepts/live-stream.md#from-the-actor-to-the-client).
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

  /** Sends a small frame, also to a slow client. */
  answer(frame: Outgoing): void {
    if (this.#connection.buffered() > this.#limits.hopelessBytes) this.#giveUp();
    else this.#connection.send(frame);
  }

  /** Sends data. @returns false when the client is too slow for it now */
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
