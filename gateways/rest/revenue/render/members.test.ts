import t from 'tap';

import type { CellChange } from '../../../../src/history/rules/journal-fold.ts';
import type { AllMembers } from '../../../../src/kernel/rules/members.ts';
import { nightAuditAnswer, renderNightAudit } from '../../../../src/revenue/contracts/analytics.ts';
import { cellChangeAnswer, pickupAnswer } from '../../../../src/revenue/contracts/availability-answers.ts';
import { revenueReportAnswer, stayReportAnswer } from '../../../../src/revenue/contracts/day-reports.ts';
import { demandModelAnswer } from '../../../../src/revenue/contracts/demand-model.ts';
import { groupQuoteAnswer } from '../../../../src/revenue/contracts/group-quote.ts';
import {
  bookingCurveAnswer,
  competitorRatesAnswer,
  salesMixAnswer,
} from '../../../../src/revenue/contracts/sales-figures.ts';
import {
  analysisAnswer,
  forecastAnswer,
  optimizationAnswer,
} from '../../../../src/revenue/contracts/yield-answers.ts';
import type { ReportedStay, RevenueLine } from '../../../../src/revenue/rules/day-reports.ts';
import type { AuditedMoney, NightAudit, RoomFigures } from '../../../../src/revenue/rules/night-audit.ts';
import type { RateAnalysis } from '../../../../src/revenue/rules/rate-analysis.ts';
import { amountNo, dayNo, momentNo, sentMembers, wired } from '../../../../src/testing/members.ts';
import { id } from '../../../../src/testing/property-world.ts';
import { cellChange, renderPickup } from '../../history/render/history.ts';
import { revenueReport, stayReport } from './day-reports.ts';
import { renderDemandModel } from './demand-model.ts';
import { competitorRates, curveAnswer, mixAnswer } from './sales-figures.ts';
import { renderAnalysis, renderForecast, renderGroupQuote, renderOptimization } from './yield.ts';

const HEAD = {
  propertyId: 'anchor',
  date: dayNo(90),
  businessDate: dayNo(91),
  currency: 'EUR',
  createdAt: momentNo(90),
  seq: 900,
};

void t.test('every member of a list of stays and of a report of revenue is read where it belongs', async (t) => {
  const totals = (n: number) => ({
    stays: n,
    total: amountNo(n + 1),
    paid: amountNo(n + 2),
    balance: amountNo(n + 3),
    penalty: amountNo(n + 4),
  });
  const listed: AllMembers<ReportedStay> = {
    reservationId: id(1),
    confirmationNumber: 'ABC',
    guestName: 'Ada Byron',
    status: 'CANCELLED',
    roomType: 'DLX',
    roomNumber: '101',
    checkIn: dayNo(1),
    checkOut: dayNo(2),
    adults: 2,
    children: 1,
    specialRequests: ['A cot', 'A view'],
    total: amountNo(1),
    paid: amountNo(2),
    balance: amountNo(3),
    penalty: amountNo(4),
    reason: 'GUEST_REQUEST',
    cancelledAt: momentNo(1),
    walkedTo: 'The Crown',
    compensation: amountNo(5),
    currency: 'USD',
  };
  const list = {
    ...HEAD,
    report: 'arrivals' as const,
    totals: totals(10),
    otherCurrencies: [{ currency: 'GBP', ...totals(20) }],
    items: [listed],
  };
  t.strictSame(await sentMembers(list, (of) => wired(stayReportAnswer, stayReport(of, null))), {
    renamed: {
      'totals.totalAmount': 'totals.total',
      'totals.paidAmount': 'totals.paid',
      'totals.balanceDue': 'totals.balance',
      'totals.penaltyAmount': 'totals.penalty',
      'otherCurrencies.*.totals': 'otherCurrencies.*',
      'otherCurrencies.*.totals.totalAmount': 'otherCurrencies.*.total',
      'otherCurrencies.*.totals.paidAmount': 'otherCurrencies.*.paid',
      'otherCurrencies.*.totals.balanceDue': 'otherCurrencies.*.balance',
      'otherCurrencies.*.totals.penaltyAmount': 'otherCurrencies.*.penalty',
      'items.*.totalAmount': 'items.*.total',
      'items.*.paidAmount': 'items.*.paid',
      'items.*.balanceDue': 'items.*.balance',
      'items.*.penaltyAmount': 'items.*.penalty',
    },
    computed: { nextCursor: null },
    dropped: ['seq'],
  });
  const amounts = (n: number) => ({
    net: amountNo(n),
    taxes: amountNo(n + 1),
    gross: amountNo(n + 2),
    taxLines: [{ code: `TAX${n}`, net: amountNo(n + 3), tax: amountNo(n + 4) }],
  });
  const line = (n: number, group: RevenueLine['group']): AllMembers<RevenueLine> => ({
    group,
    roomType: `T${n}`,
    ...amounts(n),
  });
  const others = [{ currency: 'GBP', lines: [line(20, 'FEE')], sum: amounts(30) }];
  t.strictSame(
    await sentMembers({ ...HEAD, totals: amounts(1), items: [line(10, 'ROOM')], otherCurrencies: others }, (of) =>
      wired(revenueReportAnswer, revenueReport(of as never)),
    ),
    {
      renamed: {
        'otherCurrencies.*.totals': 'otherCurrencies.*.sum',
        'otherCurrencies.*.items': 'otherCurrencies.*.lines',
      },
      computed: { report: 'revenue' },
      dropped: ['seq'],
    },
  );
});

