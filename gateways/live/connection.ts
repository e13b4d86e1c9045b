import { constants, deflateRawSync } from 'node:zlib';

import type { CloseCode } from '../../packages/client/src/live/live-limits.ts';
import type { ServerFrame } from '../../src/live/contracts/live.ts';

/** Smaller frames gain little. */
const COMPRESSED_FROM_BYTES = 4_096;

/** A frame as text, encoded once for all plain sockets: slow readers then share one buffer. */
export class Outgoing {
  readonly text: string;
  #bytes: Buffer | undefined;
  #compressed: Buffer | undefined;

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

  /** The bytes compressed (raw deflate), where that pays: a snapshot of 90 nights is a tenth of its text. */
  get compressed(): Buffer | undefined {
    if (this.bytes.length < COMPRESSED_FROM_BYTES) return undefined;
    return (this.#compressed ??= deflateRawSync(this.bytes, { level: constants.Z_BEST_SPEED }));
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
