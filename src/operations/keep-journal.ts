import type { Checkpoints } from '../ports/checkpoints.ts';
import type { Expiring, LastRow, Retention } from '../ports/retention.ts';
import { gridAfter } from './rebuild-grid.ts';
import type { Services } from './services.ts';

/** Rounds of keys and of old audit rows forgotten at once: a million of them take a while, and bookings go on. */
const MOST_KEY_ROUNDS = 100;

/** Rows folded for one checkpoint at most. */
const STEP_ROWS = 32_768;

/** How often a month is tried whose lock commits and readers hold. */
const TRIES = 5;
const TRY_AGAIN_MS = 200;

export type Keeping = Pick<Services, 'archive' | 'computer' | 'log'> & {
  checkpoints: Checkpoints;
  retention: Retention;
  /** The service is stopping: what is left waits for the next start. */
  ended(): boolean;
};

/**
 * Makes the journal's coming months and lets those go that are older than 400 days (architecture.md 8), once each
 * property has a checkpoint at its last row there: its past goes on from it, and so does its audit chain. Forgets
 * old rows of administration, and kept answers after 25 hours. One node at a time; what fails is tried again in the next round.
 */
export async function keepJournal(keeping: Keeping): Promise<void> {
  await keeping.retention.alone(async (expiring) => {
    await expiring.makeMonths();
    for (const month of await expiring.expiredMonths()) {
      if (!(await cover(keeping, expiring, month)) || !(await drop(expiring, month))) return;
      keeping.log.info({ month }, 'a month of the journal is past its time and dropped');
    }
    for (let round = 0; round < MOST_KEY_ROUNDS && !keeping.ended(); round++)
      if ((await expiring.forgetAudit()) === 0) break;
    for (let round = 0; round < MOST_KEY_ROUNDS && !keeping.ended(); round++)
      if ((await expiring.forgetKeys()) === 0) return;
  });
}

/** Gives each property with rows in the month a checkpoint at the last of them; says whether it came to the end. */
async function cover(keeping: Keeping, expiring: Expiring, month: string): Promise<boolean> {
  for (;;) {
    const rows = await expiring.uncovered(month);
    if (rows.length === 0) return true;
    for (const row of rows) {
      if (keeping.ended()) return false;
      await keepGridOf(keeping, row);
    }
  }
}

/**
 * Rebuilt from the journal and not asked of the actor: sleeping and deleted properties have a past too. Where the
 * checkpoint before is far, some are made on the way.
 */
async function keepGridOf(keeping: Keeping, { to, seq }: LastRow): Promise<void> {
  for (;;) {
    const next = await keeping.archive.read(to, async (journal) => {
      const start = await journal.checkpointBefore(seq);
      const reached = Math.min(seq, (start?.seq ?? 0) + STEP_ROWS);
      return { seq: reached, grid: await gridAfter(keeping, journal, start, reached) };
    });
    if (!(await keeping.checkpoints.write(to, next.seq, next.grid)))
      throw new Error(`no checkpoint could be written at row ${next.seq} of ${to.propertyId}`);
    if (next.seq === seq) return;
  }
}

async function drop(expiring: Expiring, month: string): Promise<boolean> {
  for (let tried = 1; tried <= TRIES; tried++) {
    if (await expiring.dropMonth(month)) return true;
    await new Promise((done) => setTimeout(done, TRY_AGAIN_MS));
  }
  return false;
}
