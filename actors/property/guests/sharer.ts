import { guestKeys } from '../../../src/guests/rules/guest-keys.ts';
import { type Guest, guestAfter, type Sharer } from '../../../src/guests/rules/guest.ts';
import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { windowOfPayment } from '../../../src/money/rules/folio-window.ts';
import { received } from '../../../src/money/rules/folio.ts';
import { costLines } from '../../../src/money/rules/postings.ts';
import { personsOf } from '../../../src/rates/rules/stay.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';

/**
 * Checks the second guest of a room (docs/reference/sharers.md#name-a-sharer).
 * @param pointer to the sharer in the request
 * @throws DomainError VALIDATION_FAILED for the guest who has booked, a room for one, and one who cannot be reached
 */
export function checkSharer(reservation: Reservation, pointer: string): void {
  const { sharer, guest, stay, source } = reservation;
  if (!sharer) return;
  if (personsOf(stay) < 2) throw wrong(pointer, 'ONE_PERSON', 'the room is booked for one person');
  if (isSamePerson(sharer, guest)) throw wrong(pointer, 'SAME_GUEST', 'is the guest who has booked');
  // An erased guest has no address.
  const isNamed = sharer.firstName !== '' || sharer.lastName !== '';
  if (isNamed && sharer.email === '' && source.channel !== 'WALKIN')
    throw wrong(`${pointer}/email`, 'MISSING', 'is required unless source.channel is WALKIN');
}

/** Two guests who are found by one profile; nobody knows it of those without an address. */
function isSamePerson(one: Sharer, other: Guest): boolean {
  if (one.guestId === other.guestId) return true;
  if (one.email === '') return false;
  const [keys, others] = [guestKeys(one), guestKeys(other)];
  return keys.emailKey === others.emailKey && keys.lastNameKey === others.lastNameKey;
}

function wrong(pointer: string, code: string, detail: string): DomainError {
  return new DomainError('VALIDATION_FAILED', 'The sharer cannot be named.', { errors: [{ pointer, code, detail }] });
}

/**
 * The sharer after a change, with what is routed to that guest.
 * @throws DomainError INVALID_STATE for another one, or none, while something is posted or paid in the window SHARER
 */
export function sharerAfter(
  draft: Draft,
  before: Reservation,
  { sharer }: CommandOf<'MODIFY'>,
): Pick<Reservation, 'sharer' | 'routing' | 'paymentWindows'> {
  const { sharer: known } = before;
  if (sharer === undefined || (sharer === null && !known)) return {};
  if (known && sharer?.guestId === known.guestId) {
    const { guestId: _, phone = null, ...contact } = sharer;
    return { sharer: guestAfter(known, { ...contact, phone }) };
  }
  if (known && hasShare(draft, before))
    throw new DomainError(
      'INVALID_STATE',
      'Something is posted or paid in the window SHARER: route it to another window, and refund what is paid.',
    );
  if (sharer) return { sharer };
  const routing = before.routing?.filter(({ window }) => window !== 'SHARER');
  const windows = Object.entries(before.paymentWindows ?? {}).filter(([, window]) => window !== 'SHARER');
  return {
    sharer: undefined,
    routing: routing && routing.length > 0 ? routing : undefined,
    paymentWindows: windows.length > 0 ? Object.fromEntries(windows) : undefined,
  };
}

/** Whether the sharer has a part in what happened so far; nights to come may have another payer. */
function hasShare({ today }: Draft, before: Reservation): boolean {
  const isLeft = costLines(before, today).some(({ window, isPosted, voidedBy, voids }) => {
    return window === 'SHARER' && isPosted && voidedBy === undefined && voids === undefined;
  });
  const payments = before.payments.filter((payment) => windowOfPayment(before, payment) === 'SHARER');
  const isUnderWay = payments.some(({ status }) => status === 'PENDING' || status === 'PROCESSING');
  return isLeft || isUnderWay || received(payments) !== 0;
}
