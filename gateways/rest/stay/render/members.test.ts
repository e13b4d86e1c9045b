import t from 'tap';

import type { AllMembers } from '../../../../src/kernel/rules/members.ts';
import type { Payment } from '../../../../src/money/rules/payment.ts';
import { holdAnswer } from '../../../../src/stay/contracts/hold-answers.ts';
import { inquiryAnswer } from '../../../../src/stay/contracts/inquiries.ts';
import * as stay from '../../../../src/stay/contracts/stay-answers.ts';
import { waitlistAnswer } from '../../../../src/stay/contracts/waitlist.ts';
import type { ListedInquiry, ListedWaiting } from '../../../../src/stay/ports.ts';
import type { ExplicitHold } from '../../../../src/stay/rules/hold.ts';
import type { Reservation } from '../../../../src/stay/rules/reservation.ts';
import { amountNo, dayNo, momentNo, sentMembers, wired } from '../../../../src/testing/members.ts';
import { id, property, reservation } from '../../../../src/testing/property-world.ts';
import { renderHold } from './hold.ts';
import { renderInquiry } from './inquiry.ts';
import { paymentOf, renderListedReservation, wholeReservation } from './reservation.ts';
import { renderWaiting } from './waitlist.ts';

const MANAGER = { tenantId: 'acme', subject: 'u', requestId: 'r', role: 'MANAGER' } as const;

void t.test('every member of a hold is read where it belongs', async (t) => {
  const terms: AllMembers<ExplicitHold['terms']> = {
    adults: 2,
    children: 4,
    childAges: [6, 7, 8, 9],
    dayUse: undefined,
    rooms: 15,
    rateCode: 'FLEX',
    cancellationPolicy: undefined,
    plan: undefined,
    currency: 'EUR',
    rates: [[amountNo(1)]],
    basis: undefined,
    charges: { taxPercent: 0, feePerNight: 0, feePerPersonNight: 0 },
    extended: false,
    subject: 'u-1',
  };
  const hold = {
    id: id(1),
    kind: 'EXPLICIT' as const,
    roomType: 'DLX',
    checkIn: dayNo(1),
    checkOut: dayNo(2),
    rooms: 13,
    expiresAt: momentNo(1),
    createdAt: momentNo(2),
    terms,
  };
  t.strictSame(await sentMembers(hold, (of) => wired(holdAnswer, renderHold(of, 'anchor'))), {
    renamed: {
      holdId: 'id',
      remainingRooms: 'rooms',
      'price.totalRate': 'terms.rates.0.0',
      'price.totalAmount': 'terms.rates.0.0',
      price: 'terms',
    },
    computed: { propertyId: 'anchor', nights: 1, status: 'ACTIVE', 'price.taxes': 0, 'price.fees': 0 },
    dropped: ['kind', 'terms.subject'],
  });
});

void t.test('every member of a request on the waitlist is read where it belongs', async (t) => {
  const entry: AllMembers<ListedWaiting> = {
    waitlistId: id(70),
    propertyId: 'anchor',
    position: 13,
    number: 17,
    status: 'OFFERED',
    stay: {
      roomType: 'DLX',
      rateCode: 'FLEX',
      checkIn: dayNo(70),
      checkOut: dayNo(73),
      dayUse: undefined,
      adults: 2,
      children: 4,
      childAges: [6, 7, 8, 9],
    },
    maxTotal: amountNo(70),
    expiresAt: momentNo(70),
    guest: { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '+351 123' },
    offer: { holdId: id(71), expiresAt: momentNo(71), total: amountNo(71), currency: 'EUR' },
    createdAt: momentNo(72),
    updatedAt: momentNo(73),
  };
  t.strictSame(await sentMembers(entry, (of) => wired(waitlistAnswer, renderWaiting(of as ListedWaiting, MANAGER))), {
    renamed: {
      guestInfo: 'guest',
      stayDetails: 'stay',
      'offer.totalAmount': 'offer.total',
    },
    computed: { 'stayDetails.nights': 3 },
    dropped: ['number'],
  });
});

