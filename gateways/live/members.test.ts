import t from 'tap';

import type { PastRoom } from '../../src/history/rules/past-grid.ts';
import { type Booking, bookingFact, type JournalEntry } from '../../src/kernel/rules/journal.ts';
import type { AllMembers } from '../../src/kernel/rules/members.ts';
import type { MarketNight } from '../../src/rates/rules/competitor-rate.ts';
import type { OtbEntry } from '../../src/stay/rules/otb-entry.ts';
import { BOOKING, CELL } from '../../src/testing/filled-in.ts';
import { amountNo, dayNo, momentNo, sentMembers } from '../../src/testing/members.ts';
import { feedOf } from './feed.ts';
import { cellText, kpiTexts, marketText, roomText } from './texts.ts';

void t.test('every member of a booking is read in the feed where it belongs', async (t) => {
  const booking: AllMembers<Booking> = { ...BOOKING, event: 'CREATED', status: 'PENDING' };
  const entry = { at: momentNo(2), guestName: 'Ada Byron' };
  t.strictSame(
    await sentMembers({ booking, ...entry }, ({ booking: one, ...row }) => {
      const [entity, facts] = [one.reservationId, { bookings: [bookingFact(one, '')] }];
      return JSON.parse(feedOf({ ...row, entity, facts } as JournalEntry)[0]!.texts.manager);
    }),
    {
      renamed: { type: 'booking.event', totalAmount: 'booking.total' },
      computed: { nights: 3 },
      dropped: ['booking.guestId', 'booking.guests', 'booking.paid', 'booking.channel'],
    },
  );
});

void t.test('what an import brings is no booking of a guest', async (t) => {
  const booking: Booking = { ...BOOKING, event: 'CREATED', status: 'CONFIRMED' };
  const facts = { bookings: [bookingFact(booking, '')] };
  const typeAfter = (type: string): string =>
    JSON.parse(feedOf({ type, at: momentNo(1), entity: '', facts } as unknown as JournalEntry)[0]!.texts.viewer).type;
  t.equal(typeAfter('CONFIRM_BOOKING'), 'CREATED');
  t.equal(typeAfter('IMPORT_RESERVATIONS'), 'IMPORTED');
});

void t.test('every member of a cell, of its market, of a night and of a room is read where it belongs', async (t) => {
  t.strictSame(
    await sentMembers({ cell: CELL, currency: 'EUR' }, (of) => JSON.parse(cellText(of.cell, of.currency))),
    {
      renamed: {
        date: 'cell.day',
        totalRooms: 'cell.total',
        bookedRooms: 'cell.booked',
        heldRooms: 'cell.held',
        blockedRooms: 'cell.blocked',
        availableRooms: 'cell.available',
      },
    },
  );
  const market: AllMembers<MarketNight> = {
    roomType: 'DLX',
    day: dayNo(1),
    median: amountNo(2),
    low: amountNo(3),
    high: amountNo(4),
    count: 5,
    observedAt: momentNo(1),
  };
  t.strictSame(await sentMembers(market, (of) => JSON.parse(marketText(of).text)), { renamed: { date: 'day' } });
  const book: AllMembers<OtbEntry> = { day: dayNo(1), revenue: amountNo(16), pickup: 3, cancelled: 4 };
  t.strictSame(
    await sentMembers({ rooms: { total: 16, booked: 8 }, book }, (of) =>
      JSON.parse(kpiTexts(of.rooms, of.book).manager),
    ),
    {
      renamed: {
        date: 'book.day',
        roomsSold: 'rooms.booked',
        roomsAvailable: 'rooms.total',
        pickupToday: 'book.pickup',
        cancellationsToday: 'book.cancelled',
      },
      computed: { occupancyRate: 50, adr: 1252.02, revPar: 626.01 },
      dropped: ['book.revenue'],
    },
  );
  const room: AllMembers<PastRoom> = {
    roomNumber: '101',
    roomType: 'DLX',
    status: 'OCCUPIED',
    reservationId: 'r-1',
  };
  t.strictSame(await sentMembers(room, (of) => JSON.parse(roomText(of as PastRoom))), {});
});
