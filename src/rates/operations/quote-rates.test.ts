import t from 'tap';

import { CALLER, TestFrontDesk } from '../../testing/front-desk.ts';
import { baseRates, DAY, plan, promotion, PROPERTY_ID, id } from '../../testing/property-world.ts';
import type { currentQuery } from '../contracts/rates.ts';
import { partyOfPersons } from '../rules/stay.ts';
import { quoteRates, type QuotedStay } from './quote-rates.ts';
import { quoteStays } from './quote-stays.ts';

const MINUTE_MS = 60_000;
const QUERY = {
  propertyId: PROPERTY_ID.propertyId,
  checkIn: DAY + 5,
  checkOut: DAY + 7,
  roomType: 'STD',
  rateCode: 'BAR',
  ...partyOfPersons(2),
  explain: false,
} satisfies Partial<ReturnType<typeof currentQuery.parse>>;

const FIELDS = { checkIn: { pointer: '/stays/0/checkIn' }, checkOut: { pointer: '/stays/0/checkOut' } };

/** Repeats the request with the tag of an answer. */
const again = (desk: TestFrontDesk, { tag = '' }: QuotedStay, more: object = {}): Promise<QuotedStay> =>
  quoteRates(desk.services, CALLER, { ...QUERY, ...more }, [tag]);

void t.test('a held quote has no tokens of its own, and is held until the property changes', async (t) => {
  const desk = await TestFrontDesk.open(t);
  t.equal((await quoteRates(desk.services, CALLER, QUERY)).tag, undefined, 'nobody asks for a tag');
  const first = await quoteRates(desk.services, CALLER, QUERY, []);
  t.match(first, { tag: /./, tokens: [/./] });
  const held = await again(desk, first);
  t.match(held, { tag: first.tag, isHeld: true, seq: first.seq });
  t.same(held.tokens, []);
  for (const other of [{ adults: 1 }, { checkOut: DAY + 8 }, { rateType: 'BASE' }, { explain: true }])
    t.notOk((await again(desk, first, other)).isHeld, JSON.stringify(other));
  await desk.running.send(baseRates('DLX', 77_700));
  const changed = await again(desk, first);
  t.notOk(changed.isHeld);
  t.not(changed.tag, first.tag);
});

void t.test(
  'a quote is held for five of the fifteen minutes of its tokens, however often it is asked for',
  async (t) => {
    const desk = await TestFrontDesk.open(t);
    const first = await quoteRates(desk.services, CALLER, QUERY, []);
    desk.running.clock.pass(3 * MINUTE_MS);
    const held = await again(desk, first);
    t.equal(held.isHeld, true);
    desk.running.clock.pass(2 * MINUTE_MS);
    t.equal((await again(desk, held)).isHeld, true);
    desk.running.clock.pass(1);
    const next = await again(desk, held);
    t.notOk(next.isHeld);
    t.not(next.tag, first.tag);
    t.notOk((await again(desk, { ...first, tag: `${first.tag?.slice(0, -1)}zzzz` })).isHeld, 'made in the future');
  },
);

void t.test('a quote with a promo code and one of day use have no tag', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const dayUse = plan({ id: id(801), code: 'DAY', dayUse: [{ rate: 5_000 }] });
  await desk.running.send({ type: 'PUT_RATE_PLAN', plan: dayUse, mode: 'create' });
  const day = { ...QUERY, rateCode: 'DAY', checkOut: DAY + 6, dayUse: true as const };
  await desk.running.send(promotion());
  for (const query of [day, { ...QUERY, promoCode: 'TEN' }]) {
    const quoted = await quoteRates(desk.services, CALLER, query, []);
    t.match(quoted, { tokens: [/./] });
    t.equal(quoted.tag, undefined);
  }
});

void t.test('a batch answers each stay by itself, and counts what it has shown', async (t) => {
  const desk = await TestFrontDesk.open(t);
  const stay = { ...QUERY, explain: undefined };
  const stays = [
    stay,
    { ...stay, roomType: 'NONE' },
    { ...stay, propertyId: 'nobody' as typeof stay.propertyId },
    { ...stay, checkIn: DAY - 9, checkOut: DAY - 8 },
    stay,
  ];
  const settled = await quoteStays(
    desk.services,
    CALLER,
    stays.map((one) => ({ stay: one, fields: FIELDS })),
  );
  const alone = await quoteRates(desk.services, CALLER, QUERY);
  t.match(settled, [
    { status: 'fulfilled', value: { seq: alone.seq, quote: { rates: alone.quote.rates }, tokens: [/./] } },
    { status: 'rejected', reason: { code: 'UNKNOWN_ROOM_TYPE' } },
    { status: 'rejected', reason: { code: 'PROPERTY_NOT_FOUND' } },
    { status: 'rejected', reason: { details: { errors: [{ pointer: '/stays/0/checkIn', code: 'IN_THE_PAST' }] } } },
    { status: 'fulfilled', value: { quote: { rates: alone.quote.rates } } },
  ]);
  t.same(await quoteStays(desk.services, CALLER, []), []);
  const [counted] = desk.services.quoteCounts.take();
  t.equal([...(counted?.stays.values() ?? [])][0]?.shown, 1, 'a search counts once a minute');
});