void t.test('every member of a night audit is read where it belongs', async (t) => {
  const figures = (n: number): AllMembers<RoomFigures> => ({
    roomsSold: n,
    compRooms: n + 1,
    otherCurrencyRooms: n + 2,
    roomsAvailable: n + 3,
    roomRevenue: amountNo(n),
    occupancyRate: n + 4,
    adr: amountNo(n + 1),
    revPar: amountNo(n + 2),
    pickup: n + 5,
  });
  const audited = (n: number, group: 'ROOM' | 'EXTRA', method: 'CASH' | 'INVOICE'): AllMembers<AuditedMoney> => ({
    revenue: {
      rooms: amountNo(n),
      additionalCharges: amountNo(n + 1),
      penalties: amountNo(n + 2),
      taxes: amountNo(n + 3),
      total: amountNo(n + 4),
    },
    byTax: [{ group, code: `TAX${n}`, net: amountNo(n + 5), tax: amountNo(n + 6) }],
    late: [
      {
        date: dayNo(n),
        nights: n,
        comps: n + 1,
        rooms: amountNo(n + 7),
        extras: amountNo(n + 8),
        penalties: amountNo(n + 9),
        taxes: amountNo(n + 10),
      },
    ],
    money: {
      payments: [{ method, count: n + 2, amount: amountNo(n + 11) }],
      paid: amountNo(n + 12),
      refunds: { count: n + 3, amount: amountNo(n + 13) },
      chargebacks: { count: n + 4, amount: amountNo(n + 14) },
    },
  });
  const audit: AllMembers<NightAudit> = {
    date: dayNo(1),
    currency: 'EUR',
    house: figures(10),
    roomTypes: [{ roomType: 'DLX', ...figures(20) }],
    reservations: { arrivals: 31, departures: 32, noShows: 33, booked: 34, cancelled: 35, cancellationRate: 36 },
    leftOut: [{ reservationId: id(1), reason: 'UNREADABLE' }],
    ...audited(100, 'ROOM', 'CASH'),
    otherCurrencies: [{ currency: 'USD', roomNights: 41, ...audited(200, 'EXTRA', 'INVOICE') }],
    pickup: {
      byNight: [{ day: dayNo(2), rooms: 51 }],
      byArrival: [{ arrival: dayNo(3), booked: 1_057, cancelled: 60 }],
    },
  };
  t.strictSame(await sentMembers(audit, (of) => wired(nightAuditAnswer, renderNightAudit(of as NightAudit))), {
    renamed: {
      revenueByTax: 'byTax',
      corrections: 'late',
      'corrections.*.roomNights': 'late.*.nights',
      'corrections.*.compRooms': 'late.*.comps',
      'corrections.*.additionalCharges': 'late.*.extras',
      'payments.total': 'money.paid',
      'payments.methods': 'money.payments',
      'refunds.total': 'money.refunds.amount',
      'chargebacks.total': 'money.chargebacks.amount',
      'otherCurrencies.*.revenueByTax': 'otherCurrencies.*.byTax',
      'otherCurrencies.*.corrections': 'otherCurrencies.*.late',
      'otherCurrencies.*.corrections.*.roomNights': 'otherCurrencies.*.late.*.nights',
      'otherCurrencies.*.corrections.*.compRooms': 'otherCurrencies.*.late.*.comps',
      'otherCurrencies.*.corrections.*.additionalCharges': 'otherCurrencies.*.late.*.extras',
      'otherCurrencies.*.payments.total': 'otherCurrencies.*.money.paid',
      'otherCurrencies.*.payments.methods': 'otherCurrencies.*.money.payments',
      'otherCurrencies.*.refunds.total': 'otherCurrencies.*.money.refunds.amount',
      'otherCurrencies.*': 'otherCurrencies.*.money',
      'otherCurrencies.*.chargebacks.total': 'otherCurrencies.*.money.chargebacks.amount',
      'pickupByNight.*.date': 'pickup.byNight.*.day',
      pickupByNight: 'pickup.byNight',
      'pickupByArrival.*.date': 'pickup.byArrival.*.arrival',
      pickupByArrival: 'pickup.byArrival',
    },
    computed: {
      'corrections.0.total': 40438.34,
      'otherCurrencies.0.corrections.0.total': 40842.34,
      'pickupByArrival.0.pickup': 997,
    },
  });
});

