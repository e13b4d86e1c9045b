import { test } from 'tap';
import { z } from 'zod';

import type { Night } from '../../src/money/rules/night.ts';
import { propertyAnswer } from '../../src/properties/contracts/property-answers.ts';
import type { Tax } from '../../src/properties/rules/tax.ts';
import { calendarDayAnswer, previewAnswer, planAnswer } from '../../src/rates/contracts/rate-answers.ts';
import { groupAnswer, promotionAnswer, restriction } from '../../src/rates/contracts/sales-answers.ts';
import type { Promotion } from '../../src/rates/rules/promotion.ts';
import { metric, nightAuditAnswer, renderMetric, renderNightAudit } from '../../src/revenue/contracts/analytics.ts';
import { cellChangeAnswer } from '../../src/revenue/contracts/availability-answers.ts';
import { optimizationAnswer } from '../../src/revenue/contracts/yield-answers.ts';
import * as stay from '../../src/stay/contracts/stay-answers.ts';
import { roomNowAnswer } from '../../src/stay/contracts/stay-documents.ts';
import type { Reservation } from '../../src/stay/rules/reservation.ts';
import { tenantAnswer, channelMappingAnswer } from '../../src/tenants/contracts/tenants.ts';
import { wired } from '../../src/testing/members.ts';
import { DAY, NOW, plainRoom, plan, property, reservation } from '../../src/testing/property-world.ts';
import { cellChange } from './history/render/history.ts';
import { renderProperty } from './properties/render/property.ts';
import { calendarDay, renderPlan, renderPreview } from './rates/render/rates.ts';
import { renderGroup, renderPromotion, restrictionItem } from './rates/render/sales.ts';
import { renderOptimization } from './revenue/render/yield.ts';
import * as render from './stay/render/reservation.ts';
import { roomNow } from './stay/render/stay-documents.ts';
import { mappingAnswer, renderTenant } from './tenants/render/tenant.ts';

const MANAGER = { role: 'MANAGER' } as const;
const DATE = '2026-06-01';
const MOMENT = '2026-06-01T10:00:00.000Z';
const TIMES = { createdAt: NOW, updatedAt: NOW };

const NIGHT: Night = { day: DAY, rate: 10_000, taxes: 700, fees: 250 };
const BOOKED: Reservation = reservation({
  nights: [NIGHT],
  paid: 2_500,
  payments: [
    {
      paymentId: 'p',
      type: 'CHARGE',
      amount: 2_500,
      method: 'CASH',
      status: 'COMPLETED',
      processedAt: NOW,
      createdAt: NOW,
    },
  ],
  timeline: [{ event: 'CREATED', timestamp: NOW, status: 'CONFIRMED', by: 'u' }],
});

void test('a reservation goes out with its amounts as decimals, its days and moments as texts', async (t) => {
  const whole = wired(stay.reservationAnswer, render.wholeReservation(BOOKED, property(), MANAGER, 'NONE'));
  t.match(whole, {
    stayDetails: { checkIn: '2026-06-06' },
    financial: { totalAmount: 109.5, baseAmount: 100, taxes: 7, fees: 2.5, paidAmount: 25, balanceDue: 84.5 },
    timeline: [{ timestamp: MOMENT }],
    createdAt: MOMENT,
  });
  t.match((whole['financial'] as { breakdown: unknown }).breakdown, [{ date: DATE, roomRate: 100, taxes: 7 }]);
  t.match((whole['financial'] as { paymentDetails: unknown }).paymentDetails, [{ amount: 25, processedAt: MOMENT }]);
  const text = JSON.stringify(z.encode(stay.createdAnswer, render.createdReservation(BOOKED)));
  t.match(text, '"totalAmount":109.50,', 'with two places');
});

