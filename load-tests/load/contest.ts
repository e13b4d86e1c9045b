import { postgresPid } from '../../test/blackbox/launched.ts';
import type { Service } from '../../test/blackbox/service.ts';
import { cpuMs, cpuMsOfFamily } from '../first/cpu-time.ts';
import { middle } from '../first/figures.ts';
import type { PeerFigures } from './figures-of-run.ts';

const ROUNDS = 3;

/** Requests, commits or frames of one round. */
export type Round = { requests: number; perSecond: number; ms: { p50: number; p99: number } };
export type Contender = {
  name: string;
  pid: number;
  hasDatabase: boolean;
  /** Length of its warm-up in rounds: a quote costs three times as much in its first ten thousand requests. */
  warmUp: number;
  round: (seconds: number) => Promise<Round>;
};

/** Warms up all, then measures them alternately, so that a slow moment of the machine meets all. */
export async function contest(
  group: string,
  service: Service,
  seconds: number,
  contenders: readonly Contender[],
): Promise<PeerFigures[]> {
  const postgres = postgresPid(service.dataDir) ?? 0;
  const measured = contenders.map(() => [] as (Round & { server: number; database: number })[]);
  for (const { warmUp, round } of contenders) await round(warmUp * seconds);
  for (let n = 0; n < ROUNDS; n += 1)
    for (const [index, { pid, round }] of contenders.entries()) {
      const before = { server: cpuMs(pid), database: cpuMsOfFamily(postgres) };
      const done = await round(seconds);
      const micros = (ms: number): number => Math.round((1_000 * ms) / Math.max(1, done.requests));
      const server = micros(cpuMs(pid) - before.server);
      const database = micros(cpuMsOfFamily(postgres) - before.database);
      measured[index]!.push({ ...done, server, database });
    }
  return contenders.map(({ name, hasDatabase }, index) => {
    const of = (read: (one: (typeof measured)[number][number]) => number): number =>
      middle(measured[index]!.map(read));
    return {
      group,
      name,
      perSecond: of(({ perSecond }) => perSecond),
      p50: of(({ ms }) => ms.p50),
      p99: of(({ ms }) => ms.p99),
      serverMicros: of(({ server }) => server),
      postgresMicros: hasDatabase ? of(({ database }) => database) : null,
      rounds: measured[index]!.map(({ perSecond }) => perSecond),
    };
  });
}
