import { pause } from '../../../test/blackbox/waiting.ts';
import { type Answer, type Call, HttpClient } from '../../client/http.ts';
import type { ClusterWorld } from '../../cluster/cluster-world.ts';

/** Addresses of the two services wherever they are; a call goes to the next node of the cluster. */
export const ANYWHERE = { rateUrl: 'http://rate.cluster', reservationUrl: 'http://reservation.cluster' } as const;

/** A node that says nothing is given up for another one. */
const ANSWER_MS = 10_000;
/** Longest mishap, and the time until everything is back. */
const PATIENCE_MS = 240_000;
const AGAIN_MS = 250;
const LATER = new Set([429, 502, 503, 504]);

/** A client of a cluster: it repeats at another node what may be repeated, until it is decided. */
export class RoamingClient extends HttpClient {
  /** Milliseconds of the answers since the last look, repeats not included. */
  readonly latencies: number[] = [];
  repeats = 0;
  /** Answers with 500: a fault of the service, whatever happens around it. */
  readonly faults: string[] = [];
  readonly #world: ClusterWorld;
  #next = 0;

  constructor(world: ClusterWorld, headers: Record<string, string>) {
    super({ sockets: 32, headers, timeoutMs: ANSWER_MS });
    this.#world = world;
  }

  /** @throws Error when nobody answers within the patience, or a call that may not be repeated finds nobody */
  override async call(call: Call): Promise<Answer> {
    const mayRepeat = call.method !== 'POST' || call.headers?.['idempotency-key'] !== undefined;
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await super.call({ ...call, url: this.#addressOf(call.url) }).catch(() => undefined);
      if (answer?.status === 500) this.faults.push(`${call.method} ${call.url}: ${answer.text.slice(0, 300)}`);
      if (answer && !isUndecided(answer)) {
        this.latencies.push(answer.ms);
        return answer;
      }
      if (!mayRepeat || performance.now() > end) {
        if (answer) return answer;
        throw new Error(`nobody answers ${call.method} ${call.url}`);
      }
      this.repeats += 1;
      await pause(AGAIN_MS);
    }
  }

  #addressOf(url: string): string {
    const { nodes } = this.#world;
    const node = nodes[this.#next++ % nodes.length]!;
    return url
      .replace(ANYWHERE.rateUrl, () => node.url('RATE'))
      .replace(ANYWHERE.reservationUrl, () => node.url('RESERVATION'));
  }
}

function isUndecided({ status, headers }: Answer): boolean {
  return LATER.has(status) || status === 500 || (status === 409 && headers['retry-after'] !== undefined);
}
