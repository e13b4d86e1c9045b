import t from 'tap';

import type { AllMembers } from '../../../../src/kernel/rules/members.ts';
import type { Payment } from '../../../../src/money/rules/payment.ts';
import type { Room } from '../../../../src/properties/rules/property.ts';
import { compAnswer } from '../../../../src/stay/contracts/comp.ts';
import { deskTaskAnswer } from '../../../../src/stay/contracts/desk-tasks.ts';
import * as stay from '../../../../src/stay/contracts/stay-answers.ts';
import * as documents from '../../../../src/stay/contracts/stay-documents.ts';
import { upgradeAnswer } from '../../../../src/stay/contracts/upgrade.ts';
import type { StatusChange } from '../../../../src/stay/ports.ts';
import type {
  Cancellation,
  CheckInRecord,
  CheckOutRecord,
  Reservation,
} from '../../../../src/stay/rules/reservation.ts';
import { amountNo, dayNo, momentNo, sentMembers, wired } from '../../../../src/testing/members.ts';
import { charge, id, property, reservation } from '../../../../src/testing/property-world.ts';
import { nightsComped, stayUpgraded } from './agreed-price.ts';
import { checkedIn } from './check-in.ts';
import { checkedOut } from './check-out.ts';
import { cancellationOf, modification } from './reservation.ts';
import * as render from './stay-documents.ts';

const guest = { guestId: id(12), firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' };
const booked = reservation({ id: id(10), guest });
/** What every step says of the stay beside what it is about. */
const STAY = new Set(['reservationId', 'status', 'financial']);

/** What a step answers about itself. */
function ofStep(answer: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !STAY.has(name)));
}

void t.test('every member of a cancellation and of a change is read where it belongs', async (t) => {
  const cancellation: AllMembers<Cancellation> = {
    cancellationId: id(3),
    reason: 'OTHER',
    description: undefined,
    cancelledBy: 'lobby',
    policyName: 'STRICT',
    deadline: momentNo(40),
    penalty: amountNo(40),
    waived: undefined,
    owed: { amount: amountNo(41), paymentId: 'p-40' },
    originalTotal: undefined,
    refundEligible: false,
    refund: amountNo(42),
    refundId: id(4),
    cancelledAt: momentNo(41),
    day: dayNo(40),
    charges: undefined,
    walk: undefined,
  };
  t.strictSame(
    await sentMembers(cancellation, (of) =>
      ofStep(wired(stay.cancellationAnswer, cancellationOf({ ...booked, cancellation: of }))),
    ),
    {
      renamed: {
        'cancellationPolicy.deadlineDate': 'deadline',
        'cancellationPolicy.owedByCard': 'owed.amount',
        'refund.refundAmount': 'refund',
      },
      computed: {
        'cancellationPolicy.penaltyAmount': 20081.81,
        'refund.refundMethod': 'ORIGINAL_PAYMENT_METHOD',
        'refund.processingTime': '3-5 business days',
      },
      dropped: ['reason', 'cancelledBy', 'penalty', 'owed.paymentId', 'day'],
    },
  );
  const change = {
    modificationId: id(7),
    changes: { adults: { from: 1, to: 2 }, totalAmount: { from: amountNo(1), to: amountNo(2) } },
    additional: amountNo(3),
    dueDate: momentNo(1),
    refund: amountNo(4),
    modifiedAt: momentNo(2),
  };
  t.strictSame(
    await sentMembers(change, (of) =>
      ofStep(wired(stay.modificationAnswer, modification({ ...of, reservation: booked }))),
    ),
    {
      renamed: { 'additionalPayment.amount': 'additional', 'refund.refundAmount': 'refund' },
      computed: { 'additionalPayment.paymentRequired': true, 'refund.refundMethod': 'ORIGINAL_PAYMENT_METHOD' },
    },
  );
});

