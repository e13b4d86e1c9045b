import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { ClientKind } from './kinds.ts';
import { LIVENESS_MUTANTS } from './liveness-mutants.ts';
import { MONEY_MUTANTS } from './money-mutants.ts';
import { runSimulate } from './program.ts';

/** One text of one file that becomes another. */
type Edit = { file: string; text: string; becomes: string };

/**
 * A build that is broken on purpose by replacing one text of one file, or several where the others would compensate.
 * `first` is the seed where the search starts, for faults that few seeds show; any other number finds the fault too,
 * only later.
 */
export type Mutant = Edit & { name: string; also?: readonly Edit[]; first?: number; kind?: ClientKind['name'] };

const ACTOR = 'actors/property-actor.ts';
/** Where a decided batch is sent to the database. */
const SENDS = 'return sendBatch(next, of, () =>';
const STORE = 'src/testing/fake-store.ts';
const EXTRA_STAYS = 'actors/property/money/extra-stays.ts';

/** The database accepts an invoice number twice. */
const UNGUARDED_NUMBERS: Edit = { file: STORE, text: '|| this.#issuesTwice(batch)', becomes: '' };

/**
 * Plausible mistakes, each of which must be detected from outside (docs/measurements/proofs.md#simulation-of-actors).
 */
export const MUTANTS: readonly Mutant[] = [
  ...LIVENESS_MUTANTS.map((mutant) => ({ ...mutant, kind: 'liveness' as const })),
  ...MONEY_MUTANTS.map((mutant) => ({ ...mutant, kind: 'lives' as const })),
  {
    name: 'fence by epoch only',
    file: STORE,
    text: 'ownership.epoch !== epoch || ownership.seq !== oldSeq || ownership.head !== oldHead',
    becomes: 'ownership.epoch !== epoch',
  },
  {
    name: 'fence by a plain SELECT',
    file: STORE,
    text: 'const refused = this.#error(arrived);',
    becomes: 'const refused = this.#error(arrived); await new Promise((later) => setTimeout(later, 15));',
    first: 31,
  },
  {
    name: 'error answered before the commit',
    file: ACTOR,
    text: SENDS,
    becomes: `next.batch.forEach((w, n) => next.decided.outcomes[n]!.kind === 'refused' && answer(w, next.decided.outcomes[n]!)); ${SENDS}`,
  },
  {
    name: 'acknowledged before the commit',
    file: ACTOR,
    text: SENDS,
    becomes: `next.batch.forEach((w, n) => answer(w, next.decided.outcomes[n]!)); ${SENDS}`,
  },
  {
    name: 'hold confirmed after its expiry',
    file: 'actors/property/stay/paid-booking.ts',
    text: "kind === 'LATE' || context.now > expiresAt - HOLD_GUARD_MS;",
    becomes: 'expiresAt < 0;',
  },
  {
    name: 'shown before the commit',
    file: ACTOR,
    text: SENDS,
    becomes: `this.#view = new CommittedView(next.decided.draft.preview(next.decided)); ${SENDS}`,
  },
  {
    name: 'batch behind a failed one is taken for written',
    file: 'actors/commit-recovery.ts',
    text: 'for (const { batch } of later) await this.#commit(batch);',
    becomes: 'for (const inFlight of later) this.#actor.committed(inFlight);',
  },
  {
    name: 'lost commit taken for written',
    file: 'actors/resolve-unknown-commit.ts',
    text: 'positions.findIndex((position) => position.seq === seq && position.head === head)',
    becomes: 'positions.length - 1',
  },
  {
    name: 'idempotency records not looked up',
    file: STORE,
    text: "phase === 'end' || phase === 'release' ||",
    becomes: 'phase !== null ||',
  },
  {
    name: 'last room sold twice',
    file: 'actors/property/stay/stay-rules.ts',
    text: 'free(day, policies.overbookingLimit) < rooms',
    becomes: 'free(day, policies.overbookingLimit) < rooms - 1',
  },
  {
    name: 'last extra bed given twice',
    file: EXTRA_STAYS,
    text: 'if (further <= left) return;',
    becomes: 'if (further <= left + 1) return;',
  },
  {
    name: 'extra beds of a cancelled booking not given back',
    file: EXTRA_STAYS,
    text: 'put(draft, postingId, null);',
    becomes: '',
  },
  {
    name: 'half of a booking kept: the rooms before one that is refused',
    file: 'actors/property/stay/several-rooms.ts',
    text: '  onCopy(draft, steps);\n',
    becomes: '',
  },
  {
    name: 'half of a booking kept: a declined card frees the first room alone',
    file: 'actors/property/stay/paid-booking.ts',
    text: 'rooms.map((room) => releaseRoom(draft, room, context))[0]',
    becomes: 'rooms.slice(0, 1).map((room) => releaseRoom(draft, room, context))[0]',
  },
  {
    name: 'room sold that is out of order',
    file: 'actors/property/slab.ts',
    text: 'this.#counts[at + GROUP]! + this.#counts[at + OUT_OF_ORDER]! +',
    becomes: 'this.#counts[at + GROUP]! +',
  },
  {
    name: 'hold released without its rooms',
    file: 'actors/property/stay/booking.ts',
    text: "if (hold.kind !== 'LATE') moveNights(draft, hold, 'held', -hold.rooms);",
    becomes: '',
  },
  {
    name: 'last unit of a promotion sold twice',
    file: 'src/rates/rules/promotion.ts',
    text: 'used >= inventory.totalRooms)\n    return out(',
    becomes: 'used > inventory.totalRooms)\n    return out(',
  },
  {
    name: 'unit of an expired hold not given back',
    file: 'actors/property/passing-time.ts',
    text: 'giveBackClaims(draft, hold.booking.reservation);',
    becomes: '',
    first: 148,
  },
  {
    name: 'last room of a block sold twice',
    file: 'actors/property/groups/group-nights.ts',
    text: 'block.rooms <= block.pickedUp',
    becomes: 'block.rooms < block.pickedUp',
  },
  {
    name: 'block cut below what is picked up',
    file: 'actors/property/groups/groups.ts',
    text: 'if (rooms >= pickedUp) return;',
    becomes: 'return;',
  },
  {
    name: 'rooms of a larger block not checked',
    file: 'actors/property/groups/groups.ts',
    text: 'if (more > 0 && slab.has(day)',
    becomes: 'if (more > 9 && slab.has(day)',
  },
  {
    name: 'reservation of another owner in the own state',
    file: 'actors/reservation-reads.ts',
    text: 'checkEpoch(found.epoch);',
    becomes: '',
    first: 590,
  },
  {
    name: 'rates of our own lost to a reload that was read before',
    file: 'actors/property/reload.ts',
    text: 'draft.changesRates || draft.base.ratesSeq > stored.seq',
    becomes: 'draft.changesRates',
    first: 65,
  },
  {
    name: 'foreign rates not noticed',
    file: 'actors/rate-freshness.ts',
    text: 'if (version === this.#parts.version())',
    becomes: 'if (version >= 0)',
  },
  {
    name: 'rates that could not be checked are sold at',
    file: 'actors/rate-freshness.ts',
    text: 'if (this.#age >= trustMs)',
    becomes: 'if (trustMs < 0)',
  },
  {
    name: 'number of an invoice used again by the batch behind',
    file: 'actors/property/draft.ts',
    text: 'serials: this.#serials,',
    becomes: 'serials: this.base.serials,',
    // The primary key would refuse it.
    also: [UNGUARDED_NUMBERS],
  },
  {
    name: 'numbers of invoices begin again with each owner',
    file: 'actors/activation.ts',
    text: 'loaded.serials.map(',
    becomes: 'loaded.serials.slice(0, 0).map(',
    also: [UNGUARDED_NUMBERS],
  },
  {
    name: 'number of an invoice lost with a commit that failed',
    file: 'actors/property/draft.ts',
    text: 'this.#serials = new Map(this.#serials).set(sequence, serial);',
    becomes: '(this.#serials as Map<string, number>).set(sequence, serial);',
  },
  {
    name: 'housekeeping task started in any state',
    file: 'actors/property/rooms/housekeeping.ts',
    text: "if (before.status !== 'PENDING') throw wrongState(before, 'started');",
    becomes: '',
  },
  {
    name: 'housekeeping task of the batch before not known',
    file: 'actors/property/draft.ts',
    text: 'housekeeping: this.housekeeping,',
    becomes: 'housekeeping: this.base.housekeeping,',
  },
  {
    name: 'housekeeping tasks lost with the next owner',
    file: 'actors/activation.ts',
    text: 'loaded.housekeeping.map(',
    becomes: 'loaded.housekeeping.slice(0, 0).map(',
  },
];