void t.test('every member of what revenue management reads is read where it belongs', async (t) => {
  const night = {
    night: dayNo(1),
    capacity: 10,
    booked: 2,
    expected: 8,
    low: 7,
    high: 9,
    method: 'pickup',
    confidence: 0.25,
    money: { adr: amountNo(11), revenue: amountNo(12), low: amountNo(13), high: amountNo(14) },
    event: { name: 'Fair', rooms: 3, basis: 'learnt' },
  };
  const answer = { asOf: momentNo(1), currency: 'EUR', model: 'curve', confidence: 0.75, nights: [night] };
  t.strictSame(await sentMembers(answer, (of) => wired(forecastAnswer, renderForecast('anchor', of as never))), {
    renamed: {
      'nights.*.date': 'nights.*.night',
      'nights.*': 'nights.*.money',
      'nights.*.revenueLow': 'nights.*.money.low',
      'nights.*.revenueHigh': 'nights.*.money.high',
      'nights.*.event': 'nights.*.event.name',
      'nights.*.eventRooms': 'nights.*.event.rooms',
      'nights.*.eventBasis': 'nights.*.event.basis',
    },
    computed: { propertyId: 'anchor' },
  });
  const ofBlock = { day: dayNo(2), roomType: 'STD', rooms: 5, available: 12, minimumRate: amountNo(1) };
  const displaced = { displacedRooms: 3.2, displacedRevenue: amountNo(2) };
  const quote = { minimumTotal: amountNo(3), method: 'pickup', bidPrices: 'PROGRAM', confidence: 'MEDIUM' };
  t.strictSame(
    await sentMembers({ asOf: momentNo(2), nights: [{ ...ofBlock, ...displaced }], ...quote }, (of) =>
      wired(groupQuoteAnswer, renderGroupQuote('anchor', of as never)),
    ),
    {
      renamed: {
        'nights.*.date': 'nights.*.day',
        'nights.*.displaced.rooms': 'nights.*.displacedRooms',
        'nights.*.displaced.revenue': 'nights.*.displacedRevenue',
        model: 'method',
      },
      computed: { propertyId: 'anchor' },
    },
  );
  const model = {
    elasticities: [
      {
        fromDays: 1,
        isWeekend: true,
        elasticity: 2,
        low: 3,
        high: 4,
        prior: 5,
        from: 'PROPERTY',
        quotes: 8,
        bookings: 6,
      },
    ],
    lengths: [{ fromDays: 9, shares: [0.25], from: 'CHAIN', bookings: 10 }],
    competitors: { effect: 11, low: 12, high: 13, from: 'PRIOR' },
  };
  t.strictSame(
    await sentMembers({ asOf: momentNo(1), model }, (of) =>
      wired(demandModelAnswer, renderDemandModel('anchor', of as never)),
    ),
    {
      renamed: { lengthsOfStay: 'model.lengths' },
      computed: { propertyId: 'anchor', 'elasticities.0.days': 'WEEKEND', 'elasticities.0.conversion': 0.75 },
      dropped: ['model.elasticities.0.isWeekend'],
    },
  );
  const plan = {
    projectedRevenue: amountNo(1),
    currentRevenue: amountNo(2),
    revenueIncrease: 11,
    averageRateChange: 12,
    occupancyImpact: 13,
    unmet: [{ constraint: 'occupancy', asked: 14, reachable: 15 }],
    model: 'ensemble',
    confidence: 0.62,
    constraints: {
      minOccupancy: 16,
      maxRateIncrease: 17,
      maxRateDecrease: 18,
      minGainPercent: 19,
      costPerOccupiedRoom: amountNo(5),
      pricePoints: [amountNo(6)],
      sameByWeekday: true,
    },
    recommendations: [
      {
        day: dayNo(1),
        roomType: 'DLX',
        current: amountNo(3),
        optimized: amountNo(4),
        confidence: 0.5,
        expectedImpact: '+',
        lowestRate: amountNo(7),
        highestRate: amountNo(8),
        limitedBy: 'MARKET',
      },
    ],
  };
  const request = { start: dayNo(3), end: dayNo(4), objective: 'MAXIMIZE_PROFIT', strategy: 'SEASONAL' };
  const head = { id: id(1), propertyId: 'anchor', status: 'COMPLETED', progress: 100, createdAt: momentNo(1) };
  const run = { ...head, request, plan };
  t.strictSame(await sentMembers(run, (of) => wired(optimizationAnswer, renderOptimization(of as never))), {
    renamed: {
      optimizationId: 'id',
      results: 'plan',
      settings: 'request',
      'settings.startDate': 'request.start',
      'settings.endDate': 'request.end',
      'settings.minOccupancy': 'plan.constraints.minOccupancy',
      'settings.maxRateIncrease': 'plan.constraints.maxRateIncrease',
      'settings.maxRateDecrease': 'plan.constraints.maxRateDecrease',
      'settings.minGainPercent': 'plan.constraints.minGainPercent',
      'settings.costPerOccupiedRoom': 'plan.constraints.costPerOccupiedRoom',
      'settings.pricePoints.0': 'plan.constraints.pricePoints.0',
      'settings.sameByWeekday': 'plan.constraints.sameByWeekday',
      'recommendations.*.date': 'plan.recommendations.*.day',
      'recommendations.*.currentRate': 'plan.recommendations.*.current',
      'recommendations.*.optimizedRate': 'plan.recommendations.*.optimized',
    },
    computed: {
      constraintsMet: false,
      implementationUrl: '/api/v1/rates/00000000-0000-4000-8000-000000000001/implement',
    },
  });
  const cell = (n: number) => ({
    roomType: `T${n}`,
    day: dayNo(n),
    total: n,
    booked: n + 1,
    held: n + 2,
    blocked: n + 3,
    available: n + 4,
    rate: amountNo(n),
  });
  const change: AllMembers<CellChange> = {
    seq: 7,
    at: momentNo(1),
    type: 'BOOK',
    entity: 'r-1',
    subject: 'u-1',
    before: cell(10),
    after: cell(20),
  };
  t.strictSame(
    await sentMembers(change, (of) =>
      wired(cellChangeAnswer, cellChange(of as CellChange, new Map([['u-1', 'Mara']]))),
    ),
    {
      renamed: {
        by: 'subject',
        totalRooms: 'after.total',
        bookedRooms: 'after.booked',
        heldRooms: 'after.held',
        blockedRooms: 'after.blocked',
        availableRooms: 'after.available',
        'changes.totalRooms.from': 'before.total',
        'changes.totalRooms.to': 'after.total',
        'changes.bookedRooms.from': 'before.booked',
        'changes.bookedRooms.to': 'after.booked',
        'changes.heldRooms.from': 'before.held',
        'changes.heldRooms.to': 'after.held',
        'changes.blockedRooms.from': 'before.blocked',
        'changes.blockedRooms.to': 'after.blocked',
        'changes.availableRooms.from': 'before.available',
        'changes.availableRooms.to': 'after.available',
        'changes.rate.from': 'before.rate',
        'changes.rate.to': 'after.rate',
      },
      computed: { byName: 'Mara' },
      dropped: ['before.roomType', 'before.day', 'after.roomType', 'after.day'],
    },
  );
  const rooms = (n: number) => ({ roomsNow: n, roomsThen: n + 1, pickup: n + 2 });
  const report = {
    asOf: momentNo(1),
    comparedTo: momentNo(2),
    cells: [{ day: dayNo(1), roomType: 'DLX', ...rooms(10) }],
    dates: [{ day: dayNo(2), ...rooms(20) }],
    total: rooms(30),
    seq: 40,
  };
  t.strictSame(await sentMembers(report, (of) => wired(pickupAnswer, renderPickup('anchor', 7, of))), {
    renamed: { 'items.*.date': 'cells.*.day', items: 'cells', 'dates.*.date': 'dates.*.day' },
    computed: { propertyId: 'anchor', days: 7 },
  });
  const analysis: AllMembers<RateAnalysis> = {
    period: { start: dayNo(1), end: dayNo(2) },
    performance: { averageRate: amountNo(1), occupancyRate: 2, revenuePAR: amountNo(2), rateVariance: 3 },
    optimization: {
      potentialRevenue: amountNo(3),
      currentRevenue: amountNo(4),
      opportunityLoss: amountNo(5),
      recommendations: [
        {
          action: 'HOLD',
          roomType: 'DLX',
          dates: [dayNo(3), dayNo(4)],
          currentRate: amountNo(6),
          suggestedRate: amountNo(7),
          expectedImpact: '+',
        },
      ],
      model: 'ensemble',
      confidence: 0.61,
    },
    competitors: { averageMarketRate: amountNo(8), position: 'AT_MARKET', priceIndex: 5 },
  };
  const sync = { lastSync: momentNo(1), nextSync: momentNo(2) };
  t.strictSame(
    await sentMembers({ analysis, sync }, (of) => wired(analysisAnswer, renderAnalysis(of.analysis, of.sync))),
    {
      renamed: {
        'period.startDate': 'analysis.period.start',
        'period.endDate': 'analysis.period.end',
        competitors: 'sync',
      },
    },
  );
});

