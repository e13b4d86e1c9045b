import t from 'tap';

import { definedMembers, type AllMembers } from '../../kernel/rules/members.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { PAYMENTS_TABLE, RESERVATIONS_TABLE } from '../../platform/database/tables/bookings.ts';
import { PROPERTIES_TABLE, ROOM_TYPES_TABLE, ROOMS_TABLE } from '../../platform/database/tables/set-up.ts';
import { type ActorTable, nameOf, typeOf } from '../../platform/database/tables/table.ts';
import type { Property, Room, RoomType } from '../../properties/rules/property.ts';
import { toProperty } from '../../properties/storage/property-row.ts';
import { toRoom, toRoomType } from '../../rooms/storage/room-row.ts';
import type { Cancellation, Reservation } from '../../stay/rules/reservation.ts';
import { toReservation } from '../../stay/storage/reservation-row.ts';
import { amountNo, dayNo, momentNo } from '../../testing/members.ts';
import { id, NOW, property, PROPERTY_ID } from '../../testing/property-world.ts';
import type { Changes, FinalizedBatch } from '../ports.ts';
import { ROW_LISTS, type RowList } from './lists.ts';
import { batchArguments } from './rows.ts';

type Row = Record<string, unknown>;

/** Rows that a commit with these changes writes, as the driver reads them. */
function rowsOf(list: RowList, table: ActorTable, changes: Partial<Changes>): Row[] {
  const every = { get: (given: Row, name: string) => given[name] ?? [] };
  const batch = { to: PROPERTY_ID, at: NOW, entries: [], keys: [], changes: new Proxy(changes, every) };
  const texts = batchArguments([batch as unknown as FinalizedBatch]).slice(2);
  const rows = JSON.parse(texts[ROW_LISTS.indexOf(list)] ?? '[]') as Row[];
  return rows.map((row) => ({ ...readAs(table, row), created_at: new Date(row['createdAt'] as string) }));
}

function readAs(table: ActorTable, row: Row): Row {
  const columns = Object.entries(table.columns).map(([field, column]) => {
    const [value = null, type] = [row[field], typeOf(column)];
    if (value === null) return [nameOf(table, field), null];
    if (type === 'timestamptz(3)') return [nameOf(table, field), new Date(value as string)];
    return [nameOf(table, field), type.startsWith('numeric') ? (value as number).toFixed(2) : value];
  });
  return Object.fromEntries(columns) as Row;
}

const payment = (n: number): AllMembers<Payment> => ({
  paymentId: id(n),
  type: 'REFUND',
  amount: amountNo(n),
  method: 'BANK_TRANSFER',
  status: 'COMPLETED',
  transactionId: `tx-${n}`,
  chargeId: id(n + 1),
  paidOut: { by: `desk ${n}`, reference: `till ${n}` },
  chargeback: { reason: 'Fraud', by: 'boss' },
  regains: id(n + 2),
  isInstalment: true,
  terminal: { reference: `slip ${n}`, cardLast4: '0005' },
  tendered: { amount: amountNo(n + 1), currency: 'USD', rate: 0.9, rateDate: dayNo(n) },
  partOf: id(n + 3),
  gateway: { name: `bank ${n}`, response: { outcome: 'DECLINED', reason: `limit ${n}` } },
  processedAt: momentNo(n),
  createdAt: momentNo(n + 1),
});

const charge = { description: 'Water', amount: amountNo(20), day: dayNo(20) };
const left = {
  checkOutId: id(21),
  at: momentNo(20),
  roomCondition: 'GOOD',
  keyCardsReturned: 1,
  loyaltyPoints: 2,
} as const;
const price = (n: number) => ({ rate: amountNo(n), taxes: amountNo(n + 1), fees: amountNo(n + 2) });
const night = {
  day: dayNo(21),
  ...price(21),
  taxLines: [
    { code: 'VAT', amount: amountNo(24), included: true as const },
    { code: 'CITY', amount: amountNo(25), fee: true as const },
    { code: 'TAX', amount: amountNo(26) },
  ],
  surcharge: { rate: amountNo(27), taxes: amountNo(28), taxLines: [{ code: 'VAT', amount: amountNo(29) }] },
  comped: price(30),
};
const ended: Cancellation = {
  cancellationId: id(22),
  reason: 'OTHER',
  cancelledBy: 'desk',
  policyName: 'STRICT',
  deadline: momentNo(21),
  penalty: amountNo(40),
  refundEligible: true,
  refund: amountNo(41),
  refundId: id(23),
  cancelledAt: momentNo(22),
  day: dayNo(22),
};

