import { percentiles, type Percentiles } from '../client/latencies.ts';
import type { AuditReport } from './audit.ts';
import { byKind, type Kind, KINDS, type Surprise, type Tally } from './tally.ts';

const SHOWN_DIFFERENCES = 20;

/** Full report of a replay, as `--json` prints it. */
export type Summary = Played<Kind> & Audited & { accepted: number; amended: number; cancelled: number; ok: boolean };

/** Results of requests of some kinds. */
export type Played<K extends string> = {
  refused: Record<K, Record<string, number>>;
  passedOver: number;
  repeated: Record<string, number>;
  seconds: number;
  requestsPerSecond: number;
  milliseconds: Record<K, Percentiles>;
  unexpected: { count: number; first: Surprise<K>[] };
};

/** Findings of an audit, for printing. */
export type Audited = {
  audit: Omit<AuditReport, 'differences'> & { differences: { count: number; first: AuditReport['differences'] } };
};

export function summarise(tally: Tally, seconds: number, audit: AuditReport): Summary {
  return {
    accepted: tally.done.create,
    amended: tally.done.amend,
    cancelled: tally.done.cancel,
    ...playedOf(KINDS, tally, seconds),
    ...auditedOf(audit),
    ok: tally.surprised === 0 && audit.differences.length === 0 && audit.violations.length === 0,
  };
}

export function playedOf<K extends string>(kinds: readonly K[], tally: Tally<K>, seconds: number): Played<K> {
  return {
    refused: byKind(kinds, (kind) => Object.fromEntries(tally.refused[kind])),
    passedOver: tally.passedOver,
    repeated: Object.fromEntries(tally.repeated),
    seconds: Math.round(seconds * 10) / 10,
    requestsPerSecond: Math.round(tally.answered / seconds),
    milliseconds: byKind(kinds, (kind) => percentiles(tally.times[kind])),
    unexpected: { count: tally.surprised, first: tally.surprises },
  };
}

export function auditedOf({ differences, ...rest }: AuditReport): Audited {
  return {
    audit: { ...rest, differences: { count: differences.length, first: differences.slice(0, SHOWN_DIFFERENCES) } },
  };
}

/** The summary as lines of text. */
export function summaryLines(summary: Summary): string[] {
  return [
    `accepted ${summary.accepted}, amended ${summary.amended}, cancelled ${summary.cancelled}`,
    ...playedLines(KINDS, summary),
    ...auditLines(summary),
  ];
}

export function playedLines<K extends string>(kinds: readonly K[], played: Played<K>): string[] {
  const { unexpected } = played;
  return [
    ...kinds.flatMap((kind) => refusedLine(kind, played.refused[kind])),
    `changes of refused bookings passed over: ${played.passedOver}`,
    `repeated: ${counts(played.repeated) || 'none'}`,
    `${played.seconds} s, ${played.requestsPerSecond} requests per second`,
    ...kinds.map((kind) => latencyLine(kind, played.milliseconds[kind])),
    `unexpected answers: ${unexpected.count}`,
    ...unexpected.first.map(
      ({ kind, row, status, code, detail }) => `  ${kind} row ${row}: ${status} ${code} ${detail}`,
    ),
  ];
}

export function auditLines({ audit }: Audited): string[] {
  return [
    `audit: ${audit.cells} cells against ${audit.reservations} reservations, ${audit.differences.count} differences, ` +
      `${audit.violations.length} violations, ${audit.oversold.length} oversold`,
    ...audit.differences.first.map(
      ({ roomType, date, what, shown, recomputed }) =>
        `  ${roomType} ${date} ${what}: ${shown}, recomputed ${recomputed}`,
    ),
    ...audit.violations.slice(0, SHOWN_DIFFERENCES).map((violation) => `  violation ${JSON.stringify(violation)}`),
  ];
}

function refusedLine(kind: string, codes: Record<string, number>): string[] {
  return Object.keys(codes).length > 0 ? [`refused to ${kind}: ${counts(codes)}`] : [];
}

export function counts(values: Record<string, number>): string {
  return Object.entries(values)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function latencyLine(kind: string, { count, p50, p95, p99, max }: Percentiles): string {
  return `${kind.padEnd(8)} ${count} calls, ms p50 ${p50}, p95 ${p95}, p99 ${p99}, max ${max}`;
}
