import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { WantedProperty } from '../../packages/client/src/live/live-client.ts';

const PROGRAM = fileURLToPath(new URL('swarm-process.ts', import.meta.url));
const STRIP_TYPES = new URL('../../src/platform/launch/strip-types.mjs', import.meta.url).href;

/** Many clients of one property. */
export type SwarmOptions = {
  liveUrl: string;
  token: string;
  tenantId: string;
  wanted: WantedProperty;
  /** Clients over plain WebSocket, and over socket.io. */
  plain: number;
  socketIo: number;
  /** Each client follows the next of these, in place of the property of `wanted`. */
  properties?: readonly string[];
  /** Only counts and times frames, at a lower cost than a whole client; no comparison, no reconnect. */
  metersOnly?: boolean;
  /** Meters of a server that is Centrifugo, on its channel `feed`. */
  isCentrifugo?: boolean;
};

export type SwarmReport = {
  /** Clients that show the present. */
  live: number;
  clients: number;
  lowest: number;
  highest: number;
  /** Received deltas, and milliseconds from the commit of each to its frame. */
  deltas: number;
  latencies: number[];
  /** Snapshots after each client's first. */
  snapshots: number;
  gaps: number;
  reconnects: number;
  problems: string[];
};

export type Comparison = {
  cells: number;
  /** Clients whose content differs from a fresh snapshot, with the first difference of each. */
  differing: string[];
  /** Bookings that a client received twice. */
  repeated: number;
  /** Bookings that a client never received although it had only deltas since its first snapshot. */
  missing: number;
};

export type Question =
  | { ask: 'open'; options: SwarmOptions }
  /** Figures since the last report. */
  | { ask: 'report' }
  /** Cuts all connections at once. */
  | { ask: 'cut' }
  /** Compares every replica with a fresh snapshot, and its feed with the bookings. */
  | { ask: 'compare'; booked: string[] };

type Answers = { open: null; report: SwarmReport; cut: null; compare: Comparison };

/** Clients of the live protocol in a process of their own, so that their work is not that of the measuring one. */
export class Swarm implements Disposable {
  readonly #child: ChildProcess;
  readonly #end = (): void => void this.#child.kill('SIGKILL');

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async open(options: SwarmOptions): Promise<Swarm> {
    const child = fork(PROGRAM, { execArgv: ['--import', STRIP_TYPES] });
    const swarm = new Swarm(child);
    process.once('exit', swarm.#end);
    await swarm.ask({ ask: 'open', options });
    return swarm;
  }

  /** Sends one request after the other. @throws Error when the process has ended */
  ask<Q extends Question>(question: Q): Promise<Answers[Q['ask']]> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`the clients ended with ${code}`));
      this.#child.once('exit', ended);
      this.#child.once('message', (answer) => {
        this.#child.off('exit', ended);
        resolve(answer as Answers[Q['ask']]);
      });
      this.#child.send(question);
    });
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#end);
    this.#end();
  }
}