const reservation: AllMembers<Reservation> = {
  id: id(100),
  propertyId: PROPERTY_ID.propertyId,
  confirmationNumber: 'ABC',
  status: 'CHECKED_IN',
  guest: { guestId: id(101), firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '+351' },
  stay: {
    roomType: 'DLX',
    rateCode: 'FLEX',
    checkIn: dayNo(1),
    checkOut: dayNo(2),
    dayUse: true,
    adults: 1,
    children: 2,
    childAges: [3, 4],
  },
  nights: [night],
  basis: { nights: [{ day: dayNo(3), bookedOn: dayNo(4), list: amountNo(50) }] },
  taxedBy: [{ from: dayNo(5) }],
  currency: 'EUR',
  cancellationPolicy: 'STRICT',
  terms: {
    cancellation: { freeUntilHours: 5, penalty: { kind: 'NIGHTS', value: 6 } },
    earlyDeparture: { kind: 'NIGHTS', value: 7 },
    noShow: { kind: 'NIGHTS', value: 8 },
    change: 'FREE',
  },
  guarantee: { kind: 'NONE', releaseHour: '18:00' },
  companyId: id(102),
  retained: amountNo(51),
  deferred: { amount: amountNo(52), until: momentNo(51) },
  paid: amountNo(53),
  payments: [payment(1), payment(5)],
  roomNumber: '101',
  assignedAt: momentNo(52),
  roomFixed: true,
  promoCode: 'SUMMER',
  groupId: id(103),
  bookingId: id(48),
  quoteId: 'quote',
  checkIn: { checkInId: id(104), at: momentNo(53), keyCards: 3 },
  checkOut: left,
  leaving: { paymentId: id(105), record: left, charges: [charge], checkOut: dayNo(6), refundId: id(106) },
  charges: [charge],
  routing: [
    { kind: 'FEE', window: 'CHANNEL' },
    { kind: 'ROOM', window: 'SHARER', percent: 9 },
  ],
  paymentWindows: { [id(1)]: 'COMPANY' },
  givenBack: [{ day: dayNo(7), ...price(60) }],
  posted: { postings: [] } as never,
  bookedRoomType: 'STD',
  comp: { by: 'boss', at: momentNo(54) },
  companions: [{ firstName: 'Sam', lastName: 'King', age: 7 }],
  sharer: {
    guestId: id(49),
    firstName: 'Bo',
    lastName: 'Diddley',
    email: 'bo@example.com',
    phone: '+352',
    former: ['Ellas'],
  },
  roomWishes: [{ kind: 'FLOOR', value: 'HIGH', weight: 3, required: true }],
  unmetWishes: [{ kind: 'BED_TYPE', value: 'KING', reason: 'TAKEN' }],
  source: { channel: 'OTA' },
  specialRequests: ['A cot', 'A view'],
  billing: { method: 'CASH' },
  timeline: [{ event: 'CREATED', timestamp: momentNo(55), status: 'PENDING', by: 'web' }],
  cancellation: ended,
  endsTakenBack: [{ ...ended, nights: [{ day: dayNo(8), ...price(70) }] }],
  unclaimed: undefined,
  documents: undefined,
  holdExpiresAt: momentNo(56),
  version: 9,
  createdAt: momentNo(57),
  updatedAt: momentNo(58),
};

void t.test('a reservation with its payments is read as it was written', async (t) => {
  const payments = reservation.payments.map((one) => ({ reservationId: reservation.id, payment: one }));
  const [row] = rowsOf('reservations', RESERVATIONS_TABLE, { reservations: [reservation] });
  const paid = rowsOf('payments', PAYMENTS_TABLE, { payments, currency: 'EUR' });
  t.strictSame(definedMembers(toReservation(row as never, paid as never)), definedMembers(reservation));
});

void t.test('a property with its room types and rooms is read as it was written', async (t) => {
  const address = { addressLine1: 'Quay', city: 'Kiel', state: 'SH', zipCode: '24103', country: 'DE' };
  const stored: AllMembers<Property> = {
    ...property(),
    propertyCode: 'ANC',
    brand: 'Harbour',
    address,
    contact: { phone: '+49', email: 'anchor@example.com' },
    createdAt: momentNo(1),
    updatedAt: NOW,
  };
  const [found] = rowsOf('properties', PROPERTIES_TABLE, { property: stored });
  t.strictSame(toProperty(found as never), stored);
  const type: AllMembers<RoomType> = {
    roomType: 'DLX',
    name: 'Deluxe',
    maxAdults: 1,
    maxChildren: 2,
    maxGuests: 3,
    totalRooms: 4,
    amenities: ['bath'],
    rollingRates: [amountNo(1)] as never,
  };
  t.strictSame(
    toRoomType(rowsOf('roomTypes', ROOM_TYPES_TABLE, { roomTypes: [type as RoomType] })[0] as never),
    type,
  );
  const room: AllMembers<Room> = {
    roomNumber: '101',
    roomType: 'DLX',
    floor: 7,
    status: 'OCCUPIED',
    features: ['balcony'],
    accessible: true,
    connectsTo: ['102'],
    notes: 'Loud',
    reservationId: id(1),
    updatedAt: momentNo(2),
  };
  t.strictSame(toRoom(rowsOf('rooms', ROOMS_TABLE, { rooms: [room as Room] })[0] as never), room);
});
