import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { InvoicedCompany } from '../../../src/money/rules/company.ts';
import {
  type ReservationAction,
  after,
  allows,
  isUnfinished,
  TRANSITIONS,
  usualReason,
  type Why,
} from '../../../src/stay/rules/reservation-states.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';
import { withDocuments } from '../money/issue-documents.ts';
import { putReservation } from '../rooms/room-stays.ts';

/** @throws DomainError INVALID_STATE */
export function checkAction({ status }: Pick<Reservation, 'status'>, action: ReservationAction): void {
  if (allows(status, action)) return;
  throw new DomainError('INVALID_STATE', `A reservation that is ${status} cannot ${TRANSITIONS[action].words}.`);
}

/** Who changes a reservation and why, and the company that an invoice of the change may be issued to. */
type Because = Why & { reason?: string; invoiceTo?: InvoicedCompany };

/**
 * Moves a reservation by an action of the table (docs/reference/reservations.md#states): the only place where a status
 * changes. Stores the reservation, the documents that the change makes due, and the entry of the status history.
 * @param reason for the status history
 * @throws DomainError INVALID_STATE
 */
export function transition(
  draft: Draft,
  before: Reservation,
  action: ReservationAction,
  why: Because,
  changes: Parameters<typeof after>[3] = {},
): Reservation {
  checkAction(before, action);
  const { reason: _reason, invoiceTo: _invoiceTo, ...rest } = why;
  return record(draft, before, after(before, action, rest, changes), why);
}

/** Stores a reservation after its actions. @returns it with the documents that were issued */
export function record(
  draft: Draft,
  before: Reservation,
  changed: Reservation,
  { at, by, reason, notes, invoiceTo }: Because,
): Reservation {
  const next = withDocuments(draft, before, changed, { at, invoiceTo });
  putReservation(draft, next);
  if (next.status === before.status) return next;
  const from = before.status;
  const to = next.status;
  const said = { reason: reason ?? usualReason(from, to), ...(notes !== undefined && { notes }) };
  draft.history.push({ reservationId: next.id, from, to, at, by, ...said });
  draft.unfinished += Number(isUnfinished(next.status)) - Number(isUnfinished(before.status));
  return next;
}
