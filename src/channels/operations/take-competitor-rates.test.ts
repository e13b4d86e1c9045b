import t from 'tap';

import type { CompetitorRates } from '../../competitors/ports.ts';
import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import { TestFrontDesk } from '../../testing/front-desk.ts';
import { DAY, PROPERTY_ID, NOW, plan } from '../../testing/property-world.ts';
import { rateRecord } from '../../testing/taken-events.ts';
import { takeCompetitorRates } from './take-competitor-rates.ts';

t.test('rates that arrive as events must fit the property, and are stored beside those of feeds', async (t) => {
  const { services, running } = await TestFrontDesk.open(t);
  const added: unknown[] = [];
  const add: CompetitorRates['add'] = async (...of) => void added.push(of);
  const night = { roomType: 'STD', day: DAY, median: 10_000, low: 10_000, high: 10_000, count: 1, observedAt: NOW };
  const market: CompetitorRates['market'] = async () => (added.length > 0 ? [night] : []);
  const desk = { ...services, competitors: { add, market } as CompetitorRates };
  const refused = async (fields: Record<string, unknown>, reason: string): Promise<void> =>
    void (await t.rejects(takeCompetitorRates(desk, rateRecord(fields)), { name: 'InvalidRecord', reason }));
  await refused({ currency: 'USD' }, 'CURRENCY_MISMATCH');
  await refused({ date: '2026-05-31' }, 'DATE_OUTSIDE_HORIZON');
  await refused({ date: '2026-02-30' }, 'MALFORMED');
  await refused({ roomType: 'NONE' }, 'UNKNOWN_ROOM_TYPE');
  await refused({ observedAt: NOW + 600_000 }, 'TIMESTAMP_AHEAD');
  await refused({ rate: '100.005' }, 'MALFORMED');
  await refused({ propertyId: 'none' }, 'UNKNOWN_PROPERTY');
  await refused({ tenantId: null }, 'NO_TENANT');
  t.same(added, []);
  t.same(await takeCompetitorRates(desk, rateRecord()), { effect: 'taken' });
  const rate = { competitorId: 'plaza', roomType: 'STD', day: DAY, rate: 10_000, currency: 'EUR', observedAt: NOW };
  t.same(added, [[PROPERTY_ID, 'events', [rate]]]);
  const last = running.store.properties.get(addressKey(PROPERTY_ID))!.journal.at(-1)!;
  t.match(last, { type: 'NOTE_MARKET', facts: { market: [['STD', DAY, 10_000, 10_000, 10_000, 1, NOW]] } });
});

t.test('a property whose prices follow the market is looked at, and the record is ours until then', async (t) => {
  const { services, running } = await TestFrontDesk.open(t);
  await running.send({ type: 'PUT_RATE_PLAN', plan: plan({ code: 'DYN', strategy: 'DYNAMIC' }), mode: 'create' });
  const asked: Address[] = [];
  const desk = {
    ...services,
    competitors: { add: async () => {}, market: async () => [] } as unknown as CompetitorRates,
    repricing: { ask: async (to: Address) => void asked.push(to) },
  };
  const { effect, follows } = await takeCompetitorRates(desk, rateRecord());
  t.equal(effect, 'taken');
  await follows;
  t.same(asked, [PROPERTY_ID]);
});
