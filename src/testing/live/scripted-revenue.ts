import type { FastifyInstance } from 'fastify';

import { type Day, formatDay, parseDay, type Weekday, WEEKDAYS, weekdayIndex } from '../../kernel/rules/dates.ts';
import type { ScriptedProperty } from './scripted-property.ts';
import { serveSalesFigures } from './scripted-sales.ts';
import { type ScriptedTerms, serveTerms } from './scripted-terms.ts';

/** State that a test sets and checks. */
export type ScriptedRevenue = {
  cancelled: number;
  /** Last and next query of competitors, as ISO 8601. */
  sync: { lastSync?: string; nextSync?: string };
  /** Number of implemented nights of each request. */
  implemented: number[];
  /** By which the service accepts recommendations; `null` before somebody has set it. */
  rule: { enabled: boolean; acceptUpToPercent: number } | null;
  /** Nights with restrictions. */
  restricted: Map<string, Restricted>;
  /** Calendar events by id. */
  events: Map<string, ScriptedEvent>;
  terms: ScriptedTerms;
  /** Requests for rates of nights that changed something. */
  rates: number;
  /** The same path lists the stays of the front desk, whose queries have no `updatedSince`. */
  stays: (query: Query) => object;
};

const OPTIMIZATION_ID = '01a00000-0000-7000-8000-000000000001';
/**
 * Percentages by which recommended rates differ, on three nights from tomorrow on. No two are the same: the page joins
 * equal changes, and on a Thursday the next two nights are full and cost the same.
 */
const ADVICE = [20, 25, -10];
/** What each of them is expected to bring. */
const GAINS = [40, 200, 10];

const LIMITS = ['MARKET', 'MAX_RATE_INCREASE', undefined];

/** With which settings they were made. */
const SETTINGS = {
  maxRateIncrease: 25,
  maxRateDecrease: 12.5,
  minGainPercent: 1,
  minOccupancy: null,
  costPerOccupiedRoom: 18.5,
  pricePoints: [89.5, 119],
  sameByWeekday: true,
};

type Query = Record<string, string>;

/**
 * Serves revenue endpoints of the rate and reservation services for the page: fixed figures, and the cells of the
 * property.
 */
