import t from 'tap';

import type { Group, GroupTerms } from '../../../../src/groups/rules/group.ts';
import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import type { AllMembers } from '../../../../src/kernel/rules/members.ts';
import * as answers from '../../../../src/rates/contracts/rate-answers.ts';
import * as sales from '../../../../src/rates/contracts/sales-answers.ts';
import type { Promotion } from '../../../../src/rates/rules/promotion.ts';
import type { BaseNight, CalendarDay, QuotedRate } from '../../../../src/rates/rules/queries.ts';
import type { Finding } from '../../../../src/rates/rules/rate-findings.ts';
import { planVersion, type RatePlan } from '../../../../src/rates/rules/rate-plan.ts';
import { RESTRICTION } from '../../../../src/testing/filled-in.ts';
import { amountNo, dayNo, momentNo, sentMembers, wired } from '../../../../src/testing/members.ts';
import { property } from '../../../../src/testing/property-world.ts';
import { quoteText } from './quote.ts';
import { baseNight, calendarDay, findingAnswer, renderPlan, renderPreview } from './rates.ts';
import { createdPromotion, renderGroup, renderPromotion, restrictionItem } from './sales.ts';

const TERMS = {
  cancellation: { freeUntilHours: 36, penalty: { kind: 'NIGHTS', value: 3 } },
  earlyDeparture: { kind: 'PERCENT', value: 42 },
  noShow: { kind: 'PERCENT', value: 43 },
  change: 'FEE',
  changeFee: amountNo(30),
} as const satisfies AllMembers<NonNullable<GroupTerms['terms']>>;
const SCHEDULE = [
  { percent: 61, due: { at: 'BOOKING' as const } },
  { percent: 31, due: { daysBefore: 32 } },
];

void t.test('every member of a quoted rate is read where it belongs', async (t) => {
  const limits = (n: number) => ({ minimumStay: n, maximumStay: n + 1, advanceBooking: n + 2 });
  const line = (n: number, code: string) => ({ code, name: `${code} tax`, amount: amountNo(n), included: false });
  const rate: AllMembers<QuotedRate> = {
    roomType: 'DLX',
    rateCode: 'FLEX',
    promoCode: 'SUMMER',
    currency: 'EUR',
    dailyText: JSON.stringify({ date: formatDay(dayNo(8)), availability: 4 }),
    nightly: [amountNo(9)],
    total: amountNo(1),
    average: amountNo(2),
    taxes: amountNo(3),
    fees: amountNo(4),
    taxLines: [line(5, 'CITY'), line(6, 'VAT')],
    bookable: false,
    basis: { nights: [{ day: dayNo(12), bookedOn: dayNo(10), list: amountNo(8) }] },
    restrictions: limits(11),
    cancellation: { policyName: 'STRICT', deadline: momentNo(1) },
    guarantee: 'CARD',
    steps: [[{ rule: 'base', amount: amountNo(7) }]],
  };
  const query = { propertyId: 'anchor', checkIn: dayNo(1), checkOut: dayNo(2) };
  const unavailable = [{ roomType: 'STE', code: 'NO_AVAILABILITY', date: formatDay(dayNo(9)), detail: 'Sold out' }];
  const quote = { rates: [rate], unavailable, restrictions: limits(21) };
  t.strictSame(
    await sentMembers({ query, quote }, (of) =>
      JSON.parse(quoteText(of.query as never, { seq: 1, quote: of.quote, tokens: ['t'] } as never)),
    ),
    {
      renamed: {
        'rates.*.dailyRates.*.rate': 'quote.rates.*.nightly.*',
        'rates.*.dailyRates.*.steps': 'quote.rates.*.steps.*',
        'rates.*.totalRate': 'quote.rates.*.total',
        'rates.*.averageRate': 'quote.rates.*.average',
        'rates.*.cancellation.deadlineDate': 'quote.rates.*.cancellation.deadline',
      },
      computed: {
        'rates.0.rateType': 'PROMOTIONAL',
        'rates.0.dailyRates.0.date': '2026-06-09',
        'rates.0.dailyRates.0.availability': 4,
        'rates.0.quoteToken': 't',
        'unavailable.0.date': '2026-06-10',
      },
      dropped: [
        'quote.rates.0.dailyText',
        'quote.rates.0.basis.nights.0.day',
        'quote.rates.0.basis.nights.0.bookedOn',
        'quote.rates.0.basis.nights.0.list',
        'quote.unavailable.0.date',
      ],
    },
  );
});

