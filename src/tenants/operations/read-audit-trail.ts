import { openCursor, signCursor } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { AuditPosition, AuditRow } from '../../kernel/rules/audit.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { GuestId } from '../../kernel/rules/ids.ts';
import { bookingsOf } from '../../kernel/rules/journal.ts';
import type { AuditTrailQuery } from '../contracts/audit-trail.ts';

/** Rows whose facts are in memory at once. */
const PAGE = 200;

/** Tolerance for writers whose clock is ahead. */
const CLOCKS_DIFFER_MS = 60_000;

/** Rows with the decrypted texts in them, by ciphertext. Texts of erased guests are missing. */
type TrailPart = { rows: AuditRow[]; opened: Map<string, string> };

type Asked = Omit<AuditTrailQuery, 'limit' | 'format'> & { limit: number };

/**
 * Reads every write of the tenant, newest first: who, what, before, after, when, by which request. Comes in parts, so
 * that each can be written before the next is read. A page may have fewer entries than requested and still a
 * `nextCursor`.
 * @throws DomainError VALIDATION_FAILED for a cursor of another list
 */
export async function readAuditTrail(
  services: Pick<Services, 'trail' | 'guests' | 'signed' | 'clock'>,
  { tenantId }: Pick<Caller, 'tenantId'>,
  { limit, cursor, entity, subject, from, to, ...narrowed }: Asked,
  write: (part: TrailPart) => void,
): Promise<{ nextCursor?: string }> {
  const { propertyId } = narrowed;
  const action = narrowed.action?.toUpperCase();
  // Cursors of a list without these are those of the release before.
  const more = propertyId === undefined && action === undefined ? [] : [propertyId, action];
  const list = JSON.stringify(['audit', tenantId, entity, subject, from, to, ...more]);
  const filter = { entity, subject, from, to, propertyId, action };
  let after = cursor === undefined ? undefined : (openCursor(services.signed, cursor, list) as AuditPosition);
  let left = limit;
  for (;;) {
    const now = services.clock.now() + CLOCKS_DIFFER_MS;
    const { rows, next } = await services.trail(tenantId, filter, Math.min(PAGE, left), now, after);
    write({ rows, opened: await services.guests.open(tenantId, rows.flatMap(sealedIn)) });
    [left, after] = [left - rows.length, next];
    // A page that is not full ran out of time: the client gets what there is, and may continue.
    if (!after || left === 0 || rows.length < PAGE)
      return { nextCursor: after && signCursor(services.signed, after, list) };
  }
}

type Sealed = { guestId: GuestId; name: string };

/** Texts in a row that are encrypted under the key of a guest. */
function sealedIn(row: AuditRow): Sealed[] {
  if ('facts' in row) {
    const { personal, details = [] } = row.facts;
    return bookingsOf({ facts: row.facts, entity: row.entityId }).flatMap(({ guestId }, index) => {
      const texts = [index === 0 ? personal : undefined, details[index]?.override];
      return texts.filter((name) => name !== undefined).map((name) => ({ guestId, name }));
    });
  }
  return [row.before, row.after].flatMap((image) => {
    const name = personalOf(image);
    return name === undefined ? [] : [{ guestId: row.entityId, name }];
  });
}

/** Ciphertext of a guest's data in an image. */
export function personalOf(image: unknown): string | undefined {
  if (typeof image !== 'object' || image === null || !('personal' in image)) return undefined;
  return typeof image.personal === 'string' ? image.personal : undefined;
}
