import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PagePosition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';

/** Guests of one page. */
const PAGE = 100;

/** Errors of guests who checked out or extended their stay at the same moment. */
const MOVED_ON: ReadonlySet<string> = new Set(['INVALID_STATE', 'TOO_EARLY']);

/**
 * At the roll: posts the night to guests who were due to leave before `date` and are still in house
 * (docs/concepts/rooms.md#overstays). The night audit waits for it.
 */
export async function postOverstays(services: Services, to: Address, date: Day): Promise<void> {
  const { reservations, log } = services;
  const by = { subject: 'system', requestId: ownRequestId() };
  const filter = { propertyId: to.propertyId, status: 'CHECKED_IN' as const, departureTo: date - 1 };
  for (let after: PagePosition | undefined; ;) {
    const { items, next } = await reservations.list(to.tenantId, filter, PAGE, after);
    for (const { id } of items)
      await sendAlways(services, by, to, { type: 'OVERSTAY', reservationId: id }).catch((error: unknown) => {
        if (!(error instanceof DomainError) || !MOVED_ON.has(error.code)) throw error;
        log.debug({ reservationId: id }, 'left, or has stayed on, at the last moment');
      });
    if (!next) return;
    after = next;
  }
}
