import { percentiles, type Percentiles } from '../client/latencies.ts';
import type { AuditReport } from './audit.ts';
import { type Kind, KINDS, type Surprise, type Tally } from './tally.ts';

const SHOWN_DIFFERENCES = 20;

/** Everything that a replay reports, as `--json` prints it. */
export type Summary = {
  accepted: number;
  amended: number;
  cancelled: number;
  refused: Record<Kind, Record<string, number>>;
  passedOver: number;
  repeated: Record<string, number>;
  seconds: number;
  requestsPerSecond: number;
  milliseconds: Record<Kind, Percentiles>;
  unexpected: { count: number; first: Surprise[] };
  audit: Omit<AuditReport, 'differences'> & { differences: { count: number; first: AuditReport['differences'] } };
  ok: boolean;
};

export function summarise(tally: Tally, seconds: number, audit: AuditReport): Summary {
  const { differences, ...rest } = audit;
  return {
    accepted: tally.done.create,
    amended: tally.done.amend,
    cancelled: tally.done.cancel,
    refused: byKind((kind) => Object.fromEntries(tally.refused[kind])),
    passedOver: tally.passedOver,
    repeated: Object.fromEntries(tally.repeated),
    seconds: Math.round(seconds * 10) / 10,
    requestsPerSecond: Math.round(tally.answered / seconds),
    milliseconds: byKind((kind) => percentiles(tally.times[kind])),
    unexpected: { count: tally.surprised, first: tally.surprises },
    audit: { ...rest, differences: { count: differences.length, first: differences.slice(0, SHOWN_DIFFERENCES) } },
    ok: tally.surprised === 0 && differences.length === 0 && audit.violations.length === 0,
  };
}

function byKind<T>(value: (kind: Kind) => T): Record<Kind, T> {
  return { create: value('create'), amend: value('amend'), cancel: value('cancel') };
}

/** The summary as lines for a person. */
export function summaryLines(summary: Summary): string[] {
  const { audit, unexpected } = summary;
  return [
    `accepted ${summary.accepted}, amended ${summary.amended}, cancelled ${summary.cancelled}`,
    ...KINDS.flatMap((kind) => refusedLine(kind, summary.refused[kind])),
    `changes of refused bookings passed over: ${summary.passedOver}`,
    `repeated: ${counts(summary.repeated) || 'none'}`,
    `${summary.seconds} s, ${summary.requestsPerSecond} requests per second`,
    ...KINDS.map((kind) => latencyLine(kind, summary.milliseconds[kind])),
    `unexpected answers: ${unexpected.count}`,
    ...unexpected.first.map(
      ({ kind, row, status, code, detail }) => `  ${kind} row ${row}: ${status} ${code} ${detail}`,
    ),
    `audit: ${audit.cells} cells against ${audit.reservations} reservations, ${audit.differences.count} differences, ` +
      `${audit.violations.length} violations, ${audit.oversold.length} oversold`,
    ...audit.differences.first.map(
      ({ roomType, date, what, shown, recomputed }) =>
        `  ${roomType} ${date} ${what}: ${shown}, recomputed ${recomputed}`,
    ),
    ...audit.violations.slice(0, SHOWN_DIFFERENCES).map((violation) => `  violation ${JSON.stringify(violation)}`),
  ];
}

function refusedLine(kind: Kind, codes: Record<string, number>): string[] {
  return Object.keys(codes).length > 0 ? [`refused to ${kind}: ${counts(codes)}`] : [];
}

function counts(values: Record<string, number>): string {
  return Object.entries(values)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function latencyLine(kind: Kind, { count, p50, p95, p99, max }: Percentiles): string {
  return `${kind.padEnd(6)} ${count} calls, ms p50 ${p50}, p95 ${p95}, p99 ${p99}, max ${max}`;
}