void t.test('every member of a check-in and of a check-out is read where it belongs', async (t) => {
  const checkIn: AllMembers<CheckInRecord> = {
    checkInId: id(6),
    at: momentNo(1),
    keyCards: 3,
    staffMember: 'Bob',
    notes: 'Late',
    guests: undefined,
    nightRate: undefined,
    room: undefined,
  };
  const found = { checkIn, room: { roomNumber: '101', roomType: 'DLX', floor: 7 }, upgraded: false };
  t.strictSame(
    await sentMembers(found, (of) =>
      ofStep(wired(stay.checkInAnswer, checkedIn({ ...of, reservation: booked } as never, property()))),
    ),
    {
      renamed: { roomDetails: 'room', checkInTime: 'checkIn.at' },
      computed: {
        'roomDetails.keyCards.0': '101-1',
        'roomDetails.keyCards.1': '101-2',
        'roomDetails.keyCards.2': '101-3',
        'roomDetails.keyCardExpiry': '2026-06-08T09:00:00.000Z',
        expectedCheckOut: '2026-06-08T09:00:00.000Z',
      },
      dropped: ['checkIn.keyCards', 'checkIn.staffMember', 'checkIn.notes'],
    },
  );
  t.strictSame(
    await sentMembers(checkIn, (of) =>
      ofStep(wired(documents.verificationAnswer, render.verification({ ...booked, checkIn: of }))),
    ),
    {
      renamed: { verifiedAt: 'at', verifiedBy: 'staffMember' },
      computed: { guestId: '00000000-0000-4000-8000-00000000000c', method: 'ID_DOCUMENT' },
      dropped: ['checkInId', 'keyCards', 'notes'],
    },
  );
  const checkOut: AllMembers<CheckOutRecord> = {
    checkOutId: id(8),
    at: momentNo(2),
    roomCondition: 'GOOD',
    keyCardsReturned: 4,
    staffMember: 'Ann',
    forced: undefined,
    loyaltyPoints: 5,
  };
  const night = { day: dayNo(1), rate: amountNo(1), taxes: amountNo(2), fees: amountNo(3) };
  const payment = charge({ paymentId: id(9), amount: amountNo(4), method: 'CASH' });
  const links = { receiptUrl: '/receipt', invoiceUrl: '/invoice', surveyUrl: '/survey' };
  const { paymentId, amount, method } = payment;
  const left = { checkOut, night, payment: { paymentId, amount, method }, refund: { amount: amountNo(5) }, links };
  t.strictSame(
    await sentMembers(left, (of) => {
      const leaving = { ...booked, nights: [of.night], checkOut: of.checkOut as CheckOutRecord };
      const [now, back] = [{ ...payment, ...of.payment }, charge(of.refund)];
      return ofStep(
        wired(
          stay.checkOutAnswer,
          checkedOut({ reservation: leaving, payment: now, refunds: [back], taxes: [] }, of.links),
        ),
      );
    }),
    {
      renamed: {
        'finalBill.roomCharges': 'night.rate',
        'finalBill.additionalCharges': 'night.fees',
        finalBill: 'night',
        'finalBill.taxLines.0.amount': 'night.taxes',
        'finalBill.taxLines.1.amount': 'night.fees',
        'finalBill.balanceDue': 'payment.amount',
        payment: 'links',
        feedback: 'links',
        'feedback.loyaltyPoints': 'checkOut.loyaltyPoints',
        checkOutTime: 'checkOut.at',
      },
      computed: {
        'finalBill.taxLines.0.code': 'TAX',
        'finalBill.taxLines.0.name': 'Taxes',
        'finalBill.taxLines.0.included': false,
        'finalBill.taxLines.1.code': 'FEES',
        'finalBill.taxLines.1.name': 'Fees',
        'finalBill.taxLines.1.included': false,
        'finalBill.totalAmount': 30006.06,
        'refund.method': 'ORIGINAL_PAYMENT_METHOD',
      },
      dropped: ['checkOut.roomCondition', 'checkOut.keyCardsReturned', 'checkOut.staffMember', 'night.day'],
    },
  );
});

void t.test(
  'a check-out says what the account of a company takes over, and of what was paid before nothing',
  async (t) => {
    const at = momentNo(2);
    const checkOut = { checkOutId: id(8), at, roomCondition: 'GOOD', keyCardsReturned: 0, loyaltyPoints: 0 } as const;
    const invoiced = { method: 'INVOICE', createdAt: at } as const;
    const timeline = [{ event: 'CHECKED_OUT', timestamp: at, status: 'CHECKED_OUT', by: 'desk' }] as const;
    const links = { receiptUrl: '', invoiceUrl: '', surveyUrl: '' };
    const answered = (payments: Payment[]) => {
      const left: Reservation = { ...booked, companyId: id(30), checkOut, payments, timeline: [...timeline] };
      return checkedOut({ reservation: left, refunds: [], taxes: [], company: 'Harbor Trading Ltd' }, links).account;
    };
    const before = charge({ ...invoiced, paymentId: id(9), amount: 700, createdAt: at - 1 });
    t.equal(answered([before]), undefined);
    t.match(answered([before, charge({ ...invoiced, paymentId: id(10), amount: 550 })]), {
      name: 'Harbor Trading Ltd',
    });
  },
);

