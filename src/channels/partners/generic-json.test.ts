import t from 'tap';

import { dayOf } from '../../kernel/rules/dates.ts';
import type { ChannelRequest } from '../ports.ts';
import type { ChannelMessage } from '../rules/channel.ts';
import { genericJson } from './generic-json.ts';

const LINE = { roomType: 'STD', ratePlan: 'BAR', externalRoom: 'R-1', externalRate: 'BEST' };
const OPEN = { closed: false, closedToArrival: false, closedToDeparture: false, minStay: 1, maxStay: 0 };
const [from, to] = [dayOf('2026-11-21'), dayOf('2026-11-30')];
const MESSAGE: ChannelMessage = {
  messageId: 'm-1',
  at: Date.parse('2026-11-01T10:00:00.123Z'),
  propertyId: 'harbor',
  currency: 'EUR',
  runs: [
    { ...LINE, from, to, availability: 0, rate: 45_623, restrictions: { ...OPEN, closed: true, maxStay: 4 } },
    { ...LINE, externalRate: 'B&B', from, to: from, restrictions: { ...OPEN, minStay: 3 } },
  ],
};
const [request] = genericJson.requestsOf(MESSAGE) as [ChannelRequest];
const outcome = (status: number, body: unknown = '') =>
  genericJson.requestOutcome({ status, body: typeof body === 'string' ? body : JSON.stringify(body) }, request);
const taken = (...rejected: object[]) => ({ isTaken: true, rejected });
const not = (why: string) => ({ isTaken: false, why });

t.test('a message is one request, with only the members that changed', async (t) => {
  t.match(request, { method: 'POST', contentType: 'application/json', runs: MESSAGE.runs });
  t.same(JSON.parse(request.body), {
    messageId: 'm-1',
    propertyId: 'harbor',
    values: [
      {
        ...LINE,
        from: '2026-11-21',
        to: '2026-11-30',
        availability: 0,
        rate: 456.23,
        currency: 'EUR',
        restrictions: { closed: true, closedToArrival: false, closedToDeparture: false, minStay: 1, maxStay: 4 },
      },
      {
        ...LINE,
        externalRate: 'B&B',
        from: '2026-11-21',
        to: '2026-11-21',
        restrictions: { closed: false, closedToArrival: false, closedToDeparture: false, minStay: 3, maxStay: null },
      },
    ],
  });
  t.equal(genericJson.requestsOf(MESSAGE).length, 1);
  t.same(genericJson.requestsOf({ ...MESSAGE, runs: [] }), []);
});

t.test('2xx is taken, whatever of it is no JSON', async (t) => {
  for (const body of ['', 'OK', '{}', '[]', ' {"rejected": []}', '{"rejected": null, "id": 7}'])
    t.same(outcome(200, body), taken(), body);
  t.same(outcome(204), taken());
});

t.test('values that the channel rejects are known by their index, and only codes are repeated', async (t) => {
  const rejected = [
    { index: 1, reason: 'UNKNOWN_RATE' },
    { index: 0, reason: 'Call <b>+49 30 1234</b>, ask for Jane' },
    { index: 1, reason: 'UNKNOWN_RATE' },
  ];
  t.same(
    outcome(200, { rejected }),
    taken({ index: 0, why: 'no reason that is a code' }, { index: 1, why: 'UNKNOWN_RATE' }),
  );
  t.same(outcome(200, { rejected: [{ index: 0, reason: 17 }] }), taken({ index: 0, why: '17' }));
  t.same(outcome(200, { rejected: [{ index: 0, reason: 'X'.repeat(41) }] }).isTaken, true);
});

t.test('an answer that may hide a rejected value is not taken', async (t) => {
  for (const body of [
    '{"rejected": [{"index": 0, "rea',
    { rejected: 'all' },
    { rejected: [{ index: 2, reason: 'X' }] },
    { rejected: [{ index: -1, reason: 'X' }] },
    { rejected: [{ index: 0.5, reason: 'X' }] },
    { rejected: [0] },
  ])
    t.same(outcome(200, body), not('its answer cannot be read'));
  t.same(outcome(200, '\n<!doctype html><title>Sign in</title>'), not('it answers a page, no JSON'));
});

t.test('every other status is not taken, and its code is repeated', async (t) => {
  t.same(outcome(302), not('it redirects, which is not followed'));
  t.same(outcome(503, '<html>'), not('it answers 503'));
  t.same(outcome(422, { code: 'UNKNOWN_ROOM', detail: 'Jane Doe' }), not('it answers 422 (UNKNOWN_ROOM)'));
  t.same(outcome(400, { code: 'no code, but a sentence' }), not('it answers 400'));
});

t.test('what the channel has is read night by night', async (t) => {
  const { readBack } = genericJson;
  t.match(readBack?.request({ propertyId: 'harbor', from, to }), {
    method: 'GET',
    query: { propertyId: 'harbor', from: '2026-11-21', to: '2026-11-30' },
    body: '',
    runs: [],
  });
  const { values } = JSON.parse(request.body) as { values: object[] };
  const nights = readBack?.nightsOf({ status: 200, body: JSON.stringify({ values }) });
  t.equal(nights?.length, 11);
  const { availability, rate, restrictions } = MESSAGE.runs[0]!;
  const { currency } = MESSAGE;
  const line = { externalRoom: 'R-1', externalRate: 'BEST' };
  t.same(nights?.[9], { ...line, day: to, availability, rate, currency, restrictions });
  t.same(nights?.[10], {
    externalRoom: 'R-1',
    externalRate: 'B&B',
    day: from,
    restrictions: MESSAGE.runs[1]!.restrictions,
  });
});

t.test('what cannot be read back is nothing, not wrong', async (t) => {
  const of = (status: number, body: unknown) =>
    genericJson.readBack?.nightsOf({ status, body: typeof body === 'string' ? body : JSON.stringify(body) });
  const value = { externalRoom: 'R', externalRate: 'B', from: '2026-11-21', to: '2026-11-21', availability: 1 };
  t.equal(of(200, { values: [value] })?.length, 1);
  t.same(of(200, { values: [] }), []);
  for (const status of [404, 405, 501, 500, 302, 204]) t.equal(of(status, { values: [value] }), undefined);
  for (const wrong of [
    { from: '2026-02-30' },
    { to: '2026-11-20' },
    { to: '9999-12-31' },
    { to: '2029-08-17' },
    { availability: -1 },
    { availability: 1.5 },
    { rate: 10.005 },
    { restrictions: { closed: 1 } },
    { externalRoom: '' },
  ])
    t.equal(of(200, { values: [{ ...value, ...wrong }] }), undefined, JSON.stringify(wrong));
  for (const body of ['', '{"values": [', '<html>', '[]', 'null']) t.equal(of(200, body), undefined, body);
  const long = { ...value, to: '2029-08-16' };
  t.equal(of(200, { values: Array.from({ length: 200 }, () => long) })?.length, 200_000);
  t.equal(of(200, { values: Array.from({ length: 201 }, () => long) }), undefined, 'more than a property can have');
});