type MutantResult = { name: string; seeds: number; caughtBy: string | undefined };

/** A copy of the sources that becomes one broken build after another. Unchanged files are compiled once. */
export class BrokenBuilds implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'innkeeper-mutant-'));

  constructor() {
    const root = resolve(import.meta.dirname, '../..');
    for (const part of ['actors', 'src', 'migrations', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(this.#folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  /** Plays seeds against a broken build until its first violation. */
  async play(mutant: Mutant, seeds: number): Promise<MutantResult> {
    const { name, first = 1, kind = 'actors', also = [] } = mutant;
    const whole = new Map<string, string>();
    try {
      for (const edit of [mutant, ...also]) this.#break(name, edit, whole);
      const range = ['--first', String(first), '--seeds', String(seeds), '--stop', '1'];
      const { output } = await runSimulate(this.#folder, [`--${kind}`, ...range]);
      const caught = /^seed (\d+)\n {2}(.*)$/m.exec(output);
      return { name, seeds: Number(caught?.[1] ?? first + seeds - 1), caughtBy: caught?.[2] };
    } finally {
      for (const [path, source] of whole) writeFileSync(path, source);
    }
  }

  /** @param whole original source of each changed file */
  #break(name: string, { file, text, becomes }: Edit, whole: Map<string, string>): void {
    const path = join(this.#folder, file);
    const source = readFileSync(path, 'utf8');
    if (source.split(text).length !== 2) throw new Error(`${name}: its text is not in ${file} exactly once`);
    if (!whole.has(path)) whole.set(path, source);
    writeFileSync(
      path,
      source.replace(text, () => becomes),
    );
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