void t.test('every member of a calendar, of restrictions and of base rates is read where it belongs', async (t) => {
  const day: AllMembers<CalendarDay> = {
    day: dayNo(1),
    rate: amountNo(1),
    roomType: 'DLX',
    rateCode: 'FLEX',
    available: 2,
    restrictions: { minimumStay: 3, maximumStay: 4, advanceBooking: 5 },
    closedToArrival: false,
    closedToDeparture: false,
    stay: { checkIn: dayNo(2), checkOut: dayNo(3) },
  };
  t.strictSame(await sentMembers(day, (of) => wired(answers.calendarDayAnswer, calendarDay(of))), {
    renamed: { date: 'day', availability: 'available' },
  });
  const night = { rateCode: 'FLEX', roomType: 'DLX', day: dayNo(1), restriction: RESTRICTION };
  t.strictSame(await sentMembers(night, (of) => wired(sales.restriction, restrictionItem(of))), {
    renamed: { date: 'day' },
  });
  const base: AllMembers<BaseNight> = {
    day: dayNo(1),
    roomType: 'DLX',
    base: amountNo(1),
    multiplier: 125,
    amount: amountNo(2),
    rate: amountNo(3),
  };
  t.strictSame(await sentMembers(base, (of) => wired(answers.setRatesAnswer.shape.items.element, baseNight(of))), {
    renamed: { date: 'day', baseRate: 'base' },
    computed: { 'season.multiplier': 1.25 },
    dropped: ['multiplier'],
  });
  const finding: AllMembers<Finding> = {
    code: 'FAR_FROM_MARKET',
    severity: 'WARNING',
    detail: 'A low rate',
    roomType: 'DLX',
    rateCode: 'FLEX',
    start: dayNo(1),
    end: dayNo(2),
  };
  t.strictSame(await sentMembers(finding, (of) => wired(answers.finding, findingAnswer(of))), {
    renamed: { startDate: 'start', endDate: 'end' },
  });
});

void t.test('every member of a plan and of a preview is read where it belongs', async (t) => {
  const plan: AllMembers<RatePlan> = {
    id: '00000000-0000-4000-8000-000000000001',
    code: 'FLEX',
    name: 'Flexible',
    status: 'DRAFT',
    strategy: 'WEEKEND',
    cancellationPolicy: 'STRICT',
    guarantee: 'PREPAY',
    depositSchedule: SCHEDULE,
    releaseHour: undefined,
    companyId: 'c-1',
    terms: TERMS,
    roomTypes: ['SUITE'],
    parentCode: 'BAR',
    adjustmentPercent: 11,
    adjustmentAmount: amountNo(1),
    baseRate: amountNo(2),
    minRatePercent: 12,
    maxRatePercent: 13,
    minRate: amountNo(3),
    maxRate: amountNo(4),
    minLengthOfStay: 14,
    maxLengthOfStay: 15,
    minAdvanceBooking: 16,
    maxAdvanceBooking: 17,
    occupancyPricing: [
      {
        roomType: 'STD',
        included: 24,
        extraAdult: amountNo(11),
        single: amountNo(12),
        bands: { CHILD: amountNo(13) },
      },
    ],
    occupancyRules: { singleRate: amountNo(5), doubleRate: amountNo(6), extraPersonRate: amountNo(7) },
    dayOfWeekRates: { sunday: amountNo(8), monday: amountNo(9) },
    lengthOfStayRules: [{ minNights: 18, percent: 19 }],
    advanceRules: [{ minDays: 20, maxDays: 21, percent: 22 }],
    strategyRules: { weekendPercent: 23 },
    dayUse: [{ roomType: 'STD', rate: amountNo(10) }],
    validFrom: dayNo(1),
    validTo: dayNo(2),
  };
  t.strictSame(
    await sentMembers(plan, (of) => wired(answers.planAnswer, renderPlan({ property: property(), plan: of }))),
    {
      computed: { propertyId: 'anchor', releaseHour: null, currency: 'EUR', version: planVersion(plan) },
    },
  );
  const preview = {
    id: '00000000-0000-4000-8000-000000000001',
    kind: 'RATE_CHANGE' as const,
    items: [
      { roomType: 'STD', day: dayNo(1), from: amountNo(1), to: amountNo(2) },
      { roomType: 'DLX', day: dayNo(2), from: amountNo(3), to: amountNo(4) },
    ],
    forecast: { revenueBefore: amountNo(5), revenueAfter: amountNo(6) },
    seq: 7,
  };
  t.strictSame(
    await sentMembers(preview, (of) => wired(answers.previewAnswer, renderPreview(of, { role: 'MANAGER' }))),
    {
      renamed: { 'items.*.date': 'items.*.day' },
      dropped: ['seq'],
    },
  );
});

