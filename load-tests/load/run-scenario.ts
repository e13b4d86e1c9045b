import { embeddedDatabaseUrl } from '../../test/blackbox/database-url.ts';
import { postgresPid } from '../../test/blackbox/launched.ts';
import type { Service } from '../../test/blackbox/service.ts';
import type { K6Target } from '../k6/target.ts';
import { driftOf } from './drift.ts';
import type { ScenarioFigures } from './figures-of-run.ts';
import { K6Run } from './k6-run.ts';
import { MachineMeter } from './machine.ts';
import { outcomeOf } from './outcome.ts';
import type { Scenario } from './scenarios.ts';
import { failedChecks, thresholdsOf } from './thresholds.ts';
import { WaitMeter } from './waits.ts';

const { GOALS } = (await import(new URL('../../k6/targets.js', import.meta.url).href)) as {
  GOALS: Readonly<Record<string, readonly string[]>>;
};

/** @param service the one under load, where this command has started it: only then its processes are measured */
export async function runScenario(
  k6: string,
  scenario: Scenario,
  load: { target: K6Target; perSecond: number; seconds: number; service: Service | undefined },
): Promise<ScenarioFigures> {
  const { name, what } = scenario;
  using run = new K6Run(k6, scenario, load);
  const meters = load.service && (await metersOf(load.service, run.pid));
  const read = await run.finished();
  await meters?.machine.stop();
  const waits = await meters?.waits.stop();
  // Read only now: what k6 has written is much to parse, which is no part of the load.
  const { recorded, summary, problem } = await read();
  const machine = await meters?.machine.figures(recorded.firstSecond ?? Date.now() / 1_000);
  const beside = machine && waits ? { ...machine, waits } : undefined;
  const thresholds = summary ? thresholdsOf(summary, GOALS) : [];
  const endpoints = recorded.figures();
  const checks = summary ? failedChecks(summary) : [];
  return {
    name,
    what,
    model: `${scenario.model}, ${load.perSecond} a second`,
    seconds: load.seconds,
    ...outcomeOf({ problem, thresholds, failedChecks: checks, endpoints, beside }),
    thresholds,
    endpoints,
    dropped: Number(summary?.metrics['dropped_iterations']?.['count'] ?? 0),
    beside,
    drift: driftOf(endpoints, beside),
  };
}

async function metersOf(service: Service, client: number): Promise<{ machine: MachineMeter; waits: WaitMeter }> {
  const processes = { service: service.dev.pid, postgres: postgresPid(service.dataDir) ?? 0, clients: [client] };
  return {
    machine: new MachineMeter(processes, `${service.dev.rateUrl}/actuator/prometheus`),
    waits: await WaitMeter.open(embeddedDatabaseUrl(service.dataDir)),
  };
}
