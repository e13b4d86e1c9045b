import { SteadyBookers } from '../../test/blackbox/steady-bookers.ts';
import { pause, until } from '../../test/blackbox/waiting.ts';
import { percentiles } from '../client/latencies.ts';
import { LOG_CUTS } from '../storage/cuts.ts';
import { FailingSync } from '../storage/failing-sync.ts';
import { STORAGE_FAULTS, type StorageFault } from '../storage/faults.ts';
import { FaultWitness } from '../storage/witness.ts';
import { StorageWorld } from '../storage/world.ts';
import type { ProofResult } from './kills.ts';

/** `fault`: only those whose name contains it. */
export type StorageOptions = { rounds: number; fault: string };

const CLIENTS = 8;
const CALM_MS = 2_000;
const BACK_WITHIN_MS = 120_000;
/** Promise I10. */
const GOAL_MS = 30_000;

type Round = {
  fault: StorageFault;
  acknowledged: number;
  refused: number;
  lost: string[];
  /** Lost although the fault had not touched it. */
  wronglyLost: number;
  /** Without one no booking succeeded any more. */
  backMs: number | undefined;
  codes: ReadonlyMap<string, number>;
  witness: FaultWitness;
  wrong: readonly string[];
  /** What is wrong by the storage, which is reported and not judged: PostgreSQL promises nothing on pages newer than its log. */
  damage: readonly string[];
  violations: number;
};

/**
 * Paid bookings with idempotency keys on an embedded PostgreSQL with a data folder of 200 MB, while its storage gets
 * full, fails, gets slow or loses what it had confirmed, fault by fault. While it is full bookings are refused with a
 * retryable problem and reads go on; afterwards they succeed again by themselves, and everything acknowledged is there.
 * Of a log that was cut what is lost must be said, by a new generation or by a start that is refused; each cut has a
 * database of its own.
 */
export async function proveStorage({ rounds, fault: wanted }: StorageOptions): Promise<ProofResult> {
  const canFail = FailingSync.isPossible;
  const isWanted = ({ name, needsStrace }: StorageFault): boolean =>
    name.includes(wanted) && (canFail || !needsStrace);
  const [faults, cuts] = [STORAGE_FAULTS.filter(isWanted), LOG_CUTS.filter(isWanted)];
  if (faults.length + cuts.length === 0)
    throw new Error(`no fault that can be made here has a name with "${wanted}"`);
  if (!canFail) console.log('faults of fsync are left out: strace cannot be used here');
  console.log(`${'fault'.padEnd(50)}  acked  again  lost  back s  reads ok/failed  answers; health`);
  const done = faults.length === 0 ? [] : await playAll(faults, rounds);
  for (const cut of cuts) for (let n = 0; n < rounds; n++) done.push(...(await playAll([cut], 1)));
  return report(done);
}

/** On one database, which is audited in the end. */
async function playAll(faults: readonly StorageFault[], rounds: number): Promise<Round[]> {
  await using world = await StorageWorld.open();
  const done: Round[] = [];
  for (const fault of faults)
    for (let n = 0; n < rounds; n++) {
      const round = await play(world, fault);
      done.push(round);
      console.log(rowOf(round));
      for (const text of round.wrong) console.log(`  wrong: ${text}`);
      for (const text of round.damage) console.log(`  by the storage: ${text}`);
    }
  const last = done.at(-1)!;
  if (last.backMs === undefined) return done;
  const isDamaged = last.damage.length > 0;
  const violations = await world.violations().catch((error: unknown) => {
    if (isDamaged) return [String(error)];
    throw error;
  });
  if (isDamaged) console.log(`  by the storage: ${violations.length} violations of the audit`);
  else last.violations = violations.length;
  for (const one of violations.slice(0, 3)) console.log(`  violation: ${JSON.stringify(one)}`);
  return done;
}

