import type { Server } from 'node:net';

import { LastMinute } from './last-minute.ts';

/** Connections of a listener at most, however many descriptors there are. */
const MAX_CONNECTIONS = 10_000;
/** Connections of a listener at least. */
const LEAST_CONNECTIONS = 8;
/** Descriptors for everything else: database, Redis, Kafka, other nodes, files, and the runtime itself. */
const RESERVED_DESCRIPTORS = 128;
/** Shares of the listeners. Sockets of the live gateway stay open; requests come and go. */
const SHARES = { rate: 0.2, reservation: 0.2, live: 0.5, issuer: 0.05, registry: 0.05 } as const;

type Listener = keyof typeof SHARES;

/**
 * Connections of a listener at most. A process without free descriptors cannot serve, and Deno panics: all listeners
 * together leave a reserve.
 * @param openFiles limit of the process; unbounded when unknown
 */
export function maxConnections(listener: Listener, openFiles = Infinity): number {
  const shared = Math.floor((openFiles - RESERVED_DESCRIPTORS) * SHARES[listener]);
  return Math.min(MAX_CONNECTIONS, Math.max(LEAST_CONNECTIONS, shared));
}

/** Connections of a bounded listener: open ones, the limit, and those closed because of it. */
export type ConnectionFigures = { open: number; most: number; refusedLastMinute: number };

const FIGURES = new WeakMap<Server, () => ConnectionFigures>();

/** Figures of a listener that {@link boundConnections} bounds. @throws Error where it is not bounded: a bug */
export function connectionsOf(server: Server): ConnectionFigures {
  const figures = FIGURES.get(server);
  if (!figures) throw new Error('the listener has no bound');
  return figures();
}

/**
 * Closes connections beyond the bound. `maxConnections` of the server would too, but reports nothing on Deno.
 * @param onRefused called for each closed one
 */
export function boundConnections(server: Server, most: number, onRefused: () => void = () => {}): void {
  let open = 0;
  const refused = new LastMinute();
  FIGURES.set(server, () => ({ open, most, refusedLastMinute: refused.count }));
  server.prependListener('connection', (socket) => {
    if (open >= most) {
      refused.note();
      onRefused();
      socket.destroy();
      return;
    }
    open += 1;
    socket.once('close', () => (open -= 1));
  });
}
