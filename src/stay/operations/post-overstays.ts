import { ItemRunner, reservationItem } from '../../kernel/operations/item-runner.ts';
import { ownRequestId, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PagePosition } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';

/** Guests of one page. */
const PAGE = 100;

/** Errors of guests who checked out or extended their stay at the same moment. */
const MOVED_ON: ReadonlySet<string> = new Set(['INVALID_STATE', 'TOO_EARLY']);

/**
 * At the roll: posts the night to guests who were due to leave before `date` and are still in house
 * (docs/concepts/rooms.md#overstays). The night audit waits for it. A failing reservation delays no other.
 * @returns whether none failed
 */
export async function postOverstays(
  services: Services,
  to: Address,
  date: Day,
  each: ItemRunner = ItemRunner.uncounted(services.log),
): Promise<boolean> {
  const { reservations, log } = services;
  const by = { subject: 'system', requestId: ownRequestId() };
  const filter = { propertyId: to.propertyId, status: 'CHECKED_IN' as const, departureTo: date - 1 };
  const post = (reservationId: ReservationId): Promise<unknown> =>
    sendAlways(services, by, to, { type: 'OVERSTAY', reservationId }).catch((error: unknown) => {
      if (!(error instanceof DomainError) || !MOVED_ON.has(error.code)) throw error;
      log.debug({ reservationId }, 'left, or has stayed on, at the last moment');
    });
  let isDone = true;
  for (let after: PagePosition | undefined; ;) {
    const { items, next } = await reservations.ids(to.tenantId, filter, PAGE, after);
    for (const id of items) isDone = (await each.one(reservationItem('OVERSTAY', to, id), () => post(id))) && isDone;
    if (!next) return isDone;
    after = next;
  }
}
