import t from 'tap';

import { partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import { bookCommand, DAY, id, plan, restrict, NOW } from '../../../src/testing/property-world.ts';

const ASK = partyOfPersons(2);
const OPEN = { policies: { paymentRequired: false } };

/** Plans that price by themselves, by the stay, from a parent, and only for some days. */
function property(): Scene {
  const scene = Scene.property(OPEN);
  const plans = [
    plan({ id: id(901), code: 'WEB', parentCode: 'BAR', adjustmentPercent: -5, minAdvanceBooking: 20 }),
    plan({ id: id(902), code: 'LATE', strategy: 'LASTMINUTE' }),
    plan({ id: id(903), code: 'DYN', strategy: 'DYNAMIC', adjustmentPercent: -1 }),
    plan({ id: id(904), code: 'WEEK', adjustmentPercent: -50, validFrom: DAY + 8, validTo: DAY + 9 }),
  ];
  for (const one of plans) scene.accept({ type: 'PUT_RATE_PLAN', plan: one, mode: 'create' });
  return scene;
}

t.test('a day costs what the cheapest quote for a night from it costs', (t) => {
  const scene = property();
  for (let n = 0; n < 3; n++)
    scene.accept(bookCommand({ stay: { roomType: 'STD', checkIn: DAY + 12, checkOut: DAY + 14 } }));
  scene.accept(restrict({ stopSell: true }, { start: DAY + 5, end: DAY + 6 }));
  scene.accept(restrict({ maxAdvance: 3 }, { start: DAY + 16, end: DAY + 17, rateCode: 'DYN' }));
  for (let look = 0; look < 2; look++)
    for (const { day, rate, roomType, rateCode, available } of scene.view.calendar({
      start: DAY,
      end: DAY + 29,
      ...ASK,
    })) {
      const offers = [...scene.state.plans.keys()].flatMap((code) => {
        const query = { ...ASK, checkIn: day, checkOut: day + 1, rateCode: code };
        return scene.view.quote(query, NOW).rates.filter(({ bookable }) => bookable);
      });
      const cheapest = Math.min(...offers.map(({ total }) => total));
      t.equal(rate, cheapest, `day ${day - DAY}, look ${look}`);
      const same = offers.find((offer) => offer.roomType === roomType && offer.rateCode === rateCode);
      t.equal(same?.total, cheapest);
      t.ok(available! > 0);
    }
  t.end();
});

t.test('a day says what limits it, and nothing where nothing is left', (t) => {
  const scene = property();
  const closing = { start: DAY + 3, end: DAY + 3, rateCode: 'DYN' };
  scene.accept(restrict({ minStayArrival: 3, closedToArrival: true }, closing));
  t.match(
    scene.view.calendar({ start: DAY + 3, end: DAY + 3, ...ASK, rateCode: 'DYN' }),
    [{ roomType: 'DLX', closedToArrival: false, stay: { checkIn: DAY + 3, checkOut: DAY + 4 } }],
    'who arrives can have the other type',
  );
  scene.accept(restrict({ minStayArrival: 3, closedToArrival: true }, { ...closing, roomType: undefined }));
  for (const roomType of ['STD', 'DLX'])
    for (let n = 0; n < 3; n++)
      if (roomType === 'STD' || n < 2)
        scene.accept(bookCommand({ stay: { roomType, checkIn: DAY + 6, checkOut: DAY + 7 } }));
  const ask = { start: DAY + 3, end: DAY + 6, ...ASK, rateCode: 'DYN' };
  const [limited, , , full] = scene.view.calendar(ask);
  t.match(limited, { rateCode: 'DYN', restrictions: { minimumStay: 3 }, closedToArrival: true });
  t.same(limited!.stay, { checkIn: DAY + 2, checkOut: DAY + 4 }, 'of who has arrived the day before');
  t.same(full, { day: DAY + 6, rate: null });
  t.match(scene.view.calendar({ ...ask, roomType: 'DLX' })[1], { roomType: 'DLX' });
  t.same(
    scene.view.calendar({ ...ask, adults: 9, end: DAY + 3 }),
    [{ day: DAY + 3, rate: null }],
    'nobody sleeps nine',
  );
  t.end();
});

t.test('a booking and a signal are seen by the next look', (t) => {
  const scene = property();
  const ask = { start: DAY + 10, end: DAY + 10, ...ASK, roomType: 'STD', rateCode: 'DYN' };
  const rates = [scene.view.calendar(ask)[0]!.rate!];
  scene.accept(bookCommand({ stay: { checkIn: DAY + 10, checkOut: DAY + 11 } }));
  rates.push(scene.view.calendar(ask)[0]!.rate!);
  scene.accept({ type: 'SET_SIGNALS', roomType: 'STD', nights: [{ day: DAY + 10, demand: 20 }] });
  rates.push(scene.view.calendar(ask)[0]!.rate!);
  t.ok(rates[0]! < rates[1]! && rates[1]! < rates[2]!, `${rates}`);
  t.end();
});

t.test('what a company has agreed on is a price for nobody else, but shown to who names the plan', (t) => {
  const scene = property();
  const [{ rate } = {}] = scene.view.calendar({ start: DAY + 3, end: DAY + 3, ...ASK });
  const corporate = plan({ id: id(905), code: 'CORP', adjustmentPercent: -30, guarantee: 'COMPANY' });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: corporate, mode: 'create' });
  const [day] = scene.view.calendar({ start: DAY + 3, end: DAY + 3, ...ASK });
  t.equal(day!.rate, rate);
  const [named] = scene.view.calendar({ start: DAY + 3, end: DAY + 3, ...ASK, rateCode: 'CORP' });
  t.match(named, { rateCode: 'CORP' });
  t.ok(named!.rate! < rate!);
  t.end();
});
