import { pause } from '../../test/blackbox/waiting.ts';

/** Mails are collected from the journal within this time. */
export const GATHERED_MS = 1_000;
export const DRAINED_WITHIN_MS = 20_000;

/**
 * Drops the mails of bookings that only warm up: sending them would take longer than all the rest, and would run beside
 * what is measured. @param remove runs the statement, and returns the number of its rows
 */
export async function dropMails(remove: (sql: string) => Promise<number>): Promise<void> {
  for (const until = performance.now() + DRAINED_WITHIN_MS; performance.now() < until;) {
    await pause(GATHERED_MS);
    if ((await remove("delete from notifications where state in ('WAITING', 'SENDING') returning 1")) === 0) return;
  }
}