void t.test('every member of a promotion and of a group is read where it belongs', async (t) => {
  const promotion: AllMembers<Promotion> = {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'Summer sale',
    description: 'In the sun',
    promoCode: 'SUMMER',
    discount: { type: 'FIXED_AMOUNT', value: amountNo(1) },
    validity: { start: dayNo(1), end: dayNo(2) },
    stayPeriod: { start: dayNo(3), end: dayNo(4) },
    roomTypes: ['STD', 'DLX'],
    conditions: { advanceBookingDays: 11, minimumStay: 12, blackoutDates: [dayNo(5), dayNo(6)] },
    inventory: { totalRooms: 13, maxPerDay: 14 },
    paused: false,
    used: 3,
    usedOn: {},
    createdAt: momentNo(1),
  };
  t.strictSame(await sentMembers(promotion, (of) => wired(sales.promotionAnswer, renderPromotion(of, dayNo(1)))), {
    renamed: {
      promotionId: 'id',
      promotionName: 'name',
      'validity.startDate': 'validity.start',
      'validity.endDate': 'validity.end',
      'validity.stayPeriod.startDate': 'stayPeriod.start',
      'validity.stayPeriod.endDate': 'stayPeriod.end',
    },
    computed: { status: 'ACTIVE' },
    dropped: ['paused'],
  });
  const { id, promoCode, createdAt } = promotion;
  const created = { promotion: { id, promoCode, createdAt }, estimate: { revenue: amountNo(2), bookings: 21 } };
  t.strictSame(
    await sentMembers(created, (of) =>
      wired(sales.createdPromotionAnswer, createdPromotion(of.promotion as never, of.estimate)),
    ),
    {
      renamed: {
        promotionId: 'promotion.id',
        estimatedRevenue: 'estimate.revenue',
        estimatedBookings: 'estimate.bookings',
      },
      computed: { status: 'ACTIVE' },
    },
  );
  const agreed: AllMembers<GroupTerms> = {
    guarantee: 'PREPAY',
    depositSchedule: SCHEDULE,
    releaseHour: '18:00',
    companyId: '00000000-0000-4000-8000-000000000002',
    terms: TERMS,
  };
  const block = (n: number) => ({
    roomType: `T${n}`,
    day: dayNo(n),
    rooms: 10 * n,
    rate: amountNo(n),
    pickedUp: n,
  });
  const group: AllMembers<Group> = {
    groupId: '00000000-0000-4000-8000-000000000001',
    name: 'Wedding',
    cutoff: dayNo(9),
    released: false,
    agreed,
    shoulderNights: { before: 21, after: 22 },
    contact: { firstName: 'Ada', lastName: 'King', email: 'ada@example.com' },
    blocks: { 0: block(5), 1: block(7) },
    createdAt: momentNo(1),
    deletedAt: undefined,
  };
  const render = (of: unknown) => wired(sales.groupAnswer, renderGroup(of as Group, { role: 'MANAGER' }));
  t.strictSame(await sentMembers(group, render), {
    renamed: { cutoffDate: 'cutoff', 'blocks.*.date': 'blocks.*.day' },
    computed: {
      status: 'ACTIVE',
      'blocks.0.remaining': 45,
      'blocks.1.remaining': 63,
      'totals.rooms': 120,
      'totals.pickedUp': 12,
      'totals.remaining': 108,
      'totals.shoulder': 0,
    },
    dropped: ['released'],
  });
  const shoulder = { ...group, blocks: { 0: { ...block(5), isShoulder: true as const } } };
  t.match(wired(sales.groupAnswer, renderGroup(shoulder, { role: 'VIEWER' })), {
    contact: { firstName: 'Ada', email: 'a***' },
    blocks: [],
    shoulderPickup: [{ roomType: 'T5', pickedUp: 5 }],
    totals: { rooms: 0, remaining: 0, shoulder: 5 },
  });
});
