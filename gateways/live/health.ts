import type { HealthCheck } from '../../src/kernel/ports.ts';
import type { ConnectionFigures } from '../http/admission/connection-bound.ts';
import type { SocketFigures } from '../http/telemetry/node-status.ts';

type Watched = { figures(): SocketFigures; connections(): ConnectionFigures };

/**
 * Health component `live`. OUT_OF_SERVICE while the listener accepts no further connection; bookings continue, so the
 * node stays UP. Connections refused by quotas leave it UP: quotas work as intended, and the alert on `live_refused`
 * reports them.
 */
export class LiveHealth {
  #watched: Watched | undefined;

  /** Called when the gateway exists; the component is UNKNOWN before, and on nodes without one. */
  watch(watched: Watched): void {
    this.#watched = watched;
  }

  readonly health: HealthCheck = {
    essential: false,
    check: async () => {
      if (!this.#watched) return { status: 'UNKNOWN' };
      const { sockets, subscriptions, refusedLastMinute } = this.#watched.figures();
      const { open, most, refusedLastMinute: closed } = this.#watched.connections();
      const details = {
        sockets: [...sockets.values()].reduce((sum, count) => sum + count, 0),
        connections: open,
        maxConnections: most,
        subscriptions,
        refusedLastMinute: refusedLastMinute + closed,
      };
      return { status: open >= most ? 'OUT_OF_SERVICE' : 'UP', details };
    },
  };
}
