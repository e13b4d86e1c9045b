import type { CloseCode } from '../../src/live/contracts/live-limits.ts';
import type { ServerFrame } from '../../src/live/contracts/live.ts';

/** A frame as text, encoded once for all plain sockets: slow readers then share one buffer. */
export class Outgoing {
  readonly text: string;
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** A frame without amounts, or with amounts as plain numbers. */
  static of(frame: ServerFrame): Outgoing {
    return new Outgoing(JSON.stringify(frame));
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.text));
  }
}

/** The socket interface of a session, implemented for plain WebSocket and for socket.io. */
export interface LiveConnection {
  /** Id in logs and problems. */
  readonly id: string;
  /** Address of the client, as it is counted. */
  readonly address: string;
  /** Path of the connection: `instance` of its problems. */
  readonly path: string;
  send(frame: Outgoing): void;
  /** Bytes given to `send` that the network has not accepted yet. */
  buffered(): number;
  close(code: CloseCode, reason: string): void;
  /** Drops the socket without a closing handshake. */
  terminate(): void;
}

/** Callbacks from a socket to its session. */
export interface ConnectionListener {
  /** A frame, parsed but not validated. */
  received(frame: unknown): void;
  /** A message that is not JSON. */
  unreadable(): void;
  closed(): void;
}
