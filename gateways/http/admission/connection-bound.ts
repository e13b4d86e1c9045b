import type { Server } from 'node:net';

import { LastMinute } from './last-minute.ts';

/** What a listener takes at most, however many descriptors there are. */
const MOST_CONNECTIONS = 10_000;
/** Fewer and a listener would be of no use. */
const LEAST_CONNECTIONS = 8;
/** Descriptors of everything else: database, Redis, Kafka, other nodes, files, and what the runtime itself opens. */
const RESERVED_DESCRIPTORS = 128;
/** How listeners share the rest. Sockets of the live gateway stay; requests come and go. */
const SHARES = { rate: 0.2, reservation: 0.2, live: 0.5, issuer: 0.05, registry: 0.05 } as const;

type Listener = keyof typeof SHARES;

/**
 * Connections that a listener takes at most. A process without a free descriptor cannot serve anybody, and Deno ends
 * with a panic: all listeners together leave a reserve.
 * @param openFiles descriptors that the process may have; what nobody knows bounds nothing
 */
export function mostConnections(listener: Listener, openFiles = Infinity): number {
  const shared = Math.floor((openFiles - RESERVED_DESCRIPTORS) * SHARES[listener]);
  return Math.min(MOST_CONNECTIONS, Math.max(LEAST_CONNECTIONS, shared));
}

/** Connections of a bounded listener: open ones, the most that it takes, and those closed because of that. */
export type ConnectionFigures = { open: number; most: number; refusedLastMinute: number };

const FIGURES = new WeakMap<Server, () => ConnectionFigures>();

/** How a listener stands that {@link boundConnections} bounds. @throws Error where it is not bounded: a bug */
export function connectionsOf(server: Server): ConnectionFigures {
  const figures = FIGURES.get(server);
  if (!figures) throw new Error('the listener has no bound');
  return figures();
}

/**
 * Closes connections beyond the bound as they come. `maxConnections` of the server would do the same, but does not say
 * so on Deno.
 * @param onRefused called for each that was closed
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