void t.test('every member of an inquiry is read where it belongs', async (t) => {
  const inquiry: AllMembers<ListedInquiry> = {
    inquiryId: id(80),
    propertyId: 'anchor',
    status: 'BOOKED',
    stay: {
      roomType: 'DLX',
      rateCode: 'FLEX',
      checkIn: dayNo(80),
      checkOut: dayNo(85),
      dayUse: undefined,
      adults: 2,
      children: 3,
      childAges: [6, 7, 8],
    },
    quote: {
      quoteId: id(82),
      expiresAt: momentNo(81),
      nightly: [amountNo(80), amountNo(81)],
      promoCode: 'SPRING',
      charges: { currency: 'EUR', taxPercent: 10, feePerNight: 0, feePerPersonNight: 0 },
    },
    total: amountNo(82),
    expiresAt: momentNo(82),
    guest: { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', phone: '+351 123' },
    notes: 'Calls again',
    reservationId: id(81),
    createdAt: momentNo(83),
    updatedAt: momentNo(84),
  };
  t.strictSame(
    await sentMembers(inquiry, (of) => wired(inquiryAnswer, renderInquiry(of as ListedInquiry, MANAGER))),
    {
      renamed: {
        guestInfo: 'guest',
        stayDetails: 'stay',
        'stayDetails.promoCode': 'quote.promoCode',
        'quote.nightlyRates': 'quote.nightly',
        'quote.totalAmount': 'total',
        quote: 'quote.charges',
      },
      computed: { 'stayDetails.nights': 5 },
      dropped: ['quote.quoteId', 'quote.expiresAt', 'quote.charges.taxPercent'],
    },
  );
});

const payment = (n: number): Payment => ({
  paymentId: `p-${n}`,
  type: 'CHARGE',
  amount: amountNo(n),
  method: 'CASH',
  status: 'COMPLETED',
  transactionId: `tx-${n}`,
  processedAt: momentNo(n),
  createdAt: momentNo(n + 1),
});

void t.test('every member of a payment is read where it belongs', async (t) => {
  const kinds: AllMembers<Pick<Payment, 'chargeId' | 'paidOut' | 'chargeback' | 'regains' | 'tendered' | 'gateway'>> =
    {
      chargeId: 'p-8',
      paidOut: { by: 'desk', reference: 'till 7' },
      chargeback: {
        reason: 'Fraud',
        reference: 'case 9',
        by: 'boss',
        closed: { at: momentNo(30), by: 'chief', reason: 'Lost', writtenOff: amountNo(30) },
      },
      regains: 'p-9',
      tendered: { amount: amountNo(20), currency: 'USD', rate: 0.9, rateDate: dayNo(20), change: amountNo(21) },
      gateway: {
        name: 'bank 10',
        response: { outcome: 'CHARGED', transactionId: 'tx-31', processedAt: momentNo(31) },
      },
    };
  const { chargeId, paidOut, chargeback, regains, tendered, gateway } = kinds;
  const shown = (more: Partial<Payment>) =>
    sentMembers({ ...payment(1), ...more }, (of) => wired(stay.payment, paymentOf(of)));
  t.strictSame(await shown({ tendered }), { dropped: ['transactionId', 'createdAt'] });
  t.strictSame(await shown({ type: 'REFUND', chargeId, paidOut }), {
    renamed: { paidBy: 'paidOut.by' },
    dropped: ['transactionId', 'createdAt', 'chargeId'],
  });
  t.strictSame(await shown({ type: 'REFUND', chargeId, chargeback }), {
    renamed: { chargedBackPaymentId: 'chargeId' },
    computed: { kind: 'CHARGEBACK', closed: true },
    dropped: [
      'transactionId',
      'createdAt',
      'chargeback.reason',
      'chargeback.by',
      'chargeback.closed.at',
      'chargeback.closed.by',
      'chargeback.closed.reason',
      'chargeback.closed.writtenOff',
    ],
  });
  t.strictSame(await shown({ regains }), {
    renamed: { chargedBackPaymentId: 'regains' },
    computed: { kind: 'CHARGEBACK_WON' },
    dropped: ['transactionId', 'createdAt'],
  });
  t.strictSame(await shown({ gateway }), {
    renamed: { gatewayName: 'gateway.name' },
    dropped: [
      'transactionId',
      'createdAt',
      'gateway.response.outcome',
      'gateway.response.transactionId',
      'gateway.response.processedAt',
    ],
  });
});

const address = {
  name: 'Augusta',
  addressLine1: 'Park',
  city: 'Horsley',
  state: 'Surrey',
  zipCode: 'KT',
  country: 'GB',
};
const booked = {
  ...reservation(),
  id: id(10),
  version: 0,
  confirmationNumber: 'ABC',
  guest: {
    guestId: id(11),
    firstName: 'Ada',
    lastName: 'Byron',
    email: 'ada@example.com',
    phone: '+351 123',
    preferences: { roomType: 'high', floorPreference: 'top', bedType: 'twin', smokingPreference: 'none' },
  },
  stay: {
    roomType: 'DLX',
    rateCode: 'FLEX',
    checkIn: dayNo(1),
    checkOut: dayNo(6),
    adults: 2,
    children: 3,
    childAges: [7, 8, 9],
  },
  nights: [
    {
      day: dayNo(50),
      rate: amountNo(50) + amountNo(58),
      taxes: amountNo(51),
      fees: amountNo(52),
      taxLines: [{ code: 'VAT', amount: amountNo(60) }],
      surcharge: { rate: amountNo(58), taxes: 0 },
      comped: { rate: amountNo(53), taxes: amountNo(54), fees: amountNo(55) },
    },
  ],
  paid: amountNo(56),
  payments: [payment(1), { ...payment(3), type: 'REFUND', method: 'INVOICE', status: 'PENDING' }],
  roomNumber: '101',
  assignedAt: momentNo(50),
  promoCode: 'SUMMER',
  groupId: id(5),
  bookingId: id(60),
  companyId: id(12),
  bookedRoomType: 'STD',
  retained: amountNo(57),
  terms: {
    cancellation: { freeUntilHours: 21, penalty: { kind: 'NIGHTS', value: 22 } },
    earlyDeparture: { kind: 'PERCENT', value: 23 },
    noShow: { kind: 'PERCENT', value: 24 },
    change: 'FEE',
    changeFee: amountNo(59),
  },
  guarantee: { kind: 'NONE', releaseHour: '18:00' },
  comp: { reason: 'The lift', by: 'chef', at: momentNo(51) },
  source: { channel: 'OTA', medium: 'web', campaign: 'spring', externalId: 'X-1', collectedBy: 'CHANNEL' },
  specialRequests: ['A cot', 'A view'],
  companions: [{ firstName: 'Sam', lastName: 'King', age: 61 }],
  sharer: { guestId: id(62), firstName: 'Bo', lastName: 'Diddley', email: 'bo@x', phone: '+352' },
  roomWishes: [{ kind: 'FLOOR', value: 'HIGH', weight: 62, required: true }],
  unmetWishes: [{ kind: 'FEATURE', value: 'bath', reason: 'TAKEN' }],
  billing: { method: 'CREDIT_CARD', address },
  timeline: [
    { event: 'Made', timestamp: momentNo(52), status: 'PENDING', notes: 'First', by: 'page' },
    { event: 'Sure', timestamp: momentNo(53), status: 'CONFIRMED', notes: 'Second', by: 'till' },
  ],
  holdExpiresAt: momentNo(54),
  createdAt: momentNo(55),
  updatedAt: momentNo(56),
} satisfies Reservation;

void t.test('every member of a reservation is read where it belongs', async (t) => {
  t.strictSame(
    await sentMembers(booked, (of) =>
      wired(stay.reservationAnswer, wholeReservation(of, property(), MANAGER, 'GOLD')),
    ),
    {
      renamed: {
        reservationId: 'id',
        guestInfo: 'guest',
        stayDetails: 'stay',
        'financial.baseAmount': 'nights.0.rate',
        financial: 'nights.0',
        'financial.paidAmount': 'paid',
        'financial.paymentDetails': 'payments',
        'financial.breakdown.*.date': 'nights.*.day',
        'financial.breakdown.*.surcharge': 'nights.*.surcharge.rate',
        'financial.breakdown.*.compedRate': 'nights.*.comped.rate',
        'financial.breakdown': 'nights',
        'terms.policyName': 'cancellationPolicy',
        guarantee: 'guarantee.kind',
        'comp.nights.*': 'nights.*.day',
        'comp.compedBy': 'comp.by',
        'comp.compedAt': 'comp.at',
        paymentDetails: 'billing',
        'paymentDetails.billingAddress': 'billing.address',
      },
      computed: {
        'guestInfo.loyaltyMember': true,
        'guestInfo.loyaltyTier': 'GOLD',
        'stayDetails.nights': 5,
        'financial.totalAmount': 40213.11,
        'financial.balanceDue': 30156.55,
        'financial.paymentStatus': 'PARTIALLY_PAID',
        'financial.taxLines.0.included': false,
        'financial.breakdown.0.roomRate': 10050.5,
        'financial.breakdown.0.taxLines.0.included': false,
        depositSchedule: null,
        'propertyInfo.propertyName': 'The Anchor',
        'propertyInfo.address': null,
        'propertyInfo.contact': null,
        cancellation: null,
        'unmetWishes.0.text': 'Each room that meets it has another stay or is out of order on one of the nights.',
      },
      dropped: [
        'nights.0.comped.taxes',
        'nights.0.comped.fees',
        'payments.0.transactionId',
        'payments.0.createdAt',
        'payments.1.transactionId',
        'payments.1.createdAt',
        'timeline.0.by',
        'timeline.1.by',
      ],
    },
  );
  const { timeline } = booked;
  const listed = await sentMembers({ timeline }, (of) => {
    const answer = renderListedReservation({ ...booked, ...of }, MANAGER, 'GOLD');
    const { timeline: last, timelineCount } = wired(stay.reservationInList, answer);
    return { timeline: last, timelineCount };
  });
  t.strictSame(listed, {
    renamed: { 'timeline.0': 'timeline.1' },
    computed: { timelineCount: 2 },
    dropped: [
      'timeline.0.event',
      'timeline.0.timestamp',
      'timeline.0.status',
      'timeline.0.notes',
      'timeline.0.by',
      'timeline.1.by',
    ],
  });
});
