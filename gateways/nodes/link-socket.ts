import { JsonSocket } from '@nestjs/microservices';
import type { Socket } from 'node:net';

import { MAX_CHARACTERS } from './node-call.ts';

/** Framing of the node link at both ends: bounded, and sent at once. */
export class LinkSocket extends JsonSocket {
  constructor(socket: Socket) {
    super(socket, { maxBufferSize: MAX_CHARACTERS });
    // Otherwise a small message would wait up to 40 ms for the acknowledgement of the one before.
    socket.setNoDelay(true);
  }
}