void t.test('every member of sales figures is read where it belongs', async (t) => {
  const asked = { propertyId: 'anchor', from: dayNo(1), to: dayNo(2) };
  const curve = { businessDate: dayNo(3), dates: [{ date: dayNo(4), booked: 5, cancelled: 6, roomsSold: 7 }] };
  t.match(wired(bookingCurveAnswer, curveAnswer(asked, curve)), {
    propertyId: 'anchor',
    from: String,
    to: String,
    dates: [{ booked: 5, cancelled: 6, roomsSold: 7 }],
  });
  const sold = (n: number) => ({ roomNights: n, revenue: amountNo(n + 1) });
  const mix = {
    currency: 'EUR',
    total: sold(10),
    parts: {
      channel: [{ name: 'DIRECT', ...sold(20) }],
      ratePlan: [{ name: 'BAR', ...sold(30) }],
      group: [{ name: 'Choir', ...sold(40) }],
      company: [{ name: null, ...sold(50) }],
      stayLength: [{ name: '2-3', ...sold(60) }],
      leadTime: [{ name: '91+', ...sold(70) }],
    },
  };
  t.match(wired(salesMixAnswer, mixAnswer(asked, mix)), {
    currency: 'EUR',
    total: { roomNights: 10, revenue: Number },
    channels: [{ channel: 'DIRECT', roomNights: 20 }],
    ratePlans: [{ rateCode: 'BAR', roomNights: 30 }],
    groups: [{ name: 'Choir', roomNights: 40 }],
    companies: [{ name: null, roomNights: 50 }],
    stayLengths: [{ name: '2-3', roomNights: 60 }],
    leadTimes: [{ name: '91+', roomNights: 70 }],
  });
  const nights = [{ day: dayNo(5), rate: amountNo(40), observedAt: momentNo(41), competitorId: 'grand' }];
  const of = { currency: 'EUR', competitors: [{ competitorId: 'grand', nights }] };
  t.match(wired(competitorRatesAnswer, competitorRates({ ...asked, roomType: 'STD' }, of)), {
    roomType: 'STD',
    competitors: [{ competitorId: 'grand', nights: [{ date: String, rate: Number, observedAt: String }] }],
  });
});
