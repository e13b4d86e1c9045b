import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Checkpoints, Expiring, LastRow, Retention } from '../ports.ts';
import { gridAfter } from './rebuild-grid.ts';

/** Batches of old audit rows removed in one round: a million of them take a while, and bookings continue. */
const MAX_AUDIT_BATCHES = 100;

/** Rows folded for one checkpoint at most. */
const STEP_ROWS = 32_768;

/** Attempts to drop a month that commits and readers have locked. */
const TRIES = 5;
const TRY_AGAIN_MS = 200;

export type RetentionServices = Pick<Services, 'archive' | 'computer' | 'log'> & {
  checkpoints: Checkpoints;
  retention: Retention;
  /** The service is stopping: the rest waits for the next start. */
  ended(): boolean;
};

/**
 * Creates the journal's coming months and drops those older than 400 days (docs/concepts/storage.md#retention), once
 * each property has a checkpoint at its last row there, from which its past and its audit chain continue. Removes old
 * rows of the administration journal. One node at a time. Each step, month and property fails alone and is retried in
 * the next round; only drops are in order, since an audit chain must not have a gap: a month waits for those before it.
 */
export async function applyRetention(
  services: RetentionServices,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<void> {
  await services.retention.alone(async (expiring) => {
    await each.one('the coming months', () => expiring.makeMonths());
    await each.one('the months past their time', () => dropMonths(services, expiring, each));
    await each.one('old rows of administration', async () => {
      for (let batch = 0; batch < MAX_AUDIT_BATCHES && !services.ended(); batch++)
        if ((await expiring.forgetAudit()) === 0) break;
    });
  });
}

async function dropMonths(services: RetentionServices, expiring: Expiring, each: ItemRunner): Promise<void> {
  let isGapless = true;
  for (const month of await expiring.expiredMonths()) {
    if (services.ended()) return;
    const dropped = await each.one(`month ${month}`, async () => {
      const isCovered = await checkpointMonth(services, expiring, month, each);
      isGapless &&= isCovered && (await drop(expiring, month));
      if (isGapless) services.log.info({ month }, 'a month of the journal is past its time and dropped');
    });
    isGapless &&= dropped;
  }
}

/**
 * Writes a checkpoint at the last row of each property in the month; returns whether all were reached. A property that
 * cannot be folded is logged, and the others continue.
 */
async function checkpointMonth(
  services: RetentionServices,
  expiring: Expiring,
  month: string,
  each: ItemRunner,
): Promise<boolean> {
  let after: Address | undefined;
  for (let isWhole = true; ;) {
    const rows = await expiring.uncovered(month, after);
    if (rows.length === 0) return isWhole;
    for (const row of rows) {
      if (services.ended()) return false;
      const { tenantId, propertyId } = row.to;
      const stored = await each.one(`${tenantId}/${propertyId} in month ${month}`, () =>
        checkpointAtRow(services, row),
      );
      isWhole &&= stored;
    }
    after = rows.at(-1)!.to;
  }
}

/**
 * Rebuilt from the journal and not from the actor: passive and deleted properties have a past too. When the previous
 * checkpoint is far away, intermediate ones are written.
 */
async function checkpointAtRow(services: RetentionServices, { to, seq }: LastRow): Promise<void> {
  for (;;) {
    const next = await services.archive.read(to, async (journal) => {
      const start = await journal.checkpointBefore(seq);
      const reached = Math.min(seq, (start?.seq ?? 0) + STEP_ROWS);
      return { seq: reached, grid: await gridAfter(services, journal, start, reached) };
    });
    if (!(await services.checkpoints.write(to, next.seq, next.grid)))
      throw new Error(`no checkpoint could be written at row ${next.seq} of ${to.propertyId}`);
    if (next.seq === seq) return;
  }
}

async function drop(expiring: Expiring, month: string): Promise<boolean> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (await expiring.dropMonth(month)) return true;
    await new Promise((done) => setTimeout(done, TRY_AGAIN_MS));
  }
  return false;
}