async function play(world: StorageWorld, fault: StorageFault): Promise<Round> {
  const { reservationId } = await world.property.booked();
  const bookers = new SteadyBookers(fault.clients ?? CLIENTS, () => world.property, 50);
  await pause(CALM_MS);
  await until('bookings', BACK_WITHIN_MS, () => bookers.acknowledged.length > 0 || undefined);
  const witness = new FaultWitness(world, reservationId);
  const { wrong, safeUntil = Infinity, damage = [], isGone = false } = await fault.run(world, bookers);
  const isDamaged = damage.length > 0;
  const endedAt = performance.now();
  const backAt = isGone ? undefined : await bookingsAgain(bookers, endedAt, isDamaged);
  await pause(CALM_MS);
  await witness.end();
  await (backAt === undefined ? bookers.abandon() : bookers.end());
  const ids = bookers.acknowledged.map((one) => one.reservationId);
  const lost = backAt === undefined ? ids : await world.missing(ids);
  const isSafe = new Set(
    bookers.acknowledged.filter(({ at }) => at < safeUntil || at > endedAt).map((one) => one.reservationId),
  );
  const strange = bookers.strange.slice(0, 3);
  return {
    fault,
    acknowledged: ids.length,
    refused: [...bookers.codes.values()].reduce((sum, count) => sum + count, 0),
    lost,
    wronglyLost: isDamaged ? 0 : lost.filter((id) => isSafe.has(id)).length,
    backMs: backAt && backAt - endedAt,
    codes: bookers.codes,
    witness,
    wrong: [...wrong, ...(isDamaged ? [] : strange), ...faultsOf(fault, bookers, witness)],
    damage: isDamaged ? [...damage, ...world.complaints, ...strange] : [],
    violations: 0,
  };
}

/** @returns when, or undefined where the storage has left a database that takes none any more */
async function bookingsAgain(bookers: SteadyBookers, since: number, isDamaged: boolean): Promise<number | undefined> {
  const again = until('bookings again', BACK_WITHIN_MS, () => bookers.firstAfter(since));
  return isDamaged ? again.catch(() => undefined) : again;
}

/** Where the disk is only full, reads must go on, and bookings be refused for that reason. */
function faultsOf(
  { isFull, isHarmless }: StorageFault,
  { codes }: SteadyBookers,
  { reads, named }: FaultWitness,
): string[] {
  const wrong: string[] = [];
  if ((isFull || isHarmless) && reads.failed > 0) wrong.push(`${reads.failed} reads failed`);
  if (isFull && !codes.has('STORE_READ_ONLY')) wrong.push('no booking was refused as STORE_READ_ONLY');
  if (isFull && ![...named].some((text) => text.startsWith('storage ')))
    wrong.push('health did not name the storage');
  return wrong;
}

function rowOf({ fault, acknowledged, refused, lost, backMs, codes, witness }: Round): string {
  const { reads, named } = witness;
  const cells = [
    fault.name.padEnd(50),
    String(acknowledged).padStart(5),
    String(refused).padStart(5),
    String(lost.length).padStart(4),
    (backMs === undefined ? 'never' : (backMs / 1_000).toFixed(1)).padStart(6),
    `${reads.answered}/${reads.failed}`.padStart(15),
    `${[...codes].map(([code, count]) => `${count} ${code}`).join(', ') || '-'}; ${[...named].join(', ') || 'UP'}`,
  ];
  return cells.join('  ');
}

function report(rounds: readonly Round[]): ProofResult {
  const sum = (of: (round: Round) => number): number => rounds.reduce((all, one) => all + of(one), 0);
  const acknowledged = sum((one) => one.acknowledged);
  const wronglyLost = sum((one) => one.wronglyLost);
  const lostByStorage = sum((one) => one.lost.length) - wronglyLost;
  const violations = sum((one) => one.violations);
  const cuts = rounds.filter(({ fault }) => fault.isCut);
  const damaged = cuts.filter(({ damage }) => damage.length > 0);
  const back = percentiles(rounds.flatMap(({ backMs = [] }) => backMs));
  console.log(`${acknowledged} bookings acknowledged, ${sum((one) => one.refused)} requests repeated`);
  console.log(`acknowledged and lost: ${wronglyLost}; with the log that was cut, and said: ${lostByStorage}`);
  console.log(`violations of the audit and oversold cells: ${violations}`);
  console.log(`cuts of the log: ${cuts.length}, of which ${damaged.length} left what PostgreSQL is not safe from`);
  console.log(
    `first booking after the end: p50 ${(back.p50 / 1_000).toFixed(1)} s, worst ${(back.max / 1_000).toFixed(1)} s; goal 30 s`,
  );
  const wrong = rounds.some((one) => one.wrong.length > 0);
  return {
    held: !wrong && wronglyLost === 0 && violations === 0 && back.max < GOAL_MS,
    counts: {
      faults: rounds.length,
      'bookings acknowledged': acknowledged,
      lost: wronglyLost,
      'lost with a log that was cut': lostByStorage,
      'cuts that left a damaged database': damaged.length,
      'violations of the audit': violations,
    },
  };
}
