import { test } from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import type { DemoState, HotelAnswer } from '../ports.ts';
import { DEMO_PROPERTIES } from '../rules/hotels.ts';
import { planStays } from '../rules/plan.ts';
import { DemoGuests } from './demo-guests.ts';

const TODAY = dayOf('2026-06-01');
const NOW = Date.parse('2026-06-01T12:00:00Z');
const [CITY] = DEMO_PROPERTIES;
const STAYS = planStays(CITY!, { origin: TODAY, seed: 3, offset: 0, from: TODAY - 10, to: TODAY + 40 })
  .filter(({ bookedAt, arrival }) => bookedAt > NOW && arrival > TODAY)
  .sort((a, b) => a.bookedAt - b.bookedAt);
const noLog = (): void => undefined;
const log = { debug: noLog, info: noLog, warn: noLog, error: noLog };

type Asked = { method: string; path: string; body?: object; key?: string };

/** The guests of one property, on a service with given answers. */
function world(
  answer: (asked: Asked) => HotelAnswer | undefined = () => undefined,
  pace: DemoState['pace'] = 'FAST',
) {
  const asked: Asked[] = [];
  const state: DemoState = {
    tenantId: 'demo',
    propertyId: 'harbor-hotel',
    seed: 3,
    beganAt: NOW,
    partsDone: 1,
    parts: 1,
    bookedUntil: NOW,
    pace,
  };
  let open = 0;
  let most = 0;
  const guests = new DemoGuests({
    tenantId: 'demo',
    states: {
      of: async () => [{ ...state }],
      setPace: async () => true,
      bookedUntil: async (_, at) => void (state.bookedUntil = at),
    },
    hotel: {
      async ask(method, path, body, key) {
        const one = { method, path, ...(body && { body }), ...(key !== undefined && { key }) };
        asked.push(one);
        most = Math.max(most, ++open);
        await Promise.resolve();
        open -= 1;
        return answer(one) ?? { status: method === 'GET' ? 200 : 201, body: { items: [], reservationId: 'r' } };
      },
    },
    plan: async () => STAYS,
    companies: ['c0', 'c1', 'c2', 'c3'],
    clock: { now: () => NOW },
    alone: async (_, work) => (await work(), true),
    log,
  });
  const booked = (): Asked[] =>
    asked.filter(({ method, path }) => method === 'POST' && path === '/api/v1/reservations');
  return { guests, state, asked, booked, mostAtOnce: () => most };
}

void test('the first guest comes at once, and the next when their time has come', async (t) => {
  const { guests, state, booked } = world();
  await guests.look(0);
  t.equal(booked().length, 1);
  t.match(booked()[0], { key: `demo-${STAYS[0]!.n}`, body: { source: { externalId: `demo-${STAYS[0]!.n}` } } });
  t.equal(state.bookedUntil, STAYS[0]!.bookedAt, 'which is remembered');
  await guests.look(1);
  t.equal(booked().length, 1);
  await guests.look((STAYS[1]!.bookedAt - STAYS[0]!.bookedAt) / 60);
  t.equal(booked().length, 2, '60 times as fast as the clock');
});

void test('nobody comes while the pace is off', async (t) => {
  const { guests, asked } = world(undefined, 'OFF');
  await guests.look(3_600_000);
  t.same(asked, []);
});

void test('there is one request at a time, and few in one look', async (t) => {
  const { guests, booked, mostAtOnce } = world();
  await Promise.all([guests.look(10_000_000), guests.look(10_000_000)]);
  t.equal(booked().length, 2);
  t.equal(mostAtOnce(), 1);
});

void test('a busy service is left alone, and the guest comes again', async (t) => {
  let isBusy = true;
  const { guests, state, booked } = world(({ method }) =>
    isBusy && method === 'POST' ? { status: 503, code: 'NOT_EXECUTED', body: null, retryAfterMs: 500 } : undefined,
  );
  await guests.look(0);
  t.equal(booked().length, 1);
  t.equal(state.bookedUntil, NOW, 'not booked');
  await guests.look(0);
  t.equal(booked().length, 1, 'no request before the service wants one');
  isBusy = false;
  await new Promise((resolve) => setTimeout(resolve, 510));
  await guests.look(0);
  t.equal(booked().length, 2);
  t.equal(booked()[1]!.key, booked()[0]!.key, 'the same booking');
});

void test('a guest for whom there is no room goes away', async (t) => {
  const { guests, state } = world(({ method }) =>
    method === 'POST' ? { status: 409, code: 'ROOM_NOT_AVAILABLE', body: null } : undefined,
  );
  await guests.look(0);
  t.equal(state.bookedUntil, STAYS[0]!.bookedAt);
});

void test('nothing is asked of a service that is ending', async (t) => {
  const { guests, asked } = world();
  guests.end();
  await guests.look(10_000_000);
  t.same(asked, []);
});

void test('the desk checks guests in and out through the service', async (t) => {
  const guestInfo = { email: 'ana.pinto.1@example.com' };
  const nights = { checkIn: '2026-05-30', checkOut: '2026-05-31' };
  const leaving = { reservationId: 'a', guestInfo, stayDetails: nights };
  const { guests, asked } = world(({ method, path }) => {
    if (path.includes('status=CHECKED_IN')) return { status: 200, body: { items: [leaving] } };
    if (method === 'POST' && path.endsWith('/checkout') && !asked.some((one) => one.path.endsWith('/payments')))
      return { status: 422, code: 'PAYMENT_METHOD_REQUIRED', body: null };
    return undefined;
  });
  await guests.look(0);
  await guests.look(0);
  t.same(
    asked.filter(({ path }) => path.startsWith('/api/v1/reservations/a')).map(({ path }) => path.split('/').at(-1)),
    ['checkout', 'payments', 'checkout'],
    'who owes something pays it first',
  );
});
