import { Service } from '../../test/blackbox/service.ts';
import { pumpApart } from '../client/pump-apart.ts';
import { cpuMs } from './cpu-time.ts';
import { figuresText, middle, share } from './figures.ts';
import { HIGH_LIMITS, quotePath } from './quote.ts';

const ROUNDS = 7;
const ROUND_SECONDS = 2;
const CONNECTIONS = 32;
/** Before it, code is still compiled: a quote costs three times as much in the first ten thousand. */
const WARM_UP_REQUESTS = 40_000;
const WARM_UP_SECONDS = 45;
/** Promised rate of Node, in percent of Deno's. */
const PROMISED = 85;

const SCRIPTS = { Deno: 'start', Node: 'start:node' } as const;
const QUESTIONS = {
  'the same stay': [quotePath(40)],
  'another stay with each request': Array.from({ length: 200 }, (_, n) => quotePath(n + 1)),
};

type Seen = { perSecond: number[]; cpuMicros: number[] };

/** Quotes of the service on Node beside those on Deno, alternately, both warmed up. */
export async function benchRuntimes(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const services: [runtime: string, service: Service][] = [];
  for (const [runtime, script] of Object.entries(SCRIPTS)) {
    const service = await Service.start(HIGH_LIMITS, { script });
    stack.defer(() => service.remove());
    services.push([runtime, service]);
    await quotes(service, QUESTIONS['the same stay'], { seconds: WARM_UP_SECONDS, requests: WARM_UP_REQUESTS });
  }
  for (const [what, paths] of Object.entries(QUESTIONS)) {
    const seen = new Map<string, Seen>(services.map(([runtime]) => [runtime, { perSecond: [], cpuMicros: [] }]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [runtime, service] of round % 2 === 0 ? services : services.toReversed()) {
        const before = cpuMs(service.dev.pid);
        const { perSecond, requests } = await quotes(service, paths, { seconds: ROUND_SECONDS });
        const of = seen.get(runtime)!;
        of.perSecond.push(perSecond);
        of.cpuMicros.push((1000 * (cpuMs(service.dev.pid) - before)) / requests);
      }
    }
    const [deno, node] = [...seen.values()].map((of) => ({
      perSecond: middle(of.perSecond),
      cpuMicros: Math.round(middle(of.cpuMicros)),
    })) as [Record<keyof Seen, number>, Record<keyof Seen, number>];
    figuresText([
      { what: `${what}: Deno`, value: `${deno.perSecond}/s, ${deno.cpuMicros} us of CPU each` },
      { what: `${what}: Node`, value: `${node.perSecond}/s, ${node.cpuMicros} us of CPU each` },
      {
        what: `Node of Deno (${PROMISED} % promised)`,
        value: `${share(node.perSecond, deno.perSecond)} by rate, ${share(deno.cpuMicros, node.cpuMicros)} by CPU time`,
      },
    ]);
  }
}

async function quotes(
  service: Service,
  paths: readonly string[],
  bounds: { seconds: number; requests?: number },
): Promise<{ perSecond: number; requests: number }> {
  const headers = { authorization: `Bearer ${service.token('demo', 'VIEWER')}`, 'x-tenant-id': 'demo' };
  const port = Number(new URL(service.dev.rateUrl).port);
  const report = await pumpApart({ port, method: 'GET', paths, headers, connections: CONNECTIONS, ...bounds });
  const others = Object.keys(report.statuses).filter((status) => status !== '200');
  if (others.length > 0) throw new Error(`port ${port} answered ${JSON.stringify(report.statuses)}`);
  return report;
}
