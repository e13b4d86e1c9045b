import t from 'tap';

import { ItemRunner } from '../../kernel/operations/item-runner.ts';
import { createReservation } from '../../stay/operations/create-reservation.ts';
import { quiet } from '../../testing/actors/running-host.ts';
import { CALLER, TestFrontDesk, wish } from '../../testing/front-desk.ts';
import { baseRates, DAY, PROPERTY_ID } from '../../testing/property-world.ts';
import type { CountedCell } from '../ports.ts';
import { leadBucket, marketBucket, marketChangeOf, ratioBucket, ratioOf } from '../rules/quote-cells.ts';
import { partyOfPersons } from '../rules/stay.ts';
import { quoteRates } from './quote-rates.ts';
import { QuoteCountStore } from './store-quote-counts.ts';

const query = {
  propertyId: PROPERTY_ID.propertyId,
  checkIn: DAY + 5,
  checkOut: DAY + 7,
  rateCode: 'BAR',
  ...partyOfPersons(2),
  explain: false,
};

async function desk(t: Parameters<typeof TestFrontDesk.open>[0]) {
  const { services, running } = await TestFrontDesk.open(t, { policies: { horizonNights: 120 } });
  const stored: CountedCell[][] = [];
  const state = { isDown: false };
  const counts = new QuoteCountStore({
    ...services,
    storeQuoteCounts: async (_, cells) => {
      if (state.isDown) throw new Error('down');
      stored.push([...cells]);
    },
  });
  const store = async (): Promise<CountedCell[]> => {
    await counts.store(ItemRunner.uncounted(quiet));
    return stored.splice(0).flat();
  };
  return { services, running, store, state };
}

void t.test('each room type that a search has shown counts once, however often it is repeated', async (t) => {
  const { services, store } = await desk(t);
  for (const rateCode of ['BAR', 'BAR', 'FLEX', 'NRF']) await quoteRates(services, CALLER, { ...query, rateCode });
  await quoteRates(services, { ...CALLER, subject: 'another' }, query);
  const cells = await store();
  t.same(
    cells
      .map(({ roomType, shown, booked }) => [roomType, shown, booked])
      .sort((one, other) => String(one).localeCompare(String(other))),
    [
      ['DLX', 2, 0],
      ['STD', 2, 0],
    ],
  );
  t.match(cells[0], {
    arrival: DAY + 5,
    nights: 2,
    lead: leadBucket(5),
    ratio: ratioBucket(1),
    market: 0,
    propertyId: PROPERTY_ID.propertyId,
  });
  t.same(await store(), [], 'and is taken once');
  await quoteRates(services, CALLER, query);
  t.equal((await store()).length, 2, 'the next minute is another one');
});

void t.test('a booking counts in the cell of its quote, though its price has moved since', async (t) => {
  const { services, running, store } = await desk(t);
  const { tokens } = await quoteRates(services, CALLER, { ...query, roomType: 'STD' });
  await createReservation(services, CALLER, wish('tok_visa', { quoteToken: tokens[0] }));
  t.match(await store(), [{ roomType: 'STD', shown: 1, booked: 1 }]);
  await running.send(baseRates('STD', 13_000, DAY + 5, DAY + 6));
  await quoteRates(services, CALLER, { ...query, roomType: 'STD' });
  t.match(await store(), [{ shown: 1, booked: 0, ratio: ratioBucket(1.3) }], 'beside what similar nights cost');
});

void t.test('what is no quote for everybody does not count', async (t) => {
  const { services, store } = await desk(t);
  const ota = { ...wish('tok_visa'), source: { channel: 'OTA' as const } };
  await createReservation(services, CALLER, ota);
  await createReservation(services, CALLER, wish('tok_declined')).catch(() => undefined);
  services.quoteCounts.shown('anybody', PROPERTY_ID, await services.properties.view(PROPERTY_ID), query, [
    { roomType: 'STD', bookable: false },
    { roomType: 'NONE', bookable: true },
  ]);
  t.same(await store(), []);
});

void t.test('a repeat under a key is one booking', async (t) => {
  const { services, store } = await desk(t);
  const body = wish('tok_visa');
  const key = { key: 'the-same', fingerprint: 'body' };
  await createReservation(services, CALLER, body, key);
  t.match(await createReservation(services, CALLER, body, key), { replayed: true });
  t.match(await store(), [{ booked: 1 }]);
});

void t.test('counts wait for a database that is down, and are stored once', async (t) => {
  const { services, store, state } = await desk(t);
  await quoteRates(services, CALLER, query);
  state.isDown = true;
  t.same(await store(), []);
  await quoteRates(services, { ...CALLER, subject: 'another' }, query);
  t.same(await store(), []);
  state.isDown = false;
  t.equal(
    (await store()).reduce((sum, { shown }) => sum + shown, 0),
    4,
  );
  t.same(await store(), []);
});

void t.test('buckets have their prices in the middle, and ends for what is outside', async (t) => {
  for (const ratio of [0.5, 0.98, 1, 1.15, 1.999]) t.ok(Math.abs(ratioOf(ratioBucket(ratio)) - ratio) <= 0.0251);
  t.same([0, 0.1, 9].map(ratioBucket), [0, 0, 29]);
  t.same([ratioBucket(1.1), ratioBucket(1.15), ratioBucket(1.2)], [12, 13, 14]);
  t.same([marketBucket(undefined), marketChangeOf(0)], [0, 0]);
  t.ok(Math.abs(marketChangeOf(marketBucket(1.2)) - 0.2) <= 0.0251);
  t.same([-1, 0, 1, 29, 5_000].map(leadBucket), [0, 0, 1, 4, 10]);
});
