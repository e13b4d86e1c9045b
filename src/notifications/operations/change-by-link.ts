import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { folioTotals } from '../../money/rules/folio.ts';
import { cancelReservation } from '../../stay/operations/cancel-reservation.ts';
import { modifyReservation } from '../../stay/operations/modify-reservation.ts';
import { afterTwin } from '../../stay/operations/online/online-booking.ts';
import type { Cancellation } from '../../stay/rules/reservation.ts';
import type { CancelForm, DatesForm } from '../contracts/stay-forms.ts';
import { refusalOf, type StayDeed } from '../rules/stay-by-link.ts';
import { changed, type LinkedStay, once } from './stay-link.ts';

/** Who has changed or cancelled a stay, in its history. */
const BY_GUEST = 'guest';

type Dates = { checkIn: Day; checkOut: Day; roomType?: string };

/** What other dates come to, before they are taken. */
export type DatesPreview = Pick<CommandResults['MODIFY'], 'reservation' | 'refund'> & {
  before: Minor;
  total: Minor;
};

/**
 * What a change of dates would come to, by the rules for guests (docs/reference/reservations.md#change): nothing is
 * stored.
 * @throws DomainError those of `modifyReservation`, with alternatives where it has some; INVALID_STATE where the page
 * offers no change
 */
export async function previewDates(
  services: Services,
  caller: Caller,
  linked: LinkedStay,
  dates: Dates,
): Promise<DatesPreview> {
  mustBeOffered('DATES', linked);
  const { result } = await modify(services, caller, linked, dates, { dryRun: true });
  const before = folioTotals(linked.reservation).total;
  return { ...result, before, total: folioTotals(result.reservation).total };
}

/**
 * Changes the dates of a stay as the page has shown it: it costs no more, and a form that is sent again changes nothing
 * again. @throws DomainError those of `previewDates`; STALE_VERSION
 */
export async function changeDates(
  services: Services,
  caller: Caller,
  linked: LinkedStay,
  { state, form, total, ...dates }: DatesForm,
): Promise<void> {
  const { checkIn, checkOut, roomType = '' } = dates;
  const content = [checkIn, checkOut, roomType, total];
  const { isRepeat, ...options } = await once(services, caller, linked, { what: ['dates', form], state, content });
  if (!isRepeat) mustBeOffered('DATES', linked);
  await afterTwin(() => modify(services, caller, linked, { ...dates, maxTotal: total }, options));
}

type Changing = Dates & { maxTotal?: Minor };

function modify(
  services: Services,
  caller: Caller,
  { reservation }: LinkedStay,
  stayDetails: Changing,
  options: Parameters<typeof modifyReservation>[4],
) {
  const body = { modifications: { stayDetails, guestInfo: {} }, modifiedBy: BY_GUEST };
  return modifyReservation(services, caller, reservation.id, body, options);
}

/** What a cancel comes to: what is retained, what the card on file is still charged, and what goes back. */
export type CancelPreview = { retained: Minor; charged: Minor; refund: Minor };

/** What a cancel would come to now; nothing is stored. @throws DomainError as `cancelReservation`; INVALID_STATE */
export async function previewCancel(services: Services, caller: Caller, linked: LinkedStay): Promise<CancelPreview> {
  mustBeOffered('CANCEL', linked);
  const { result } = await cancel(services, caller, linked, { dryRun: true });
  return cancelledFor(result.reservation.cancellation!);
}

/** What the end of a stay came to. */
export const cancelledFor = ({ penalty, owed, refund }: Cancellation): CancelPreview => ({
  retained: penalty,
  charged: owed?.amount ?? 0,
  refund,
});

/**
 * Cancels a stay at the cost that the page has shown.
 * @throws DomainError those of `previewCancel`; STALE_VERSION, also where a deadline has passed since
 */
export async function cancelByLink(
  services: Services,
  caller: Caller,
  linked: LinkedStay,
  { state, form, retained, charged, refund }: CancelForm,
): Promise<void> {
  const content = [retained, charged, refund];
  const { isRepeat, ...options } = await once(services, caller, linked, { what: ['cancel', form], state, content });
  if (!isRepeat) {
    const now = await previewCancel(services, caller, linked);
    if (now.retained !== retained || now.charged !== charged || now.refund !== refund) throw changed();
  }
  await afterTwin(() => cancel(services, caller, linked, options));
}

function cancel(
  services: Services,
  caller: Caller,
  { reservation }: LinkedStay,
  options: Parameters<typeof cancelReservation>[4],
) {
  const body = { reason: 'GUEST_REQUEST' as const, cancelledBy: BY_GUEST, refundRequested: true };
  return cancelReservation(services, caller, reservation.id, body, options);
}

/** @throws DomainError LINK_NOT_VALID for a link that only pays; what `refusalOf` says */
export function mustBeOffered(deed: StayDeed, linked: LinkedStay): void {
  if (!linked.isManaging) throw new DomainError('LINK_NOT_VALID', 'This link only pays.');
  const refusal = refusalOf(deed, linked, linked.today);
  if (refusal) throw new DomainError(refusal, 'The guest cannot do this with the stay as it is.');
}
