import { type IncomingMessage, type Server as HttpServer, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

import { CLOSE_CODES } from '../../packages/client/src/live/live-limits.ts';
import type { Clock } from '../../src/kernel/ports.ts';
import type { PropertyActors } from '../../src/kernel/property-actors.ts';
import { DRAIN_MS } from '../../src/kernel/rules/drain.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { Durations } from '../../src/platform/coordination/ports.ts';
import { domainErrorOf } from '../http/domain-error-of.ts';
import { retryAfterOf } from '../http/problem.ts';
import type { SocketFigures } from '../http/telemetry/node-status.ts';
import type { ConnectionListener, LiveConnection } from './connection.ts';
import type { ReadMarket } from './follower.ts';
import { Hub } from './hub.ts';
import { GATEWAY_LIMITS, type GatewayLimits } from './limits.ts';
import type { LiveLog } from './log.ts';
import type { LiveAuthenticator } from './membership.ts';
import { PastShelf } from './past/past-shelf.ts';
import type { LookBack } from './past/past.ts';
import { Pending } from './pending.ts';
import type { LiveQuotas } from './quotas.ts';
import { LiveSession } from './session.ts';
import { originAllowed } from './transport/origin.ts';
import { PLAIN_PATH, PlainSockets } from './transport/plain-socket.ts';
import { serveSocketIo, SOCKET_IO_PATH } from './transport/socket-io.ts';

type LiveOptions<I extends { readonly expiresAt: Instant }> = {
  /** The server that answers `/ws/v1` and `/socket.io/`; its other routes are unchanged. */
  httpServer: HttpServer;
  properties: PropertyActors;
  market: ReadMarket;
  lookBack: LookBack;
  authenticator: LiveAuthenticator<I>;
  clock: Clock;
  log: LiveLog;
  /** Allowed browser origins besides the server's own. */
  corsOrigins: readonly string[];
  quotas: LiveQuotas;
  /** The client's address, as it is counted. */
  addressOf: (request: IncomingMessage) => string;
  /** Time from commits until their changes are sent. */
  fanOut?: Pick<Durations, 'record'>;
  /** Shorter times and smaller buffers for tests. */
  limits?: Partial<GatewayLimits>;
};

export type LiveGateway = {
  /**
   * Refuses new connections and closes existing ones with 1001, spread over `drainMs`, so that they do not all
   * reconnect at once. What is still open a second later is dropped.
   */
  close(drainMs: number): Promise<void>;
  /** For metrics and health. */
  stats(): { connections: number; properties: number };
  figures(): SocketFigures;
};

/**
 * Serves the live protocol (docs/reference/live-protocol.md#live-protocol) over plain WebSocket and socket.io on an
 * HTTP server.
 */
export function attachLive<I extends { readonly expiresAt: Instant }>(options: LiveOptions<I>): LiveGateway {
  const { httpServer, properties, market, lookBack, authenticator, clock, log, corsOrigins } = options;
  const { quotas, addressOf, fanOut } = options;
  const limits = { ...GATEWAY_LIMITS, ...options.limits };
  const sent = (since: Instant): void => fanOut?.record(Math.max(0, clock.now() - since));
  const hub = new Hub({ properties, market, limits, log, sent });
  const shelf = new PastShelf(limits.pastBytes);
  const open = new Map<LiveConnection, LiveSession<I>>();
  const pending = new Pending<LiveSession<I>>(limits.pendingPerAddress);
  let draining = false;

  const accept = (connection: LiveConnection): ConnectionListener => {
    const { address } = connection;
    const onAdmitted = (): void => pending.drop(address, session);
    const parts = { hub, lookBack, authenticator, clock, limits, quotas, shelf, log, onAdmitted };
    const session = new LiveSession(connection, parts);
    open.set(connection, session);
    quotas.opened(address);
    const oldest = pending.add(address, session);
    if (oldest) quotas.noteRefused('pending');
    oldest?.close(CLOSE_CODES.tooMuch, 'too many without a token');
    return {
      received: (frame) => session.received(frame),
      unreadable: () => session.unreadable(),
      closed: () => {
        open.delete(connection);
        pending.drop(address, session);
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
    addressOf,
    admit: (request) => quotas.connect(addressOf(request)),
  });
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const address = addressOf(request);
    try {
      await quotas.connect(address);
    } catch (refused) {
      refuse(socket, 429, retryAfterOf(domainErrorOf(refused)));
      return;
    }
    if (draining) refuse(socket, 503);
    else plain.upgrade(request, socket, head, address);
  };

  httpServer.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = upgradePath(request, socket);
    if (draining) refuse(socket, 503);
    else if (path === PLAIN_PATH && !originAllowed(request, corsOrigins)) refuse(socket, 403);
    else if (path === PLAIN_PATH) void upgrade(request, socket, head);
    else if (!path.startsWith(SOCKET_IO_PATH)) refuse(socket, 404);
  });

  return {
    stats: () => ({ connections: open.size, properties: hub.size }),
    figures: () => figuresOf([...open.values()], { pending: pending.size, shelf, quotas }),
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

function figuresOf(
  sessions: readonly { readonly subscriptions: number }[],
  { pending, shelf, quotas }: { pending: number; shelf: PastShelf; quotas: LiveQuotas },
): SocketFigures {
  const sockets = new Map([
    ['pending', pending],
    ['admitted', sessions.length - pending],
  ]);
  const { refused, refusedLastMinute } = quotas;
  const subscriptions = sessions.reduce((sum, session) => sum + session.subscriptions, 0);
  return {
    sockets,
    subscriptions,
    lookingBack: { count: shelf.size, bytes: shelf.bytes },
    refused,
    refusedLastMinute,
  };
}

async function dismiss<I extends { readonly expiresAt: Instant }>(
  connections: [LiveConnection, LiveSession<I>][],
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

/**
 * Path of a handshake. From here on somebody listens to its socket: Node does not while the handshake is being decided,
 * and a client that resets meanwhile would end the whole process.
 */
function upgradePath(request: IncomingMessage, socket: Duplex): string {
  socket.on('error', () => socket.destroy());
  return request.url?.split('?')[0] ?? '';
}

function refuse(socket: Duplex, status: 403 | 404 | 429 | 503, retryAfterSeconds?: number): void {
  const retryAfter = retryAfterSeconds === undefined ? '' : `Retry-After: ${retryAfterSeconds}\r\n`;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${retryAfter}`;
  socket.end(`${head}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}
