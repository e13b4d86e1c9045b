import t from 'tap';

import type { Services } from '../../../kernel/operations/services.ts';
import { TestFrontDesk } from '../../../testing/front-desk.ts';
import { bookCommand, DAY, PROPERTY_ID } from '../../../testing/property-world.ts';
import { groupQuoteBody } from '../../contracts/group-quote.ts';
import type { PropertyHistory } from '../../rules/forecast/property-forecast.ts';
import { quoteGroup } from './quote-group.ts';

const caller = { tenantId: PROPERTY_ID.tenantId, subject: 'manager', role: 'MANAGER' } as never;
const block = (over: object = {}) => ({
  propertyId: PROPERTY_ID.propertyId,
  checkIn: DAY + 5,
  checkOut: DAY + 7,
  rooms: [{ roomType: 'STD', count: 2 }],
  commissionPercent: 0,
  ...over,
});

/** A desk whose property is expected to sell so many more rooms a night; without a number its own forecast. */
async function desk(t: Parameters<typeof TestFrontDesk.open>[0], more?: number) {
  const { services, running } = await TestFrontDesk.open(t);
  const run: Services['computer']['run'] = async (task, input, onProgress) => {
    if (task !== 'forecastProperty' || more === undefined) return services.computer.run(task, input, onProgress);
    const nights = Array.from((input as PropertyHistory).sold, (sold, n) => ({
      night: DAY + n,
      expected: sold + more,
      low: sold,
      high: sold + 2 * more,
      deviation: 1,
      confidence: 0.8,
      method: 'pickup',
    }));
    return { nights, usual: 50 } as never;
  };
  return { services: { ...services, computer: { run } }, running };
}

t.test('a block must bring what it displaces, its costs and its commission', async (t) => {
  const { services } = await desk(t, 4);
  const quote = await quoteGroup(services, caller, block());
  t.match(quote, { method: 'pickup', bidPrices: 'PROGRAM', confidence: 'MEDIUM' });
  t.same(
    quote.nights.map(({ day, roomType, rooms, available }) => [day, roomType, rooms, available]),
    [
      [DAY + 5, 'STD', 2, 3],
      [DAY + 6, 'STD', 2, 3],
    ],
  );
  for (const { displacedRooms, displacedRevenue, minimumRate } of quote.nights) {
    t.ok(displacedRooms > 0.5 && displacedRooms <= 2, `${displacedRooms}`);
    t.equal(minimumRate, Math.ceil(displacedRevenue / 2));
    t.ok(minimumRate > 2_000 && minimumRate < 30_000, `${minimumRate}`);
  }
  t.equal(
    quote.minimumTotal,
    quote.nights.reduce((sum, { minimumRate }) => sum + 2 * minimumRate, 0),
  );
  const costly = await quoteGroup(services, caller, block({ commissionPercent: 20, costPerRoomNight: 1_500 }));
  for (const [index, { minimumRate, displacedRevenue }] of costly.nights.entries()) {
    t.equal(displacedRevenue, quote.nights[index]!.displacedRevenue);
    t.ok(Math.abs(minimumRate * 0.8 - displacedRevenue / 2 - 1_500) < 1);
  }
});

t.test('no night is dearer than its rate, however long the stays are that it displaces', async (t) => {
  const { services } = await desk(t, 40);
  const { rate } = (await services.properties.view(PROPERTY_ID)).rateNights(DAY + 5, DAY + 5)[0]!;
  for (const over of [{ checkOut: DAY + 6 }, { checkOut: DAY + 9 }])
    for (const { minimumRate, displacedRevenue } of (await quoteGroup(services, caller, block(over))).nights)
      t.ok(minimumRate <= rate && displacedRevenue <= 2 * rate, `${minimumRate} and ${displacedRevenue} of ${rate}`);
});

t.test('a block in a property that nobody else wants costs nothing, and more where more is expected', async (t) => {
  const totals: number[] = [];
  for (const more of [0, 1, 4]) {
    const { services } = await desk(t, more);
    totals.push((await quoteGroup(services, caller, block())).minimumTotal);
  }
  t.equal(totals[0], 0);
  t.ok(totals[1]! > 0 && totals[2]! > totals[1]!, `${totals}`);
});

t.test('without a history the answer names the typical curve, and its confidence is low', async (t) => {
  const { services } = await desk(t);
  t.match(await quoteGroup(services, caller, block()), { method: 'curve', confidence: 'LOW' });
});

t.test('nights without the rooms, without a rate and unknown room types are named', async (t) => {
  const { services, running } = await desk(t, 1);
  const refused = (over: object, error: { code: string; message?: RegExp }) =>
    t.rejects(quoteGroup(services, caller, block(over)), error);
  await running.send(bookCommand({ stay: { checkIn: DAY + 6, checkOut: DAY + 7 } }));
  await refused({ rooms: [{ roomType: 'STD', count: 3 }] }, { code: 'ROOM_NOT_AVAILABLE', message: /2 rooms left/ });
  await refused({ checkIn: DAY + 700, checkOut: DAY + 702 }, { code: 'NO_RATE' });
  await refused({ checkIn: DAY - 3, checkOut: DAY + 1 }, { code: 'NO_RATE' });
  await refused({ rooms: [{ roomType: 'NOPE', count: 1 }] }, { code: 'UNKNOWN_ROOM_TYPE' });
});

t.test('a block without a night is refused', async (t) => {
  const body = { propertyId: 'anchor', checkIn: '2999-03-01', rooms: [{ roomType: 'STD', count: 1 }] };
  t.match(groupQuoteBody.safeParse({ ...body, checkOut: '2999-03-02' }), { success: true });
  const refused = groupQuoteBody.safeParse({ ...body, checkOut: '2999-03-01' });
  t.match(refused.error?.issues, [{ path: ['checkOut'], params: { field: 'ZERO_NIGHTS' } }]);
});
