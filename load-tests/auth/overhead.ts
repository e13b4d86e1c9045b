import { pumpApart } from '../client/pump-apart.ts';
import { Companion } from '../first/companion.ts';
import { cpuMs } from '../first/cpu-time.ts';
import { middle, figuresText } from '../first/figures.ts';

const ROUNDS = 5;
const ROUND_SECONDS = 3;

/**
 * Cost of token, tenant, role and limits for a request, on one connection (0.15 ms p50 promised); with REDIS_URL limits
 * are counted there.
 */
export async function benchOverhead(): Promise<void> {
  await using server = await Companion.start('auth/open-route.ts', {});
  const { port, pid } = server;
  const headers = { authorization: `Bearer ${'x'.repeat(600)}`, 'x-tenant-id': 'demo' };
  const seen = { open: [] as Round[], guarded: [] as Round[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const name of ['open', 'guarded'] as const) {
      const before = cpuMs(pid);
      const load = { port, method: 'GET', paths: [`/api/v1/bench/${name}`], headers, seconds: ROUND_SECONDS };
      const { ms, requests, statuses } = await pumpApart({ ...load, connections: 1 });
      if (statuses['200'] !== requests) throw new Error(`${name}: ${JSON.stringify(statuses)}`);
      if (round >= 0) seen[name].push({ p50: ms.p50, cpu: (cpuMs(pid) - before) / requests });
    }
  }
  const of = (name: 'open' | 'guarded', part: keyof Round): number => middle(seen[name].map((one) => one[part]));
  const us = (ms: number): string => `${Math.round(ms * 1000)} us`;
  figuresText([
    { what: 'limits are counted in', value: process.env.REDIS_URL === undefined ? 'memory' : 'Redis' },
    { what: 'open route, p50; CPU', value: `${us(of('open', 'p50'))}; ${us(of('open', 'cpu'))}` },
    { what: 'guarded route, p50; CPU', value: `${us(of('guarded', 'p50'))}; ${us(of('guarded', 'cpu'))}` },
    { what: 'more by p50 (150 us promised)', value: us(of('guarded', 'p50') - of('open', 'p50')) },
    { what: 'more by CPU', value: us(of('guarded', 'cpu') - of('open', 'cpu')) },
  ]);
}

type Round = { p50: number; cpu: number };
