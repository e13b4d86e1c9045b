import type { Services } from '../../../kernel/operations/services.ts';
import type { PropertyView } from '../../../kernel/property-actors.ts';
import type { Address } from '../../../kernel/rules/caller.ts';
import type { CreateBody } from '../../contracts/reservations.ts';

type Booked = Pick<CreateBody, 'stayDetails' | 'source' | 'groupId' | 'comp' | 'override'>;

/** Channels whose guests saw a quote of this service, or of staff who had one. */
const QUOTED = new Set<string | undefined>(['DIRECT', 'WEBSITE', 'PHONE', undefined]);

/**
 * Counts rooms that a request has booked beside their quotes (docs/concepts/forecast.md#counted-quotes). Rooms that were
 * sold at another price than the quoted one are left out: those of channels, groups, promotions, and complimentary ones.
 * @param view as it was before the booking
 */
export function countBooked(
  { quoteCounts }: Pick<Services, 'quoteCounts'>,
  to: Address,
  view: PropertyView,
  rooms: readonly Booked[],
): void {
  for (const { stayDetails, source, groupId, comp, override } of rooms) {
    if (!QUOTED.has(source.channel) || source.collectedBy === 'CHANNEL') continue;
    const { promoCode, ...stay } = stayDetails;
    if (promoCode === undefined && groupId === undefined && !comp && !override) quoteCounts.booked(to, view, stay);
  }
}
