import {
  auditedOf,
  auditLines,
  playedLines,
  playedOf,
  counts,
  type Audited,
  type Played,
} from '../replay/summary.ts';
import { LIVED_KINDS, type LivedKind } from './life.ts';
import type { Lived } from './live.ts';
import type { MoneyReport } from './money-audit.ts';

/** Everything that a lived replay reports, as `--json` prints it. */
export type LivedSummary = Played<LivedKind> &
  Audited & {
    days: number;
    done: Record<LivedKind, number>;
    roomsCleaned: number;
    noShows: number;
    expired: number;
    clockSeconds: number;
    money: MoneyReport;
    ok: boolean;
  };

export function summariseLife({ desk, seconds, audit, money, ...sums }: Lived): LivedSummary {
  const { tally } = desk;
  const wrong = [
    tally.surprised,
    audit.differences.length,
    audit.violations.length,
    money.cents,
    money.findings.count,
  ];
  return {
    ...sums,
    clockSeconds: Math.round(sums.clockSeconds * 10) / 10,
    done: tally.done,
    ...playedOf(LIVED_KINDS, tally, seconds),
    ...auditedOf(audit),
    money,
    ok: wrong.every((count) => count === 0),
  };
}

/** The summary as lines for a person. */
export function livedLines(summary: LivedSummary): string[] {
  const { money, days, roomsCleaned, noShows, expired, clockSeconds } = summary;
  const { property, findings } = money;
  return [
    `${days} days lived: ${counts(summary.done)}`,
    `by the clock: ${noShows} did not come, ${expired} did not pay; ${clockSeconds} s; ${roomsCleaned} rooms cleaned`,
    ...playedLines(LIVED_KINDS, summary),
    ...auditLines(summary),
    `reservations: ${counts(money.reservations)}`,
    `house: total ${property.total}, taken ${property.taken}, given back ${property.givenBack}, paid ${property.paid}; ` +
      `refunds under way: ${money.refundsUnderWay}`,
    `money audit: ${money.cents} cents, ${findings.count} findings in ${money.compared} amounts and ` +
      `${money.invoices} invoices`,
    ...findings.first.map((line) => `  ${line}`),
  ];
}
