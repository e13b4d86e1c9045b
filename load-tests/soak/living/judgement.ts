import { middleOf, type Judged, judgeGrowth, type Point } from './flatness.ts';
import type { ClosedDay } from './hotel.ts';
import type { DatabaseSample, SoakSample } from './samples.ts';

/** Share of the run, and minutes at most, until caches are filled and code is compiled. */
const WARM = { share: 0.2, most: 15 };
/** A process is judged when it has been there for so long. */
const PROCESS_MINUTES = { least: 5, share: 0.1 };
/** What PostgreSQL may keep of its log beyond `max_wal_size` while a checkpoint is written. */
const WAL_MARGIN = 1.25;
/** A shorter run is reported like any other, but says little of what grows. */
export const TELLING_MINUTES = 60;

const TOLERANCE = {
  memory: { share: 0.15, least: 48 },
  descriptors: { share: 0.1, least: 20 },
  wal: { share: 0.25, least: 128 },
  bytesPerRow: { share: 0.25, least: 64 },
  dead: { share: 0.5, least: 10 },
  p99: { share: 0.5, least: 50 },
} as const;

/** What grew over a run, without its beginning and, for answers, without mishaps and their recovery. */
export function growthOf(samples: readonly SoakSample[], minutes: number, maxWalMb: number): Judged[] {
  const from = Math.min(WARM.most, minutes * WARM.share);
  const span = minutes - from;
  const warm = samples.filter(({ minute }) => minute >= from);
  const calm = warm.filter(({ mishap, answers }) => mishap === undefined && answers > 0);
  const least = Math.min(PROCESS_MINUTES.least, minutes * PROCESS_MINUTES.share);
  const ofNodes = (value: 'residentMb' | 'descriptors'): Point[] =>
    warm.flatMap(({ minute, nodes }) =>
      nodes
        .filter(({ ageMinutes }) => ageMinutes >= least)
        .map((node) => ({ group: `${node.name} ${node.pid}`, minute, value: node[value] })),
    );
  const ofDatabase = (value: (one: DatabaseSample) => number): Point[] =>
    warm.flatMap(({ minute, database }) => (database ? [{ group: 'database', minute, value: value(database) }] : []));
  const ofAnswers = calm.map(({ minute, p99 }) => ({ group: 'answers', minute, value: p99 }));
  const wal = judgeGrowth(
    { what: 'WAL', unit: 'MB' },
    ofDatabase(({ walMb }) => walMb),
    span,
    TOLERANCE.wal,
  );
  // It may grow up to its bound, and stays there.
  const isBounded = ofDatabase(({ walMb }) => walMb).every(({ value }) => value <= maxWalMb * WAL_MARGIN);
  const perRow = ofDatabase(({ tablesMb, live }) => (tablesMb * 1_048_576) / Math.max(1, live));
  const dead = ofDatabase(({ live, dead: rows }) => (100 * rows) / Math.max(1, live + rows));
  return [
    judgeGrowth({ what: 'memory of a node', unit: 'MB' }, ofNodes('residentMb'), span, TOLERANCE.memory),
    judgeGrowth({ what: 'descriptors of a node', unit: '' }, ofNodes('descriptors'), span, TOLERANCE.descriptors),
    { ...wal, isFlat: isBounded },
    judgeGrowth({ what: 'bytes of tables for a row', unit: 'B' }, perRow, span, TOLERANCE.bytesPerRow),
    judgeGrowth({ what: 'dead rows', unit: '%' }, dead, span, TOLERANCE.dead),
    judgeGrowth({ what: 'p99 outside of mishaps', unit: 'ms' }, ofAnswers, span, TOLERANCE.p99),
  ];
}

/** Tables that grew most in the second half, in MB. */
export function grownTables(samples: readonly SoakSample[]): { table: string; from: number; to: number }[] {
  const known = samples.flatMap(({ database }) => database ?? []);
  const [from, to] = [known[Math.floor(known.length / 2)], known.at(-1)];
  if (!from || !to) return [];
  return Object.entries(to.tables)
    .map(([table, [mb]]) => ({ table, from: from.tables[table]?.[0] ?? 0, to: mb }))
    .toSorted((one, other) => other.to - other.from - (one.to - one.from))
    .slice(0, 8);
}

export function isClean({ cents, findings, cells, violations, oversold }: ClosedDay): boolean {
  return cents + findings + cells + violations + oversold === 0;
}

/** The p99 of samples with and without a mishap, in the middle. */
export function answersOf(samples: readonly SoakSample[]): { calm: number; mishaps: number } {
  const of = (isCalm: boolean): number =>
    middleOf(
      samples.filter(({ mishap, answers }) => (mishap === undefined) === isCalm && answers > 0).map(({ p99 }) => p99),
    );
  return { calm: of(true), mishaps: of(false) };
}