void test('what a change, a refund and a cancel cost goes out as decimals', async (t) => {
  const changes = {
    totalAmount: { from: 10_000, to: 10_950 },
    adults: { from: 1, to: 2 },
    roomType: { from: 'STD', to: 'DLX' },
  };
  const changed = render.modification({
    reservation: BOOKED,
    modificationId: 'm',
    changes,
    additional: 950,
    dueDate: NOW,
    refund: 0,
    modifiedAt: NOW,
  });
  t.match(wired(stay.modificationAnswer, changed), {
    changes: { totalAmount: { from: 100, to: 109.5 }, adults: { from: 1, to: 2 } },
    additionalPayment: { amount: 9.5, dueDate: MOMENT },
  });
  const cancellation = {
    cancellationId: 'c',
    reason: 'OTHER' as const,
    cancelledBy: 'u',
    policyName: 'STANDARD',
    deadline: NOW,
    penalty: 1_050,
    refundEligible: true,
    refund: 1_450,
    refundId: 'r',
    cancelledAt: NOW,
    day: DAY,
  };
  const cancelled = { ...BOOKED, status: 'CANCELLED' as const, cancellation };
  t.match(wired(stay.cancellationAnswer, render.cancellationOf(cancelled)), {
    cancellationPolicy: { penaltyAmount: 10.5, deadlineDate: MOMENT },
    refund: { refundAmount: 14.5 },
  });
  const given = { reservation: BOOKED, refunds: BOOKED.payments, credit: 250 };
  t.match(wired(stay.refundAnswer, render.refundGiven(given, { amount: 2_500, reason: 'x', goodwill: false })), {
    amount: 25,
    credit: 2.5,
  });
});

void test('prices, promotions and groups go out as decimals, percents as they are', async (t) => {
  const known = plan({ baseRate: 10_050, minRate: 9_000, validFrom: DAY, dayOfWeekRates: { monday: 9_950 } });
  t.match(wired(planAnswer, renderPlan({ property: property(), plan: known })), {
    baseRate: 100.5,
    minRate: 90,
    maxRate: null,
    minRatePercent: 60,
    validFrom: DATE,
    rules: { dayOfWeekRates: { monday: 99.5 } },
    guarantee: 'PREPAY',
    depositSchedule: [{ percent: 100, due: { at: 'BOOKING' } }],
    terms: { cancellation: { freeUntilHours: 48, penalty: { kind: 'NIGHTS', value: 1 } }, change: 'FREE' },
    inherits: ['guarantee', 'terms'],
  });
  const sold: Promotion = {
    id: 'p',
    name: 'Off',
    promoCode: 'OFF',
    discount: { type: 'FIXED_AMOUNT', value: 2_500 },
    validity: { start: DAY, end: DAY + 1 },
    conditions: { blackoutDates: [DAY] },
    inventory: {},
    used: 0,
    paused: false,
    days: {},
    createdAt: NOW,
  } as never;
  t.match(wired(promotionAnswer, renderPromotion(sold, DAY)), {
    discount: { value: 25 },
    conditions: { blackoutDates: [DATE] },
    validity: { startDate: DATE },
  });
  const percent: Promotion = { ...sold, discount: { type: 'PERCENTAGE', value: 25 } };
  t.match(wired(promotionAnswer, renderPromotion(percent, DAY)), { discount: { value: 25 } });
  const block = { roomType: 'STD', day: DAY, rooms: 2, rate: 8_000, pickedUp: 1 };
  const group = { groupId: 'g', name: 'Wedding', cutoff: DAY, released: false, blocks: { a: block }, createdAt: NOW };
  t.match(wired(groupAnswer, renderGroup(group as never, MANAGER)), {
    cutoffDate: DATE,
    blocks: [{ rate: 80, date: DATE, remaining: 1 }],
  });
  const preview = {
    id: 'x',
    kind: 'RATE_CHANGE' as const,
    items: [{ roomType: 'STD', day: DAY, from: null, to: 9_950 }],
    forecast: { revenueBefore: 100_000, revenueAfter: 110_050 },
    seq: 1,
  };
  t.match(wired(previewAnswer, renderPreview(preview, MANAGER)), {
    items: [{ date: DATE, from: null, to: 99.5 }],
    forecast: { revenueBefore: 1_000, revenueAfter: 1_100.5 },
  });
});

