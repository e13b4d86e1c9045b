import { JsonSocket } from '@nestjs/microservices';
import type { Socket } from 'node:net';

import { MOST_CHARACTERS } from './node-call.ts';

/** What the transport frames its messages with, at both ends: bounded, and sent as soon as they are written. */
export class LinkSocket extends JsonSocket {
  constructor(socket: Socket) {
    super(socket, { maxBufferSize: MOST_CHARACTERS });
    // A small message would wait until the other side has acknowledged the one before: up to 40 ms.
    socket.setNoDelay(true);
  }
}