export function serveRevenue(fastify: FastifyInstance, hotel: ScriptedProperty, today: Day): ScriptedRevenue {
  const script: ScriptedRevenue = {
    cancelled: 2,
    sync: {},
    implemented: [],
    rule: null,
    restricted: new Map(),
    rates: 0,
    stays: () => ({ items: [], nextCursor: null }),
    events: new Map(),
    terms: serveTerms(fastify, hotel),
  };
  const base = '/api/v1/tenants/demo/properties/harbor-hotel';
  const began = hotel.view.grid(today, today + 400);
  const advised = ADVICE.map((percent, ahead) => {
    const cell = hotel.view.grid(today + ahead + 1, today + ahead + 1, 'DLX')[0]!;
    const currentRate = cell.rate! / 100;
    const optimizedRate = Math.round(currentRate * (100 + percent)) / 100;
    const date = formatDay(cell.day);
    const why = {
      limitedBy: LIMITS[ahead],
      confidence: 0.5,
      expectedImpact: 'More.',
      reasons: [{ kind: 'DEMAND', text: 'Many ask' }],
    };
    const revenueAfter = 1_000 + GAINS[ahead]!;
    return { date, roomType: 'DLX', currentRate, optimizedRate, ...why, revenueBefore: 1_000, revenueAfter };
  });
  fastify.get<{ Querystring: Query }>(`${base}/pickup`, ({ query }) => {
    const start = parseDay(query['start_date']!)!;
    const end = parseDay(query['end_date']!)!;
    const cells = began.filter(({ day }) => day >= start && day <= end);
    const items = cells.map(({ day, roomType, booked }) => {
      const roomsThen = booked - Number(query['days']);
      return { date: formatDay(day), roomType, roomsNow: booked, roomsThen, pickup: booked - roomsThen };
    });
    const dates = [...Map.groupBy(items, ({ date }) => date)].map(([date, all]) => ({ date, ...summed(all) }));
    return { asOf: new Date().toISOString(), items, dates, total: summed(items) };
  });
  fastify.get(`${base}/history`, () => ({
    items: [
      {
        seq: 7,
        at: new Date().toISOString(),
        type: 'CONFIRM_BOOKING',
        by: 'demo',
        byName: 'Mara Lindt',
        changes: { bookedRooms: { from: 3, to: 4 }, availableRooms: { from: 57, to: 56 } },
      },
      {
        seq: 6,
        at: new Date().toISOString(),
        type: 'BOOK',
        by: 'demo',
        byName: 'Mara Lindt',
        changes: { heldRooms: { from: 0, to: 1 }, availableRooms: { from: 58, to: 57 } },
      },
    ],
    nextCursor: null,
  }));
  fastify.get<{ Querystring: Query }>('/api/v1/analytics/reports', ({ query }) => ({
    items: [{ content: auditOf(query['from']!) }],
    nextCursor: null,
  }));
  fastify.get<{ Querystring: Query }>('/api/v1/reservations', ({ query }) => {
    if (query['updatedSince'] === undefined) return script.stays(query);
    return { items: [], nextCursor: null };
  });
  fastify.get('/api/v1/reports/cancellations', () => ({ totals: { stays: script.cancelled }, items: [] }));
  fastify.get('/api/v1/rates/analysis', () => ({
    performance: { averageRate: 150, revenuePAR: 120 },
    competitors: { averageMarketRate: 140, position: 'ABOVE_MARKET', priceIndex: 107.14, ...script.sync },
  }));
  fastify.get<{ Querystring: Query }>('/api/v1/rates/forecast', ({ query }) => {
    const start = parseDay(query['startDate']!)!;
    const end = parseDay(query['endDate']!)!;
    const nights = Map.groupBy(hotel.view.grid(start, end), ({ day }) => day);
    return {
      nights: [...nights].map(([day, cells]) => {
        const booked = cells.reduce((sum, cell) => sum + cell.booked, 0);
        const expected = Math.min(120, booked + 20);
        return { date: formatDay(day), expected, low: expected - 10, high: Math.min(120, expected + 12) };
      }),
    };
  });
  serveSalesFigures(fastify, today);
  const optimization = (optimizationId: string, byRule: object = {}) => ({
    optimizationId,
    status: 'COMPLETED',
    progress: 100,
    results: { revenueIncrease: 1.5 },
    settings: SETTINGS,
    recommendations: advised,
    createdAt: new Date().toISOString(),
    ...byRule,
  });
  let newest = optimization(OPTIMIZATION_ID);
  let requested = 0;
  fastify.get('/api/v1/rates/optimizations', () => ({ items: [newest] }));
  const totals = { accepted: 3, over: 2, revenueBefore: 900, revenueExpected: 1_000, revenueActual: 1_100 };
  fastify.get('/api/v1/rates/recommendations/outcomes', () => ({ totals, items: [] }));
  serveAcceptanceRule(fastify, script);
  fastify.post('/api/v1/rates/yield-optimization', () => {
    const { rule } = script;
    const limit = rule?.enabled ? rule.acceptUpToPercent : 0;
    const nights = advised.filter((_, index) => Math.abs(ADVICE[index]!) <= limit);
    for (const { date, roomType, optimizedRate } of nights)
      hotel.setRate(roomType, parseDay(date)!, Math.round(optimizedRate * 100));
    const acceptedByRule = { upToPercent: limit, setBy: 'mara', at: new Date().toISOString(), nights };
    requested += 1;
    const id = OPTIMIZATION_ID.replace(/1$/, String(requested + 1));
    newest = optimization(id, nights.length > 0 ? { acceptedByRule } : {});
    return newest;
  });
  type Picked = { nights: { roomType: string; date: string }[] };
  fastify.post<{ Params: { id: string }; Body: Picked }>('/api/v1/rates/:id/implement', ({ params, body }) => {
    const picked = advised.filter((one) =>
      body.nights.some(({ roomType, date }) => roomType === one.roomType && date === one.date),
    );
    script.implemented.push(picked.length);
    for (const { date, roomType, optimizedRate } of picked)
      hotel.setRate(roomType, parseDay(date)!, Math.round(optimizedRate * 100));
    return { optimizationId: params.id, status: 'IMPLEMENTED', affectedDates: picked.length };
  });
  serveEvents(fastify, script);
  serveRestrictions(fastify, script);
  serveNightRates(fastify, hotel, script);
  fastify.get('/api/v1/rates/current', () => {
    const steps = [
      { rule: 'base', amount: 120 },
      { rule: 'season', amount: 12.5 },
    ];
    return { rates: [{ dailyRates: [{ steps }] }] };
  });
  return script;
}

function serveAcceptanceRule(fastify: FastifyInstance, script: ScriptedRevenue): void {
  const path = '/api/v1/rates/yield-optimization/rule/harbor-hotel';
  const answer = () => ({
    propertyId: 'harbor-hotel',
    roomTypes: null,
    ...(script.rule ?? { enabled: false, acceptUpToPercent: null }),
    setBy: script.rule && 'mara',
    setByName: script.rule && 'Mara Lindt',
    setAt: script.rule && new Date().toISOString(),
    seq: 1,
  });
  fastify.get(path, answer);
  fastify.put<{ Body: NonNullable<ScriptedRevenue['rule']> }>(path, ({ body }) => {
    script.rule = body;
    return answer();
  });
}

type ScriptedEvent = {
  name: string;
  from: string;
  to: string;
  effect: string;
  note?: string | null;
  version?: number;
};

