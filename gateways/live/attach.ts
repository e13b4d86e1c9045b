import { type IncomingMessage, type Server as HttpServer, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { CLOSE_CODES } from '../../src/contracts/live-limits.ts';
import { DRAIN_MS } from '../../src/domain/drain.ts';
import type { Instant } from '../../src/domain/property-time.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Properties } from '../../src/ports/properties.ts';
import type { ConnectionListener, LiveConnection } from './connection.ts';
import type { ReadMarket } from './follower.ts';
import { Hub } from './hub.ts';
import { GATEWAY_LIMITS, type GatewayLimits } from './limits.ts';
import type { Log } from './log.ts';
import type { LiveAuthenticator } from './membership.ts';
import { originAllowed } from './origin.ts';
import type { LookBack } from './past.ts';
import { PLAIN_PATH, PlainSockets } from './plain-socket.ts';
import { Session } from './session.ts';
import { serveSocketIo, SOCKET_IO_PATH } from './socket-io.ts';

export type LiveOptions<I extends { readonly expiresAt: Instant }> = {
  /** Where `/ws/v1` and `/socket.io/` are answered; everything else stays as it is. */
  httpServer: HttpServer;
  properties: Properties;
  market: ReadMarket;
  lookBack: LookBack;
  authenticator: LiveAuthenticator<I>;
  clock: Clock;
  log: Log;
  /** Origins of browser pages besides the server's own. */
  corsOrigins: readonly string[];
  /** Shorter times and smaller buffers for tests. */
  limits?: Partial<GatewayLimits>;
};

export type LiveGateway = {
  /**
   * Refuses new connections and closes those there are with 1001, spread evenly over `drainMs` so that they do not
   * all come back at once. What is not gone a second later is dropped.
   */
  close(drainMs: number): Promise<void>;
  /** For metrics and health. */
  stats(): { connections: number; properties: number };
};

/** Serves the live protocol (contracts.md 9) over plain WebSocket and socket.io on an HTTP server. */
export function attachLive<I extends { readonly expiresAt: Instant }>(options: LiveOptions<I>): LiveGateway {
  const { httpServer, properties, market, lookBack, authenticator, clock, log, corsOrigins } = options;
  const limits = { ...GATEWAY_LIMITS, ...options.limits };
  const hub = new Hub({ properties, market, limits, log });
  const open = new Map<LiveConnection, Session<I>>();
  let draining = false;

  const accept = (connection: LiveConnection): ConnectionListener => {
    const session = new Session(connection, { hub, lookBack, authenticator, clock, limits, log });
    open.set(connection, session);
    return {
      received: (frame) => session.received(frame),
      unreadable: () => session.unreadable(),
      closed: () => {
        open.delete(connection);
        session.closed();
      },
    };
  };
  const plain = new PlainSockets(limits.heartbeatMs, accept);
  const io = serveSocketIo({
    httpServer,
    corsOrigins,
    limits,
    accept: (connection) => (draining ? undefined : accept(connection)),
  });

  httpServer.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = request.url?.split('?')[0] ?? '';
    if (draining) refuse(socket, 503);
    else if (path === PLAIN_PATH && !originAllowed(request, corsOrigins)) refuse(socket, 403);
    else if (path === PLAIN_PATH) plain.upgrade(request, socket, head);
    else if (!path.startsWith(SOCKET_IO_PATH)) refuse(socket, 404);
  });

  return {
    stats: () => ({ connections: open.size, properties: hub.size }),
    close: async (drainMs) => {
      draining = true;
      await dismiss([...open], drainMs, () => open.size === 0);
      plain.close();
      hub.close();
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}

async function dismiss<I extends { readonly expiresAt: Instant }>(
  connections: [LiveConnection, Session<I>][],
  overMs: number,
  allGone: () => boolean,
): Promise<void> {
  const begun = performance.now();
  for (const [index, [, session]] of connections.entries()) {
    const due = begun + (overMs * index) / connections.length - performance.now();
    if (due > 1) await pause(due);
    session.close(CLOSE_CODES.draining, 'draining');
  }
  const end = performance.now() + DRAIN_MS.goodbye;
  while (!allGone() && performance.now() < end) await pause(10);
  if (!allGone()) for (const [connection] of connections) connection.terminate();
}

function refuse(socket: Duplex, status: 403 | 404 | 503): void {
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
