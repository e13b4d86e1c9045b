import t from 'tap';

import type { Services } from '../../kernel/operations/services.ts';
import { TestFrontDesk } from '../../testing/front-desk.ts';
import { DAY, PROPERTY_ID, roomType } from '../../testing/property-world.ts';
import type { Report, SoldNight } from '../ports.ts';
import { learnDemand } from '../rules/demand-learning/learn-demand.ts';
import type { PropertyForecast } from '../rules/forecast/property-forecast.ts';
import { auditNight } from '../rules/night-audit.ts';
import { AnalysisCache } from './analysis-cache.ts';
import { readAnalysis } from './analyze-rates.ts';

const caller = { ...PROPERTY_ID, subject: 'boss', roles: ['MANAGER'] } as never;

/** The audit of a day on which the property had so many rooms, sold at 96.90 each. */
function report(date: number, sold: number, total: number): Report {
  const nothing = { count: 0, amount: 0 };
  const content = auditNight(
    date,
    'EUR',
    {
      sold: [{ roomType: 'STD', rooms: sold, revenue: 9_690 * sold, taxes: 0, fees: 0 }],
      due: { reservations: 0, cancelled: 0, noShows: 0, awaited: 0, overstayed: 0 },
      arrivals: 0,
      departures: 0,
      bookings: [],
      charges: 0,
      penalties: { revenue: 0, taxes: 0 },
      payments: [],
      refunds: nothing,
    },
    {
      after: [{ roomType: 'STD', day: date, total, booked: sold, held: 0, blocked: 0, available: 0, rate: 9_690 }],
      before: [],
    },
  );
  return { id: `${date}`, propertyId: PROPERTY_ID.propertyId, type: 'NIGHT_AUDIT', content, completedAt: 0 };
}

async function desk(t: Parameters<typeof TestFrontDesk.open>[0], reports: Report[], sold: SoldNight[]) {
  const { services: ofDesk, running } = await TestFrontDesk.open(t);
  const list: Services['analytics']['list'] = async (_tenant, { from, to }) => ({
    items: reports.filter(({ content: { date } }) => date >= from! && date <= to!),
  });
  const revenue: Services['revenue'] = async (_to, start, end) =>
    sold.filter(({ day }) => day >= start && day <= end);
  const forecast: PropertyForecast = { nights: [], usual: 50 };
  // A failed forecast for the coming nights, with which the optimizer has no answer.
  const learned = learnDemand({ counted: new Int32Array(), totals: [], lengths: [], others: [] });
  const computer = {
    run: async (task: string) => (task === 'learnDemand' ? learned : { ...forecast, status: 'FAILED' }),
  } as never;
  const analytics = { ...ofDesk.analytics, list };
  const competitors = { ...ofDesk.competitors, market: async () => [] };
  const settings = { of: async () => ({ analysisCacheSeconds: 3_600 }) } as never;
  const services = { ...ofDesk, analytics, revenue, computer, competitors, settings, analyses: new AnalysisCache() };
  const read = async (startDate: number, endDate: number, of?: string) =>
    readAnalysis(services, caller, {
      propertyId: PROPERTY_ID.propertyId,
      startDate,
      endDate,
      roomType: of,
    });
  return { read, running };
}

t.test('past days are reported with the rooms of that time', async (t) => {
  const reports = [report(DAY - 2, 2, 4), report(DAY - 1, 3, 4)];
  const sold = [{ roomType: 'STD', day: DAY - 1, rooms: 3, revenue: 3 * 9_690 }];
  const { read, running } = await desk(t, reports, sold);
  await running.send({ type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 50), mode: 'replace' });
  const { performance } = (await read(DAY - 2, DAY - 1)).analysis;
  t.match(performance, { averageRate: 9_690, occupancyRate: 62.5, revenuePAR: Math.round((9_690 * 5) / 8) });
  const ofType = (await read(DAY - 1, DAY - 1, 'STD')).analysis;
  t.match(ofType.performance, { averageRate: 9_690, occupancyRate: 75 });
  t.match((await read(DAY - 1, DAY - 1, 'DLX')).analysis.performance, { averageRate: null, occupancyRate: 0 });
});

t.test('a day whose audit is not made yet sells nothing from no rooms, and is there as soon as it is', async (t) => {
  const reports: Report[] = [];
  const { read } = await desk(t, reports, [{ roomType: 'STD', day: DAY - 1, rooms: 3, revenue: 29_070 }]);
  const { performance } = (await read(DAY - 1, DAY - 1)).analysis;
  t.match(performance, { averageRate: null, occupancyRate: 0, revenuePAR: 0 });
  reports.push(report(DAY - 1, 3, 4));
  t.match((await read(DAY - 1, DAY - 1)).analysis.performance, { averageRate: 9_690, occupancyRate: 75 });
});

t.test('sums beyond what can be said to the cent are a problem that says so', async (t) => {
  const { read } = await desk(t, [], [{ roomType: 'STD', day: DAY + 1, rooms: 3, revenue: 2 ** 53 + 2 }]);
  await t.rejects(read(DAY, DAY + 5), { code: 'VALIDATION_FAILED', details: { errors: [{ code: 'TOO_BIG' }] } });
});