void test('recommendations, figures of a night audit and the history of a cell go out as decimals', async (t) => {
  const plan = {
    projectedRevenue: 100_050,
    currentRevenue: 90_000,
    revenueIncrease: 11.17,
    averageRateChange: 1,
    occupancyImpact: 2,
    recommendations: [
      { day: DAY, roomType: 'STD', current: 10_000, optimized: 10_050, confidence: 0.5, expectedImpact: '+' },
    ],
  };
  const optimization = { id: 'o', propertyId: 'anchor', status: 'COMPLETED', progress: 100, plan, createdAt: NOW };
  t.match(wired(optimizationAnswer, renderOptimization(optimization as never)), {
    results: { projectedRevenue: 1_000.5, revenueIncrease: 11.17 },
    recommendations: [{ date: DATE, currentRate: 100, optimizedRate: 100.5, confidence: 0.5 }],
  });
  const one = { type: 'ADR' as const, date: DAY, value: 10_050 };
  t.match(wired(metric, renderMetric('anchor', one)), { metricValue: 100.5, date: DATE });
  const cell = { roomType: 'STD', day: DAY, total: 5, booked: 1, held: 0, blocked: 0, available: 4, rate: 10_000 };
  const change = {
    seq: 2,
    at: NOW,
    type: 'BOOK',
    entity: 'r',
    subject: 'u',
    before: cell,
    after: { ...cell, booked: 2, rate: 10_050 },
  };
  t.match(wired(cellChangeAnswer, cellChange(change as never, new Map())), {
    rate: 100.5,
    changes: { bookedRooms: { from: 1, to: 2 }, rate: { from: 100, to: 100.5 } },
  });
});

void test('fees of a property, a tenant and limits of a channel go out as decimals', async (t) => {
  const fees = { feePerNight: 250, feePerPersonNight: 125 };
  const shown = wired(propertyAnswer, renderProperty(property({ policies: fees }), 3));
  t.match(shown, {
    metadata: { policies: { feePerNight: 2.5, feePerPersonNight: 1.25, depositPercent: 100 } },
    createdAt: /Z$/,
  });
  t.notOk('ownPolicies' in (shown['metadata'] as object), 'what is kept for ourselves stays here');
  const tenant = {
    tenantId: 'acme',
    name: 'A',
    type: 'CHAIN',
    status: 'ACTIVE',
    config: { policies: { feePerNight: 250 } },
    subscription: {},
    ...TIMES,
  };
  t.match(wired(tenantAnswer, renderTenant(tenant as never)), {
    config: { policies: { feePerNight: 2.5 } },
    effectiveConfig: { policies: { feePerNight: 2.5, feePerPersonNight: 0 } },
  });
  const mapping = {
    id: 'm',
    propertyId: 'anchor',
    roomType: 'STD',
    channelName: 'X',
    channelCode: 'EXT',
    externalRoomId: '1',
    mappingConfig: { minRate: 5_000, commission: 15 },
    ...TIMES,
  };
  t.match(wired(channelMappingAnswer, mappingAnswer(mapping)), {
    mappingId: 'm',
    mappingConfig: { minRate: 50, commission: 15 },
  });
});

void test('taxes go out by their kind, in percent or as decimals, with those of the policies', async (t) => {
  const tax: Tax = {
    code: 'CITY',
    name: 'City',
    kind: 'PER_STAY',
    value: 250,
    included: false,
    on: 'ROOM',
    from: 20_000,
  };
  const vat: Tax = { ...tax, code: 'VAT', kind: 'PERCENT', value: 7.25, from: undefined };
  const shown = wired(propertyAnswer, renderProperty(property({ policies: { taxes: [tax, vat] } }), 3));
  const own = [{ value: 2.5, from: '2024-10-04' }, { value: 7.25 }];
  t.match(shown, {
    metadata: { policies: { taxes: own } },
    effectiveTaxes: [{ code: 'TAX', value: 10 }, { code: 'FEES', value: 2 }, ...own],
  });
});

