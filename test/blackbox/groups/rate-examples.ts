import type { Test } from 'tap';

import { competitorSync, refreshed, syncStatus } from '../competitor-sync.ts';
import { isProblem } from '../problems.ts';
import { BlackboxProperty, must } from '../property.ts';
import type { Service } from '../service.ts';
import { until } from '../waiting.ts';

type Json = Record<string, unknown>;
const number = Number;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const cents = (amount: unknown): number => Math.round((amount as number) * 100);

/** The requests of docs/reference/rates.md#rates, with every field of their answers. */
export async function rateExamples(group: Test, service: Service): Promise<void> {
  const property = await BlackboxProperty.open(service, { policies: { taxPercent: 10, feePerNight: 2.5 } });
  const { propertyId } = property;
  const from = property.day(30);
  const to = property.day(34);

  await group.test('GET /rates/current', async (t) => {
    const { json } = must(await property.quote(30, 3), 200);
    t.match(json, { propertyId, checkIn: from, checkOut: property.day(33) });
    t.match(json.restrictions, { minimumStay: number, maximumStay: number, advanceBooking: number });
    t.equal(json.rates.length, 2);
    for (const rate of json.rates) {
      t.match(rate, { roomType: String, rateType: String, currency: 'EUR', taxes: 30, fees: 7.5 });
      t.match(rate.dailyRates, [{ date: from, rate: 100, availability: number }]);
      const sum = rate.dailyRates.reduce((total, night) => total + cents(night.rate), 0);
      t.equal(sum, cents(rate.totalRate), 'totalRate is the sum of the daily rates');
      t.equal(cents(rate.averageRate), Math.round(sum / rate.dailyRates.length));
    }
  });

  await group.test('PUT /rates/base, and its preview', async (t) => {
    const body = {
      propertyId,
      roomType: 'STD',
      effectiveDate: from,
      endDate: to,
      rates: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'].map((dayOfWeek, n) => ({
        dayOfWeek,
        rate: n === 4 || n === 5 ? 249 : 199,
      })),
      seasonalAdjustments: [
        { name: 'Peak', startDate: from, endDate: from, adjustment: 1.25, adjustmentType: 'MULTIPLIER' },
      ],
    };
    const { json } = must(await service.rates<Json>('PUT', '/base', { body }), 200);
    t.match(json, { rateId: String, status: 'ACTIVE', effectiveDate: from, updatedAt: ISO, affectedDates: 5 });
    t.equal(json.previewUrl, `/api/v1/rates/${String(json.rateId)}/preview`);
    const preview = must(await service.rates<Json>('GET', `/${String(json.rateId)}/preview`), 200).json;
    t.match(preview, {
      id: json.rateId,
      kind: 'RATE_CHANGE',
      forecast: { revenueBefore: number, revenueAfter: number },
      items: [{ roomType: 'STD', date: from, from: 100, to: number }],
    });
  });

  await group.test('PUT /rates/nights, its dry run, its preview, and what undoes it', async (t) => {
    const nights = (rate: number, previousRate?: number) => ({
      body: { propertyId, nights: [{ roomType: 'STD', date: to, rate, previousRate }] },
    });
    const before = must(await service.rates<Json>('PUT', '/nights?dryRun=true', nights(150)), 200).json;
    const [{ from: was } = { from: 0 }] = before['items'] as { from: number }[];
    t.match(before, { kind: 'RATE_CHANGE', items: [{ roomType: 'STD', date: to, to: 150 }] });
    t.match(before, { forecast: { revenueBefore: number, revenueAfter: number } });
    const { json } = must(await service.rates<Json>('PUT', '/nights', nights(150, was)), 200);
    t.match(json, { rateId: String, updatedAt: ISO, items: [{ from: was, to: 150 }] });
    t.match(must(await service.rates<Json>('GET', `/${String(json.rateId)}/preview`), 200).json, {
      id: json.rateId,
      items: [{ roomType: 'STD', date: to, from: was, to: 150 }],
    });
    isProblem(t, await service.rates('PUT', '/nights', nights(170, was)), 409, { code: 'RATES_MOVED' });
    must(await service.rates('PUT', '/nights', nights(was, 150)), 200);
    const [night] = nights(5).body.nights;
    const put = (...all: object[]) => service.rates('PUT', '/nights', { body: { propertyId, nights: all } });
    isProblem(t, await put({ ...night, rate: 1.005 }), 400, { pointers: ['/nights/0/rate'] });
    isProblem(t, await put(night!, night!), 400, { pointers: ['/nights/1'] });
    isProblem(t, await put(), 400, { pointers: ['/nights'] });
    isProblem(t, await service.rates('PUT', '/nights', { ...nights(5), role: 'STAFF' }), 403);
  });

  await group.test('POST /rates/promotional, whole and minimal', async (t) => {
    const startDate = property.day(0);
    const endDate = property.day(60);
    const discount = { type: 'PERCENTAGE', value: 15 };
    const whole = {
      propertyId,
      promotionName: 'Early Bird Special',
      description: 'Book early',
      roomTypes: ['STD', 'DLX'],
      discount,
      conditions: { advanceBookingDays: 7, minimumStay: 2, blackoutDates: [property.day(40)] },
      validity: { startDate, endDate, stayPeriod: { startDate, endDate: property.day(100) } },
      inventory: { totalRooms: 50, maxPerDay: 5 },
    };
    const minimal = { propertyId, promotionName: 'Flash', discount, validity: { startDate, endDate } };
    for (const body of [whole, minimal]) {
      const { json } = must(await service.rates<Json>('POST', '/promotional', { body }), 201);
      t.match(json, { promotionId: String, status: 'ACTIVE', promoCode: String, createdAt: ISO });
      t.match(json, { estimatedRevenue: number, estimatedBookings: number });
      t.ok(Number.isInteger(json.estimatedBookings));
    }
  });

  await group.test('GET /rates/analysis', async (t) => {
    await refreshed(service);
    const path = `/analysis?propertyId=${propertyId}&startDate=${from}&endDate=${to}`;
    const { json } = must(await service.rates<Record<string, Json>>('GET', path), 200);
    t.match(json.period, { startDate: from, endDate: to });
    // Null where nothing was sold of the period.
    t.match(typeof (json.performance!.averageRate ?? 0), 'number');
    for (const field of ['occupancyRate', 'revenuePAR', 'rateVariance'])
      t.type(json.performance![field], 'number', field);
    const { potentialRevenue, currentRevenue, opportunityLoss, recommendations } = json.optimization!;
    t.equal(cents(opportunityLoss), cents(potentialRevenue) - cents(currentRevenue));
    t.ok(cents(opportunityLoss) >= 0);
    for (const one of recommendations as Json[]) {
      t.match(one, { currentRate: number, suggestedRate: number, expectedImpact: String });
      t.match(one.action, /^(INCREASE_RATE|DECREASE_RATE|HOLD|ADD_RESTRICTION)$/);
      t.ok((one.dates as string[]).every((date) => date >= from && date <= to));
    }
    t.match(json.competitors, { averageMarketRate: number, priceIndex: number });
    t.match(json.competitors!.position, /^(ABOVE|AT|BELOW)_MARKET$/);
  });

  await group.test('POST /rates/yield-optimization, its preview and implementation', async (t) => {
    const whole = {
      propertyId,
      optimizationPeriod: { startDate: from, endDate: to },
      objectives: { primary: 'MAXIMIZE_REVENUE', constraints: { minOccupancy: 1, maxRateIncrease: 25 } },
      strategy: 'DYNAMIC',
    };
    // It is answered, whether or not the property can be so full.
    const example = { ...whole.objectives, constraints: { minOccupancy: 50, maxRateIncrease: 15 } };
    const asked = { ...whole, objectives: example };
    t.match(must(await service.rates<Json>('POST', '/yield-optimization', { body: asked }), 200).json, {
      status: 'COMPLETED',
      constraintsMet: Boolean,
      unmet: Array,
    });
    const { strategy: _, ...rest } = whole;
    const minimal = { ...rest, objectives: { primary: 'MAXIMIZE_REVENUE' } };
    for (const body of [whole, minimal]) {
      const { json } = must(await service.rates<Json>('POST', '/yield-optimization', { body }), 200);
      t.match(json, { optimizationId: String, status: 'COMPLETED' });
      for (const field of [
        'projectedRevenue',
        'currentRevenue',
        'revenueIncrease',
        'averageRateChange',
        'occupancyImpact',
      ])
        t.type((json.results as Json)[field], 'number', field);
      for (const one of json.recommendations as Json[]) {
        t.match(one, { date: String, roomType: String, currentRate: number, optimizedRate: number });
        t.ok((one.confidence as number) >= 0 && (one.confidence as number) <= 1);
      }
      t.equal(json.implementationUrl, `/api/v1/rates/${String(json.optimizationId)}/implement`);
      const id = String(json.optimizationId);
      t.match(must(await service.rates('GET', `/${id}/preview`), 200).json, { id, kind: 'OPTIMIZATION' });
      if (body === minimal)
        t.match(must(await service.rates('POST', `/${id}/implement`), 200).json, {
          optimizationId: id,
          status: 'IMPLEMENTED',
          affectedDates: number,
          implementedAt: ISO,
        });
    }
  });

  await group.test('the five administrative endpoints', async (t) => {
    t.match(await syncStatus(service), { lastSync: ISO, nextSync: ISO, ageSeconds: number, status: 'OK' });
    const refresh = must(await competitorSync<Json>(service, 'POST', '/refresh'), 202).json;
    t.match(refresh, { jobId: String, statusUrl: String });
    const validated = must(await service.admin<Json>('GET', `/rates/validate/${propertyId}`), 200).json;
    t.match(validated, { propertyId, valid: Boolean, findings: Array });
    t.match(must(await service.admin<Json>('DELETE', '/cache/rates'), 200).json, { evicted: number });
    const body = { propertyId, startDate: from, endDate: to };
    const begun = must(await service.admin<Json>('POST', '/rates/recalculate', { body }), 202).json;
    t.match(begun, { jobId: String, statusUrl: String });
    await until('the recalculation', 60_000, async () => {
      const { json } = await service.call<Json>('GET', service.dev.rateUrl + String(begun.statusUrl), {
        role: 'ADMIN',
      });
      return json.state === 'COMPLETED' ? true : undefined;
    });
  });

  await group.test('the operational endpoints', async (t) => {
    const open = (path: string) => service.call<Json>('GET', `${service.dev.rateUrl}/actuator${path}`);
    t.match(must(await open('/health'), 200).json, { status: 'UP' });
    t.match(must(await open('/health/competitorApi'), 200).json, { status: 'UP' });
    for (const name of ['rate.optimization.queue.size', 'rate.optimization.duration', 'hikaricp.connections.active'])
      t.match(must(await open(`/metrics/${name}`), 200).json, { name, measurements: Array });
  });
}
