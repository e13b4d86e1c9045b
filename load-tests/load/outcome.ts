import type { Beside, ScenarioFigures } from './figures-of-run.ts';
import type { EndpointFigures } from './recorded.ts';
import type { Threshold } from './thresholds.ts';

/** Share of the cores that other programs may use before the report calls the machine busy. */
const BUSY_SHARE = 0.15;
/** Share of the cores from which on the client may be what is measured. */
const CLIENT_SHARE = 0.5;
const UNAUTHENTICATED = '401';

type Judged = {
  problem: string | undefined;
  thresholds: readonly Threshold[];
  failedChecks: readonly string[];
  endpoints: readonly EndpointFigures[];
  beside: Beside | undefined;
};

/** What became of a scenario, and what a reader must know of it. A missed goal of our own fails nothing. */
export function outcomeOf(scenario: Judged): Pick<ScenarioFigures, 'outcome' | 'notes'> {
  const { problem, thresholds, failedChecks, beside } = scenario;
  const missed = thresholds.filter(({ isMet }) => !isMet);
  const isFailed = problem !== undefined || thresholds.length === 0 || missed.some(({ origin }) => origin !== 'goal');
  const notes = [
    ...(problem === undefined ? [] : [problem]),
    ...failedChecks.map((check) => `Check failed: ${check}.`),
    ...expiredNote(scenario.endpoints),
    ...(beside ? (busyNote(beside.cpu.others, beside.cpu.cores) ?? []) : []),
    ...(beside && beside.cpu.client > CLIENT_SHARE * beside.cpu.cores
      ? [`The load client used ${beside.cpu.client} of ${beside.cpu.cores} cores: latencies are partly its own.`]
      : []),
  ];
  return { outcome: isFailed ? 'failed' : missed.length > 0 ? 'goals missed' : 'met', notes };
}

/** Says that the machine was busy with something else; `undefined` when it was not. */
export function busyNote(others: number, cores: number): string[] | undefined {
  if (others <= BUSY_SHARE * cores) return undefined;
  return [`Busy machine: other programs used ${others} of ${cores} cores. The figures are beside other work.`];
}

function expiredNote(endpoints: readonly EndpointFigures[]): string[] {
  const count = endpoints.reduce((sum, { unexpected }) => sum + (unexpected[UNAUTHENTICATED] ?? 0), 0);
  return count === 0 ? [] : [`${count} requests were answered 401: a token has expired in the run, or is wrong.`];
}