void t.test('every member of an upgrade and of complimentary nights is read where it belongs', async (t) => {
  const night = { day: dayNo(1), rate: amountNo(1) + amountNo(2), taxes: amountNo(3), fees: 0 };
  const upgraded = {
    nights: [{ ...night, surcharge: { rate: amountNo(2), taxes: 0 } }],
    stay: { roomType: 'STE' },
    bookedRoomType: 'STD',
    roomNumber: '101',
    previousRoomType: 'DLX',
    from: dayNo(2),
    additional: amountNo(4),
    dueDate: momentNo(1),
  };
  t.strictSame(
    await sentMembers(upgraded, ({ previousRoomType, from, additional, dueDate, ...of }) => {
      const after = { ...booked, ...of, stay: { ...booked.stay, ...of.stay } };
      return ofStep(
        wired(upgradeAnswer, stayUpgraded({ reservation: after, previousRoomType, from, additional, dueDate })),
      );
    }),
    {
      renamed: {
        'nights.*.date': 'nights.*.day',
        'nights.*.surcharge': 'nights.*.surcharge.rate',
        'additionalPayment.amount': 'additional',
      },
      computed: { 'nights.0.roomRate': 10001.01, 'additionalPayment.paymentRequired': true },
      dropped: ['nights.0.rate'],
    },
  );
  const comped = {
    nights: [{ ...night, comped: { rate: amountNo(5), taxes: amountNo(6), fees: amountNo(7) } }],
    refund: amountNo(8),
    credit: amountNo(9),
  };
  t.strictSame(
    await sentMembers(comped, ({ nights, ...of }) =>
      ofStep(wired(compAnswer, nightsComped({ reservation: { ...booked, nights }, ...of }))),
    ),
    {
      renamed: {
        'nights.*.date': 'nights.*.day',
        'nights.*.roomRate': 'nights.*.rate',
        'nights.*.compedRate': 'nights.*.comped.rate',
        'refund.refundAmount': 'refund',
      },
      computed: { 'refund.refundMethod': 'ORIGINAL_PAYMENT_METHOD' },
      dropped: ['nights.0.comped.taxes', 'nights.0.comped.fees'],
    },
  );
});

void t.test('every member of rooms, of tasks and of a history is read where it belongs', async (t) => {
  const room: AllMembers<Room> = {
    roomNumber: '101',
    roomType: 'DLX',
    floor: 7,
    status: 'OCCUPIED',
    features: ['balcony'],
    accessible: true,
    connectsTo: ['102'],
    notes: 'Loud',
    reservationId: id(8),
    updatedAt: momentNo(1),
  };
  t.strictSame(
    await sentMembers({ propertyId: 'anchor', room, nextArrival: dayNo(1), seq: 17 }, (of) =>
      wired(documents.roomNowAnswer, render.roomNow(of as never)),
    ),
    { dropped: ['room.features.0', 'room.accessible', 'room.connectsTo.0', 'room.notes', 'seq'] },
  );
  const assigned = {
    reservation: {
      id: id(9),
      assignedAt: momentNo(1),
      unmetWishes: [{ kind: 'FEATURE', value: 'bath', reason: 'TAKEN' }],
    },
    room: { roomNumber: '102', roomType: 'STD' },
    upgraded: false,
    previousRoomNumber: '103',
  };
  t.strictSame(
    await sentMembers(assigned, (of) => wired(documents.assignedRoomAnswer, render.assignedRoom(of as never))),
    {
      renamed: { reservationId: 'reservation.id' },
      computed: {
        'unmetWishes.0.text': 'Each room that meets it has another stay or is out of order on one of the nights.',
      },
    },
  );
  const clash = {
    propertyId: 'anchor',
    roomNumber: '101',
    roomType: 'DLX',
    day: dayNo(1),
    reservationIds: [id(1), id(2)],
    reason: 'OVERSTAY' as const,
  };
  t.strictSame(await sentMembers(clash, (of) => wired(documents.conflictAnswer, render.conflict(of))), {
    renamed: { date: 'day' },
  });
  const task = {
    kind: 'CHARGEBACK' as const,
    reservation: {
      id: id(11),
      confirmationNumber: 'ABC',
      stay: { checkIn: dayNo(1), checkOut: dayNo(2), roomType: 'DLX' },
      roomNumber: '101',
    },
    mayArrive: false,
    claim: amountNo(1),
    payment: { amount: amountNo(2), triesLeft: 4 },
  };
  t.strictSame(
    await sentMembers(task, (one) =>
      wired(deskTaskAnswer, render.deskTask({ ...one, reservation: { ...booked, ...one.reservation } } as never)),
    ),
    { renamed: { reservationId: 'reservation.id' }, computed: { guestName: 'Ada Byron' } },
  );
  const changes: StatusChange[] = [
    {
      reservationId: id(1),
      from: 'CHECKED_IN',
      to: 'CHECKED_OUT',
      at: momentNo(1),
      by: 'chief',
      reason: 'Paid',
      notes: 'By card',
    },
  ];
  const timeline = [
    { event: 'Made', timestamp: momentNo(2), status: 'PENDING' as const, notes: 'First', by: 'page' },
    { event: 'Sure', timestamp: momentNo(3), status: 'CONFIRMED' as const, notes: 'Second', by: 'till' },
  ];
  t.strictSame(
    await sentMembers({ timeline, changes }, (one) =>
      ofStep(
        wired(
          documents.reservationHistoryAnswer,
          render.reservationHistory({ ...booked, ...one }, one.changes, new Map([['page', 'Pat']])),
        ),
      ),
    ),
    {
      renamed: {
        items: 'timeline',
        'statusHistory.*.oldStatus': 'changes.*.from',
        'statusHistory.*.newStatus': 'changes.*.to',
        'statusHistory.*.changedAt': 'changes.*.at',
        'statusHistory.*.changedBy': 'changes.*.by',
        statusHistory: 'changes',
      },
      computed: { 'items.0.byName': 'Pat', 'items.1.byName': null },
      dropped: ['changes.0.reservationId'],
    },
  );
});
