import type { Findings } from './judge.ts';

const BUDGET = 0.9999;
const SHOWN = 5;

/** Prints the result of a run. @returns whether everything but the error budget held, and whether that held */
export function report(findings: Findings): { allHeld: boolean; inBudget: boolean } {
  const { share, violations, lost, oversold, audits, chain, dashboards, strange, failures, journalRows } = findings;
  const success = 1 - share.failed / Math.max(1, share.requests);
  outageText(findings);
  console.log(`requests ${share.requests}, journal rows ${journalRows}`);
  for (const { ms, count } of share.within)
    console.log(
      `  answered within ${ms / 1_000} s, repeats included: ${percent(count / Math.max(1, share.requests))}`,
    );
  console.log(`  success share ${percent(success)}, error budget 99.99 %: ${share.failed} failed`);
  const codes = Object.entries(share.byCode).map(([code, times]) => `${code} ${times}`);
  console.log(
    `  tries ${share.tries}, broken or 5xx: ${percent(share.broken / Math.max(1, share.tries))} (${codes.join(', ')})`,
  );
  const { dashboards: count, repeated, missing, gaps, snapshots, reconnects, differing, problems } = dashboards;
  console.log(
    `dashboards ${count}: ${differing.length} differ from a fresh snapshot, received twice ${repeated}, not received ${missing}`,
  );
  console.log(
    `  ${reconnects} connections lost or refused, ${gaps} times caught up, ${snapshots} snapshots after the first`,
  );
  say('oversold cells', oversold, []);
  say('violations of the checker', violations.length, violations);
  say('lost acknowledgements', lost.length, lost);
  say('differences of the audits', audits.length, audits);
  say('audit chain', chain === '' ? 0 : 1, [chain]);
  say('strange answers', strange.length, strange);
  say('nodes and faults that failed', failures.length, failures);
  say('dashboards that differ', differing.length, [...differing, ...problems.map((one) => `problem: ${one}`)]);
  const counts = [oversold, violations.length, lost.length, audits.length, strange.length, failures.length];
  const allHeld = counts.every((one) => one === 0) && chain === '' && differing.length + repeated + missing === 0;
  return { allHeld: allHeld && share.requests > 0, inBudget: success >= BUDGET };
}

function outageText({ outages }: Findings): void {
  const columns = [
    'first success: median',
    'p99',
    'worst',
    'longest gap: median',
    'p99',
    'worst',
    'failed',
    'never back',
  ];
  console.log(`${'outage by fault, ms'.padEnd(54)}${'times'.padStart(6)}  ${columns.join('  ')}`);
  for (const { name, times, first, gap, failed, fromEnd, lost } of outages) {
    const figures = [first.p50, first.p99, first.max, gap.p50, gap.p99, gap.max, failed, lost];
    const cells = figures.map((ms, n) => String(Math.round(ms)).padStart(columns[n]!.length));
    const what = fromEnd ? `${name} (from its end)` : name;
    console.log(`${what.padEnd(54)}${String(times).padStart(6)}  ${cells.join('  ')}`);
  }
}

function say(what: string, count: number, lines: readonly string[]): void {
  console.log(`${what}: ${count}`);
  for (const line of lines.slice(0, SHOWN)) if (line !== '') console.log(`  ${line}`);
}

const percent = (part: number): string => `${(part * 100).toFixed(3)} %`;

/** Totals of a run for the ledger of proofs (docs/measurements/proofs.md#totals). */
export function countsOf({
  share,
  outages,
  violations,
  lost,
  oversold,
  journalRows,
  dashboards,
}: Findings): Record<string, number> {
  return {
    requests: share.requests,
    'journal rows': journalRows,
    faults: outages.reduce((sum, { times }) => sum + times, 0),
    'cells oversold': oversold,
    'acknowledgements lost': lost.length,
    violations: violations.length,
    'dashboards that differ': dashboards.differing.length,
  };
}
