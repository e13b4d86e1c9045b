import type { Minor } from '../../src/kernel/rules/money.ts';
import { bodyOf } from '../replay/requests.ts';
import type { Account, Status } from './ledger.ts';
import { finalCharges, type DayEvent, mannerOf, type Purpose, termsOf } from './life.ts';

/** One request below the API of the reservation service. */
export type DayRequest = { method: string; path: string; body: unknown; success: number };

/** Statuses of a booking in which an event is possible; in others it is skipped. */
const POSSIBLE: Record<Exclude<DayEvent['kind'], 'create'>, readonly Status[]> = {
  pay: ['PENDING', 'CONFIRMED', 'CHECKED_IN'],
  amend: ['PENDING', 'CONFIRMED'],
  cancel: ['PENDING', 'CONFIRMED'],
  noShow: ['CONFIRMED'],
  checkIn: ['CONFIRMED'],
  checkOut: ['CHECKED_IN'],
};

/** The request; `undefined` without one, when the booking was rejected or has ended. */
export function requestOf(event: DayEvent, account: Account | undefined, propertyId: string): DayRequest | undefined {
  const root = '/api/v1/reservations';
  const { booking } = event.planned;
  if (event.kind === 'create') {
    return {
      method: 'POST',
      path: root,
      body: bodyOf(event, propertyId, termsOf(booking)),
      success: 201,
    };
  }
  if (!account || !POSSIBLE[event.kind].includes(account.status)) return undefined;
  const own = `${root}/${account.reservationId}`;
  switch (event.kind) {
    case 'amend':
      return { method: 'PUT', path: own, body: bodyOf(event, propertyId), success: 200 };
    case 'cancel': {
      const body = { reason: 'GUEST_REQUEST', cancelledBy: 'guest', refundRequested: event.refundRequested };
      return { method: 'DELETE', path: own, body, success: 200 };
    }
    case 'pay': {
      const body = paymentBody(event.purpose, account);
      return body && { method: 'POST', path: `${own}/payments`, body, success: 201 };
    }
    case 'noShow':
      return { method: 'POST', path: `${own}/no-show`, body: undefined, success: 200 };
    case 'checkIn': {
      const body = { identificationVerified: true, keyCards: 1, staffMember: 'replay' };
      return { method: 'POST', path: `${own}/checkin`, body, success: 200 };
    }
    case 'checkOut': {
      const charges = finalCharges(booking).map(({ description, amount }) => ({ description, amount: amount / 100 }));
      const body = { finalCharges: charges, roomCondition: 'NEEDS_CLEANING', staffMember: 'replay' };
      const path =
        mannerOf(booking) === 'OWED'
          ? `/api/v1/admin/reservations/${account.reservationId}/force-checkout`
          : `${own}/checkout`;
      return { method: 'POST', path, body, success: 200 };
    }
  }
}

/** Amount to pay now; `undefined` when nothing is due. */
export function dueFor(purpose: Purpose, { total, paid }: Account): Minor | undefined {
  const due = (purpose === 'DEPOSIT' ? Math.ceil(total / 2) : total) - paid;
  return due > 0 ? due : undefined;
}

const METHODS: Record<Purpose, string> = { DEPOSIT: 'BANK_TRANSFER', ADDITION: 'CARD_ON_FILE', REST: 'CASH' };

function paymentBody(purpose: Purpose, account: Account): Record<string, unknown> | undefined {
  const due = dueFor(purpose, account);
  if (due === undefined) return undefined;
  // The amount may be left out when everything due is paid.
  return { method: METHODS[purpose], ...(purpose === 'DEPOSIT' && { amount: due / 100 }) };
}