function serveEvents(fastify: FastifyInstance, { events }: ScriptedRevenue): void {
  const path = '/api/v1/rates/calendar-events/harbor-hotel';
  const answer = (eventId: string) => ({ note: null, version: 1, ...events.get(eventId), eventId });
  type Changed = { Params: { id: string }; Headers: { 'if-match'?: string } };
  const isStale = (id: string, match: string | undefined): boolean => match !== `"${answer(id).version}"`;
  const stale = { code: 'STALE_VERSION', detail: 'The calendar event is at another version.' };
  fastify.get<{ Querystring: Query }>(path, ({ query }) => ({
    items: [...events.keys()]
      .map(answer)
      .filter(({ from, to }) => from! <= query['end_date']! && to! >= query['start_date']!),
  }));
  fastify.post<{ Body: ScriptedEvent }>(path, ({ body }, reply) => {
    const eventId = `event-${events.size + 1}`;
    events.set(eventId, body);
    return reply.code(201).send(answer(eventId));
  });
  fastify.put<Changed & { Body: ScriptedEvent }>(`${path}/:id`, ({ body, params: { id }, headers }, reply) => {
    if (isStale(id, headers['if-match'])) return reply.code(412).send(stale);
    events.set(id, { ...body, version: answer(id).version + 1 });
    return answer(id);
  });
  fastify.delete<Changed>(`${path}/:id`, ({ params: { id }, headers }, reply) => {
    if (isStale(id, headers['if-match'])) return reply.code(412).send(stale);
    events.delete(id);
    return { id, status: 'REMOVED' };
  });
}

type Restricted = {
  roomType: string;
  date: string;
  closedToArrival: boolean;
  closedToDeparture: boolean;
  stopSell: boolean;
  rateLocked: boolean;
  minStayArrival: number | null;
};

type Restriction = {
  roomType?: string;
  roomTypes?: string[];
  startDate: string;
  endDate: string;
  daysOfWeek?: Weekday[];
} & Partial<Restricted>;

function serveRestrictions(fastify: FastifyInstance, { restricted }: ScriptedRevenue): void {
  const none = { closedToArrival: false, closedToDeparture: false, stopSell: false, rateLocked: false };
  fastify.put<{ Body: Restriction }>('/api/v1/rates/restrictions', ({ body }) => {
    const { roomType: one, roomTypes = [one!], startDate, endDate, daysOfWeek, ...change } = body;
    for (const roomType of roomTypes)
      for (let day = parseDay(startDate)!; day <= parseDay(endDate)!; day++) {
        if (daysOfWeek?.includes(WEEKDAYS[weekdayIndex(day)]!) === false) continue;
        const key = `${roomType} ${day}`;
        const before = restricted.get(key) ?? { ...none, minStayArrival: null };
        const flags = Object.keys(none).map((flag) => [flag, change[flag as keyof typeof none] ?? false]);
        const given = Object.fromEntries(flags.filter(([flag]) => (flag as string) in change)) as object;
        const { minStayArrival = before.minStayArrival } = change;
        restricted.set(key, { ...before, ...given, minStayArrival, roomType, date: formatDay(day) });
      }
    return {};
  });
  fastify.get('/api/v1/rates/restrictions', () => ({
    items: [...restricted.values()].map((item) => ({ ...item, rateCode: 'BAR' })),
  }));
}

type Wanted = { nights: { roomType: string; date: string; rate: number; previousRate?: number | null }[] };

/** As the service does it: all or none, and not over what somebody else has done. */
function serveNightRates(fastify: FastifyInstance, hotel: ScriptedProperty, script: ScriptedRevenue): void {
  fastify.put<{ Body: Wanted; Querystring: Query }>('/api/v1/rates/nights', ({ body, query }, reply) => {
    const items = body.nights.map(({ roomType, date, rate: to }) => {
      const [cell] = hotel.view.grid(parseDay(date)!, parseDay(date)!, roomType);
      return { roomType, date, from: cell?.rate ? cell.rate / 100 : null, to };
    });
    if (items.some(({ from }, index) => (body.nights[index]!.previousRate ?? from) !== from))
      return reply.code(409).send({ code: 'RATES_MOVED', detail: '1 nights cost something else by now.' });
    if (query['dryRun'] === 'true') return { items, forecast: { revenueBefore: 1_000, revenueAfter: 1_100 } };
    script.rates += 1;
    for (const { roomType, date, to } of items) hotel.setRate(roomType, parseDay(date)!, Math.round(to * 100));
    return { items };
  });
}

type Rooms = { roomsNow: number; roomsThen: number; pickup: number };

function summed(parts: readonly Rooms[]): Rooms {
  const sum = (of: (part: Rooms) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return { roomsNow: sum((p) => p.roomsNow), roomsThen: sum((p) => p.roomsThen), pickup: sum((p) => p.pickup) };
}

function auditOf(date: string) {
  return {
    date,
    roomsSold: 60,
    occupancyRate: 50,
    adr: 100,
    revPar: 50,
    pickup: 4,
    reservations: { cancelled: 1 },
  };
}
