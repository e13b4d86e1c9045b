import { SteadyBookers } from '../../test/blackbox/steady-bookers.ts';
import { TemporaryDisk } from '../../test/blackbox/temporary-disk.ts';
import { pause, until } from '../../test/blackbox/waiting.ts';
import { percentiles } from '../client/latencies.ts';
import { FailingSync } from '../storage/failing-sync.ts';
import { type Shown, STORAGE_FAULTS, type StorageFault } from '../storage/faults.ts';
import { FaultWitness } from '../storage/witness.ts';
import { StorageWorld } from '../storage/world.ts';
import type { ProofResult } from './kills.ts';

/** `fault`: only those whose name contains it. */
export type StorageOptions = { rounds: number; fault: string };

const DISK_BYTES = 200 * 2 ** 20;
const LOG_DISK_BYTES = 8 * 2 ** 20;
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
  backMs: number;
  codes: ReadonlyMap<string, number>;
  witness: FaultWitness;
  wrong: readonly string[];
};

/**
 * Paid bookings with idempotency keys on an embedded PostgreSQL with a data folder of 200 MB, while its storage gets
 * full, fails, gets slow or loses what it had confirmed, fault by fault. While it is full bookings are refused with a
 * retryable problem and reads go on; afterwards they succeed again by themselves, and everything acknowledged is there.
 * Of a log that was cut what is lost must be said by a new generation.
 */
export async function proveStorage({ rounds, fault: wanted }: StorageOptions): Promise<ProofResult> {
  using disk = TemporaryDisk.mount(DISK_BYTES);
  using logDisk = TemporaryDisk.mount(LOG_DISK_BYTES);
  if (!disk || !logDisk) throw new Error('only root can mount small disks, and this machine must allow it');
  const canFail = FailingSync.isPossible;
  const faults = STORAGE_FAULTS.filter(({ name, needsStrace }) => name.includes(wanted) && (canFail || !needsStrace));
  if (faults.length === 0) throw new Error(`no fault that can be made here has a name with "${wanted}"`);
  if (!canFail) console.log('faults of fsync are left out: strace cannot be used here');
  await using world = await StorageWorld.open(disk, logDisk);
  const done: Round[] = [];
  console.log(`${'fault'.padEnd(50)}  acked  again  lost  back s  reads ok/failed  answers; health`);
  for (const fault of faults)
    for (let n = 0; n < rounds; n++) {
      const round = await play(world, fault);
      done.push(round);
      console.log(rowOf(round));
      for (const text of round.wrong) console.log(`  wrong: ${text}`);
    }
  return await report(world, done);
}

async function play(world: StorageWorld, fault: StorageFault): Promise<Round> {
  const { reservationId } = await world.property.booked();
  const bookers = new SteadyBookers(fault.clients ?? CLIENTS, () => world.property, 50);
  await pause(CALM_MS);
  await until('bookings', BACK_WITHIN_MS, () => bookers.acknowledged.length > 0 || undefined);
  const witness = new FaultWitness(world, reservationId);
  const shown: Shown = await fault.run(world, bookers);
  const endedAt = performance.now();
  const backAt = await until('bookings again', BACK_WITHIN_MS, () => bookers.firstAfter(endedAt));
  await pause(CALM_MS);
  await witness.end();
  await bookers.end();
  const lost = await world.missing(bookers.acknowledged.map(({ reservationId: id }) => id));
  const { safeUntil = Infinity } = shown;
  const isSafe = new Set(
    bookers.acknowledged.filter(({ at }) => at < safeUntil || at > endedAt).map((one) => one.reservationId),
  );
  const refused = [...bookers.codes.values()].reduce((sum, count) => sum + count, 0);
  const wrong = [...shown.wrong, ...bookers.strange.slice(0, 3), ...faultsOf(fault, bookers, witness)];
  return {
    fault,
    acknowledged: bookers.acknowledged.length,
    refused,
    lost,
    wronglyLost: lost.filter((id) => isSafe.has(id)).length,
    backMs: backAt - endedAt,
    codes: bookers.codes,
    witness,
    wrong,
  };
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
    (backMs / 1_000).toFixed(1).padStart(6),
    `${reads.answered}/${reads.failed}`.padStart(15),
    `${[...codes].map(([code, count]) => `${count} ${code}`).join(', ') || '-'}; ${[...named].join(', ') || 'UP'}`,
  ];
  return cells.join('  ');
}

async function report(world: StorageWorld, rounds: readonly Round[]): Promise<ProofResult> {
  const violations = await world.violations();
  const sum = (of: (round: Round) => number): number => rounds.reduce((all, one) => all + of(one), 0);
  const acknowledged = sum((one) => one.acknowledged);
  const wronglyLost = sum((one) => one.wronglyLost);
  const lostByStorage = sum((one) => one.lost.length) - wronglyLost;
  const back = percentiles(rounds.map(({ backMs }) => backMs));
  console.log(`${acknowledged} bookings acknowledged, ${sum((one) => one.refused)} requests repeated`);
  console.log(`acknowledged and lost: ${wronglyLost}; with the log that was cut, and said: ${lostByStorage}`);
  console.log(`violations of the audit and oversold cells: ${violations.length}`);
  console.log(
    `first booking after the end: p50 ${(back.p50 / 1_000).toFixed(1)} s, worst ${(back.max / 1_000).toFixed(1)} s; goal 30 s`,
  );
  const wrong = rounds.some((one) => one.wrong.length > 0);
  return {
    held: !wrong && wronglyLost === 0 && violations.length === 0 && back.max < GOAL_MS,
    counts: {
      faults: rounds.length,
      'bookings acknowledged': acknowledged,
      lost: wronglyLost,
      'lost with a log that was cut': lostByStorage,
      'violations of the audit': violations.length,
    },
  };
}
