import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { Server, type Socket } from 'socket.io';

import { type CloseCode, LIVE_LIMITS } from '../../../packages/client/src/live/live-limits.ts';
import type { ConnectionListener, LiveConnection, Outgoing } from '../connection.ts';
import type { GatewayLimits } from '../limits.ts';
import { originAllowed } from './origin.ts';

/** Path of socket.io's own protocol; the live protocol is its namespace {@link NAMESPACE}. */
export const SOCKET_IO_PATH = '/socket.io/';
const NAMESPACE = '/live';

/** Size of socket.io's envelope, so that a frame of exactly the limit passes. */
const ENVELOPE_BYTES = 64;

type SocketIoParts = {
  httpServer: HttpServer;
  corsOrigins: readonly string[];
  limits: GatewayLimits;
  /** `undefined` while draining. */
  accept: (connection: LiveConnection) => ConnectionListener | undefined;
  /** Address of the client, as it is counted. */
  addressOf: (request: IncomingMessage) => string;
  /** Checks quotas of a new connection. @throws DomainError when it is refused */
  admit: (request: IncomingMessage) => Promise<void>;
};

/**
 * The live protocol over socket.io: each frame is an event `m`, both ways. Its rooms, adapters and recovery are not
 * used: missed changes are known by number, not by connection (docs/concepts/live-stream.md#the-page).
 */
export function serveSocketIo({ httpServer, corsOrigins, limits, accept, addressOf, admit }: SocketIoParts): Server {
  const io = new Server(httpServer, {
    path: SOCKET_IO_PATH,
    serveClient: false,
    destroyUpgrade: false,
    maxHttpBufferSize: LIVE_LIMITS.frameBytes + ENVELOPE_BYTES,
    perMessageDeflate: false,
    httpCompression: false,
    connectTimeout: limits.authWithinMs,
    pingInterval: limits.heartbeatMs,
    cors: { origin: [...corsOrigins] },
    allowRequest: (request, decide) => {
      if (!originAllowed(request, corsOrigins)) decide(null, false);
      else
        admit(request).then(
          () => decide(null, true),
          () => decide(null, false),
        );
    },
  });
  // engine.io answers any other method of a session with 500. Preflights are answered before, by its rules of CORS.
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    if (request.method === 'GET' || request.method === 'POST') next();
    else response.writeHead(405, { allow: 'GET, POST' }).end();
  });
  io.use((_, next) => next(new Error(`the live protocol is at ${NAMESPACE}`)));
  io.of(NAMESPACE).on('connection', (socket) => {
    const listener = accept(new SocketIoConnection(socket, addressOf(socket.request)));
    if (!listener) {
      socket.disconnect(true);
      return;
    }
    socket.on('m', (frame: unknown) => listener.received(frame));
    socket.on('disconnect', () => listener.closed());
  });
  return io;
}

class SocketIoConnection implements LiveConnection {
  readonly id = crypto.randomUUID();
  readonly path = NAMESPACE;
  readonly address: string;
  readonly #socket: Socket;
  #buffered = 0;

  constructor(socket: Socket, address: string) {
    this.address = address;
    this.#socket = socket;
  }

  /** The event packet is written directly: `emit` would encode the same object for every client. */
  send({ text }: Outgoing): void {
    const { conn } = this.#socket;
    if (conn.readyState !== 'open') return;
    this.#buffered += text.length;
    conn.write(`2${NAMESPACE},["m",${text}]`, {}, () => (this.#buffered -= text.length));
  }

  buffered(): number {
    return this.#buffered;
  }

  /** socket.io has no close codes; over WebSocket the client sees the code as the transport's close reason. */
  close(code: CloseCode, reason: string): void {
    const transport: unknown = this.#socket.conn.transport;
    const webSocket = hasSocket(transport) ? transport.socket : undefined;
    if (webSocket) webSocket.close(code, reason);
    else this.#socket.disconnect(true);
  }

  terminate(): void {
    this.#socket.disconnect(true);
  }
}

type Closable = { close(code: number, reason: string): void };

function hasSocket(transport: unknown): transport is { socket: Closable } {
  return (
    typeof transport === 'object' &&
    transport !== null &&
    'socket' in transport &&
    typeof transport.socket === 'object' &&
    transport.socket !== null &&
    'close' in transport.socket
  );
}