void test('what is null goes out as null', async (t) => {
  const never = { name: 'HALF', freeHours: null, penalty: { percent: 50 } };
  const shown = wired(propertyAnswer, renderProperty(property({ policies: { cancellationPolicies: [never] } }), 3));
  t.match(shown, {
    metadata: { policies: { cancellationPolicies: [{ freeCancellationHours: null, penaltyPercent: 50 }] } },
  });
  const sums = {
    roomsSold: 1,
    roomsAvailable: 2,
    occupancyRate: 50,
    pickup: 0,
    roomRevenue: 10_000,
    adr: null,
    revPar: 5_000,
  };
  const audit = {
    date: DAY,
    currency: 'EUR',
    house: sums,
    roomTypes: [{ ...sums, roomType: 'STD' }],
    reservations: { arrivals: 0, departures: 0, noShows: 0, booked: 0, cancelled: 0, cancellationRate: 0 },
    revenue: { rooms: 10_000, additionalCharges: 0, taxes: 0, total: 10_000 },
    money: { payments: [{ method: null, count: 1, amount: 2_500 }], paid: 2_500, refunds: { count: 0, amount: 0 } },
    pickup: { byNight: [], byArrival: [] },
  };
  t.match(wired(nightAuditAnswer, renderNightAudit(audit as never)), {
    adr: null,
    roomRevenue: 100,
    payments: { total: 25, methods: [{ method: null, count: 1, amount: 25 }] },
  });
  const known = wired(stay.reservationAnswer, render.wholeReservation(BOOKED, property(), MANAGER, 'NONE'));
  t.notOk('preferences' in (known['guestInfo'] as object), 'and what a guest has not said is not there');
});

/** Names of the members that are null. */
function nullsOf(answer: object): string[] {
  return Object.entries(answer).flatMap(([name, member]: [string, unknown]) => {
    if (member === null) return [name];
    return typeof member === 'object' ? nullsOf(member).map((inside) => `${name}.${inside}`) : [];
  });
}

void test('what is not there goes out as null where the members are always there', async (t) => {
  const bare = reservation();
  t.strictSame(nullsOf(wired(stay.reservationAnswer, render.wholeReservation(bare, property(), MANAGER, 'NONE'))), [
    'guestInfo.phone',
    'stayDetails.assignedAt',
    'sharer',
    'promoCode',
    'groupId',
    'bookingId',
    'depositSchedule.0.dueDate',
    'releaseHour',
    'companyId',
    'propertyInfo.address',
    'propertyInfo.contact',
    'paymentDetails',
    'cancellation',
  ]);
  const [payment] = BOOKED.payments;
  t.strictSame(nullsOf(wired(stay.payment, render.paymentOf({ ...payment!, processedAt: undefined }))), [
    'processedAt',
  ]);
  const room = { propertyId: 'anchor', room: plainRoom('101'), seq: 1 };
  t.strictSame(nullsOf(wired(roomNowAnswer, roomNow(room))), []);
  t.strictSame(nullsOf(wired(planAnswer, renderPlan({ property: property(), plan: plan() }))), [
    'releaseHour',
    'companyId',
    'baseRate',
    'validFrom',
    'validTo',
    'roomTypes',
    'occupancyPricing',
    'parentCode',
    'minRate',
    'maxRate',
    'rules.occupancyRules.singleRate',
    'rules.occupancyRules.doubleRate',
    'rules.occupancyRules.extraPersonRate',
  ]);
  t.strictSame(nullsOf(wired(calendarDayAnswer, calendarDay({ day: DAY, rate: null }))), [
    'rate',
    'roomType',
    'rateCode',
    'restrictions',
    'stay',
  ]);
  const night = { rateCode: 'BAR', roomType: 'STD', day: DAY, restriction: {} };
  t.strictSame(nullsOf(wired(restriction, restrictionItem(night))), [
    'minStayArrival',
    'maxStayArrival',
    'minStayThrough',
    'maxStayThrough',
    'minAdvance',
    'maxAdvance',
  ]);
  const group = { groupId: 'g', name: 'Wedding', cutoff: DAY, released: false, blocks: {}, createdAt: NOW };
  t.strictSame(nullsOf(wired(groupAnswer, renderGroup(group, MANAGER))), [
    'guarantee',
    'depositSchedule',
    'releaseHour',
    'companyId',
    'terms',
    'contact',
  ]);
});
