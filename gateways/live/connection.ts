import type { CloseCode } from '../../src/live/contracts/live-limits.ts';
import type { ServerFrame } from '../../src/live/contracts/live.ts';

/** A frame as text, and once as bytes for all the plain sockets it goes to: slow readers then share one buffer. */
export class Outgoing {
  readonly text: string;
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** For frames whose amounts are plain numbers or that have none. */
  static of(frame: ServerFrame): Outgoing {
    return new Outgoing(JSON.stringify(frame));
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.text));
  }
}

/** What a session needs of a socket; one implementation for plain WebSocket, one for socket.io. */
export interface LiveConnection {
  /** Names the connection in logs and problems. */
  readonly id: string;
  /** Where it comes from, as addresses are counted. */
  readonly address: string;
  /** Path that the client came to: `instance` of its problems. */
  readonly path: string;
  send(frame: Outgoing): void;
  /** Bytes handed to `send` that the network has not taken yet. */
  buffered(): number;
  close(code: CloseCode, reason: string): void;
  /** Drops the socket without a closing handshake. */
  terminate(): void;
}

/** Callbacks of a socket into its session. */
export interface ConnectionListener {
  /** One frame, parsed but not checked. */
  received(frame: unknown): void;
  /** Something that is no JSON text. */
  unreadable(): void;
  closed(): void;
}
