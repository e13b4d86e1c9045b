import type { Command } from '../../../src/kernel/rules/commands.ts';
import type { Facts, PaymentFact } from '../../../src/kernel/rules/journal.ts';
import { type BookingDetails, bookingDetails, documentsIssued } from '../../../src/stay/rules/booking-details.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Draft } from '../draft.ts';

type Fresh = ReadonlyMap<string, { before: Reservation | undefined; after: Reservation }>;

/**
 * Details that the journal adds to a command's bookings for their events. A reservation that a command changes twice,
 * such as a change of dates followed by a payment, has one entry.
 */
export function detailsOf(
  { property }: Pick<Draft, 'property'>,
  command: Command,
  { facts, entity }: { facts: Facts; entity: string },
  fresh: Fresh,
): Pick<Facts, 'details'> {
  if (!facts.bookings || !property) return {};
  const listed = new Set<string>();
  const details = facts.bookings.map(([event, id]): BookingDetails | null => {
    const reservationId = id ?? entity;
    const change = fresh.get(reservationId);
    // A booking that is being paid is not stored as a reservation yet.
    if (!change && event === 'HELD') return overrideOf(command, reservationId) ?? null;
    if (!change || listed.has(reservationId)) return null;
    listed.add(reservationId);
    const said = bookingDetails(event, change, property);
    const named = command.type === 'MODIFY' && reservationId === command.reservationId;
    const issued = documentsIssued(change.before, change.after);
    const override = overrideOf(command, reservationId);
    if (!said && !override) return null;
    return { ...said, ...(named && { modificationId: command.modificationId }), ...issued, ...override };
  });
  return details.some((one) => one !== null) ? { details } : {};
}

/** Reason of a command for ignoring restrictions. */
function overrideOf(command: Command, id: string): Pick<BookingDetails, 'override'> | undefined {
  const { reservationId, override } =
    command.type === 'BOOK' || command.type === 'START_BOOKING'
      ? command.booking
      : command.type === 'MODIFY'
        ? command
        : {};
  return reservationId === id && override?.sealed !== undefined ? { override: override.sealed } : undefined;
}

/** Commands about payments. Events of bookings, changes and cancellations contain the paid amount by themselves. */
const ABOUT_PAYMENTS = new Set<Command['type']>([
  'CHECK_OUT',
  'START_PAYMENT',
  'END_PAYMENT',
  'TAKE_PAYMENT_RESULT',
  'SETTLE_REFUND',
  'PAY_OUT_REFUND',
  'CHARGE_BACK',
  'WIN_CHARGEBACK',
] as const);

/** Journal facts about the payments that a command added or changed. */
export function paymentsOf(command: Command, fresh: Fresh): Pick<Facts, 'payments'> {
  if (!ABOUT_PAYMENTS.has(command.type)) return {};
  const payments = [...fresh.values()].flatMap(({ before, after }) => {
    const were = new Map(before?.payments.map(({ paymentId, status }) => [paymentId, status]));
    return after.payments
      .filter(({ paymentId, status }) => were.get(paymentId) !== status)
      .map(({ paymentId, type, amount, status }): PaymentFact => {
        return [paymentId, type, amount, were.get(paymentId) ?? null, status];
      });
  });
  return payments.length > 0 ? { payments } : {};
}
