import {
  auditedOf,
  auditLines,
  playedLines,
  playedOf,
  counts,
  type Audited,
  type Played,
} from '../replay/summary.ts';
import { DAY_KINDS, type DayKind } from './life.ts';
import type { DayByDayResult } from './live.ts';
import type { MoneyReport } from './money-audit.ts';

/** Full report of a day-by-day replay, as `--json` prints it. */
export type DayByDaySummary = Played<DayKind> &
  Audited & {
    days: number;
    done: Record<DayKind, number>;
    roomsCleaned: number;
    noShows: number;
    expired: number;
    clockSeconds: number;
    money: MoneyReport;
    ok: boolean;
  };

export function summariseLife({ desk, seconds, audit, money, ...sums }: DayByDayResult): DayByDaySummary {
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
    ...playedOf(DAY_KINDS, tally, seconds),
    ...auditedOf(audit),
    money,
    ok: wrong.every((count) => count === 0),
  };
}

/** The summary as lines of text. */
export function dayByDayLines(summary: DayByDaySummary): string[] {
  const { money, days, roomsCleaned, noShows, expired, clockSeconds } = summary;
  const { property, findings } = money;
  return [
    `${days} days lived: ${counts(summary.done)}`,
    `by the clock: ${noShows} did not come, ${expired} did not pay; ${clockSeconds} s; ${roomsCleaned} rooms cleaned`,
    ...playedLines(DAY_KINDS, summary),
    ...auditLines(summary),
    `reservations: ${counts(money.reservations)}`,
    `property: total ${property.total}, taken ${property.taken}, given back ${property.givenBack}, paid ${property.paid}; ` +
      `refunds under way: ${money.refundsUnderWay}`,
    `money audit: ${money.cents} cents, ${findings.count} findings in ${money.compared} amounts and ` +
      `${money.invoices} invoices`,
    ...findings.first.map((line) => `  ${line}`),
  ];
}
