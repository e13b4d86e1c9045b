import t from 'tap';

import { type BookingEvent, bookingFact, type CellState } from '../../kernel/rules/journal.ts';
import type { AllMembers } from '../../kernel/rules/members.ts';
import type { BookingDetails } from '../../stay/rules/booking-details.ts';
import { BOOKING } from '../../testing/filled-in.ts';
import { amountNo, dayNo, momentNo, sentMembers } from '../../testing/members.ts';
import { type EventRow, recordsOf } from './event-records.ts';

const details: AllMembers<BookingDetails> = {
  currency: 'EUR',
  changes: [['totalAmount', amountNo(3), amountNo(4)]],
  modificationId: 'm-1',
  amounts: [amountNo(5), amountNo(6)],
  cancellationId: 'c-1',
  reason: 'NO_PAYMENT',
  refund: amountNo(7),
  roomNumber: '101',
  at: momentNo(2),
  expectedCheckOut: momentNo(3),
  finalAmount: amountNo(8),
  loyaltyPoints: 9,
  override: undefined,
  documents: undefined,
};
const of = { tenantId: 'acme', propertyId: 'anchor', generation: 11 };
const written = { seq: 12, at: momentNo(4), requestId: 'req-1' };

/** What consumers read of the only event of a row. */
function published(facts: EventRow['facts'], row: typeof written, type: EventRow['type'] = 'BOOK'): unknown {
  const [record] = recordsOf(of, [{ ...row, type, entity: 'e-1', facts }], () => 'event-1');
  const { eventId: _id, eventType: _type, timestamp: _at, version: _version, ...fields } = record!.value;
  return fields;
}

/** Which members of a booking, its details and its row an event has, under which names. */
async function ofBooking(event: BookingEvent): Promise<unknown> {
  const { dropped: _others, ...members } = await sentMembers(
    { booking: BOOKING, details, row: written, of },
    (from) =>
      published(
        { bookings: [bookingFact({ ...from.booking, event }, 'e-1')], details: [from.details as never] },
        from.row,
      ),
  );
  return members;
}

void t.test('every member of an event of a booking is read where it belongs', async (t) => {
  t.strictSame(await ofBooking('CREATED'), {
    renamed: {
      roomTypeId: 'booking.roomType',
      checkInDate: 'booking.checkIn',
      checkOutDate: 'booking.checkOut',
      totalAmount: 'booking.total',
      numberOfGuests: 'booking.guests',
      source: 'booking',
    },
    computed: { 'source.medium': null, 'source.campaign': null },
  });
  t.strictSame(await ofBooking('MODIFIED'), {
    renamed: {
      'changes.totalAmount.from': 'details.changes.0.1',
      'changes.totalAmount.to': 'details.changes.0.2',
      previousAmount: 'details.amounts.0',
      newAmount: 'details.amounts.1',
      modifiedAt: 'row.at',
    },
  });
  t.strictSame(await ofBooking('CANCELLED'), { renamed: { refundAmount: 'details.refund', cancelledAt: 'row.at' } });
  t.strictSame(await ofBooking('CHECKED_IN'), { renamed: { checkInTime: 'details.at' } });
  t.strictSame(await ofBooking('CHECKED_OUT'), {
    renamed: { checkOutTime: 'details.at', satisfaction: 'details' },
    computed: { 'satisfaction.rating': null, 'satisfaction.comment': null },
  });
});

void t.test('every member of an event of rooms, rates and promotions is read where it belongs', async (t) => {
  const cell: CellState = ['DLX', dayNo(1), 20, 1, 2, 3, 14, amountNo(1)];
  t.strictSame(await sentMembers({ cell, row: written, of }, (from) => published({ cells: [from.cell] }, from.row)), {
    renamed: {
      roomType: 'cell.0',
      date: 'cell.1',
      totalRooms: 'cell.2',
      blockedRooms: 'cell.5',
      bookedRooms: 'cell.3',
      heldRooms: 'cell.4',
      availableRooms: 'cell.6',
    },
    computed: { origin: 'innkeeper' },
    dropped: ['cell.7', 'row.at', 'row.requestId', 'of.generation'],
  });
  t.strictSame(
    await sentMembers({ cell, row: written, of }, (from) => published({ cells: [[...from.cell, 'rate']] }, from.row)),
    {
      renamed: { roomType: 'cell.0', newRate: 'cell.7', effectiveDate: 'cell.1', updatedAt: 'row.at' },
      computed: { rateType: 'BASE' },
      dropped: ['cell.2', 'cell.3', 'cell.4', 'cell.5', 'cell.6', 'row.seq', 'row.requestId', 'of.generation'],
    },
  );
  const promotion = {
    promoCode: 'SUMMER',
    discount: { type: 'FIXED_AMOUNT', value: amountNo(1) },
    validity: { start: dayNo(1), end: dayNo(2) },
  };
  t.strictSame(
    await sentMembers({ id: 'p-1', promotion, of }, (from) =>
      published({ setup: [{ kind: 'promotion', id: from.id, after: from.promotion }] }, written, 'CREATE_PROMOTION'),
    ),
    {
      renamed: {
        promotionId: 'id',
        'validity.startDate': 'promotion.validity.start',
        'validity.endDate': 'promotion.validity.end',
      },
      dropped: ['of.generation'],
    },
  );
});
