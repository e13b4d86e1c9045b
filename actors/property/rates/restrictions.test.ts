import t from 'tap';

import { formatDay } from '../../../src/kernel/rules/dates.ts';
import type { RestrictionChange } from '../../../src/rates/rules/restriction.ts';
import { partyOfPersons } from '../../../src/rates/rules/stay.ts';
import { codeOf, Scene } from '../../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  DAY,
  modifyCommand,
  plan,
  restrict,
  roomType,
  startBookingCommand,
  stayWish,
  NOW,
} from '../../../src/testing/property-world.ts';
import { stayLimitsOf } from './restrictions.ts';

const QUERY = { checkIn: DAY + 5, checkOut: DAY + 7, rateCode: 'BAR', ...partyOfPersons(2) };

/** Each rule, a stay of days 5 and 6 that it forbids, and the day that is named. */
const RULES: [string, RestrictionChange, number[], number][] = [
  ['MIN_STAY', { minStayArrival: 3 }, [5], 5],
  ['MAX_STAY', { maxStayArrival: 1 }, [5], 5],
  ['MIN_STAY', { minStayThrough: 3 }, [6], 6],
  ['MAX_STAY', { maxStayThrough: 1 }, [6], 6],
  ['CLOSED_TO_ARRIVAL', { closedToArrival: true }, [5], 5],
  ['CLOSED_TO_DEPARTURE', { closedToDeparture: true }, [7], 7],
  ['STOP_SELL', { stopSell: true }, [6], 6],
  ['MIN_ADVANCE', { minAdvance: 6 }, [5], 5],
  ['MAX_ADVANCE', { maxAdvance: 4 }, [5], 5],
];

for (const [code, change, [day], named] of RULES) {
  const [rule] = Object.keys(change);
  void t.test(`${rule} refuses as ${code} and names day ${named}`, async (t) => {
    const scene = Scene.property();
    scene.accept(restrict(change, { start: DAY + day!, end: DAY + day! }));
    const error = scene.refuse(bookCommand());
    t.equal(error.code, code);
    t.equal(error.details.date, formatDay(DAY + named));
    t.ok(error.details.alternatives!.length > 0, 'and says what could be had');
    const { rates, unavailable } = scene.view.quote(QUERY, NOW);
    t.same(
      rates.map(({ roomType }) => roomType),
      ['DLX'],
    );
    t.match(unavailable, [{ roomType: 'STD', code, date: formatDay(DAY + named) }]);
    scene.accept(bookCommand({ stay: { roomType: 'DLX' } }));
    scene.accept(bookCommand({ stay: { rateCode: 'FLEX' } }));
  });

  void t.test(`${rule} on days that the stay does not have leaves it alone`, async () => {
    const scene = Scene.property();
    for (const other of [3, 4, 5, 6, 7, 8]) {
      const meets = rule!.endsWith('Through') || rule === 'stopSell' ? other === 5 || other === 6 : other === day;
      if (!meets) scene.accept(restrict(change, { start: DAY + other, end: DAY + other }));
    }
    scene.accept(bookCommand());
  });
}

void t.test('every alternative of an error could be booked', async (t) => {
  const scene = Scene.property();
  scene.accept(restrict({ minStayArrival: 3 }, { roomType: undefined, start: DAY + 4, end: DAY + 6 }));
  scene.accept(restrict({ closedToDeparture: true }, { start: DAY + 8, end: DAY + 9 }));
  const { alternatives } = scene.refuse(bookCommand()).details;
  t.equal(alternatives!.length, 3);
  t.same(alternatives![0], { roomType: 'STD', checkIn: formatDay(DAY + 5), checkOut: formatDay(DAY + 10) });
  for (const { roomType, checkIn, checkOut } of alternatives!) {
    const days = { checkIn: DAY + dayAfter(checkIn), checkOut: DAY + dayAfter(checkOut) };
    scene.accept(bookCommand({ stay: { roomType, ...days } }));
  }
});

const dayAfter = (date: string): number => Date.parse(date) / 86_400_000 - DAY;

void t.test('a change sets what it names, keeps what it does not, and null takes away', async (t) => {
  const scene = Scene.property();
  const here = () =>
    scene.state.restrictions
      .get('BAR')
      ?.get('STD')
      ?.get(DAY + 5);
  scene.accept(restrict({ minStayArrival: 3, stopSell: true }));
  scene.accept(restrict({ maxStayThrough: 9, stopSell: false }));
  t.same(here(), { minStayArrival: 3, maxStayThrough: 9 });
  scene.accept(restrict({ minStayArrival: null }));
  t.same(here(), { maxStayThrough: 9 });
  scene.accept(restrict({ maxStayThrough: null }));
  t.equal(here(), undefined);
  t.equal(scene.state.restrictions.get('BAR')!.size, 0, 'nothing is retained of past nights');
});

void t.test('absent codes mean every plan and type, weekdays narrow the period', async (t) => {
  const scene = Scene.property();
  const all = { rateCode: undefined, roomType: undefined, weekdays: ['SATURDAY' as const] };
  t.match(scene.accept(restrict({ stopSell: true }, all)), { cells: 3 * 2 * 3 });
  for (const rateCode of ['BAR', 'FLEX', 'NRF'])
    t.equal(scene.refuse(bookCommand({ stay: { rateCode } })).code, 'STOP_SELL', `${rateCode}: day 5 is a Saturday`);
  scene.accept(bookCommand({ stay: { checkIn: DAY + 6, checkOut: DAY + 8 } }));
  t.equal(
    codeOf(() => scene.accept(restrict({}, { rateCode: 'NOPE' }))),
    'UNKNOWN_RATE_CODE',
  );
  t.equal(
    codeOf(() => scene.accept(restrict({}, { roomType: 'NOPE' }))),
    'UNKNOWN_ROOM_TYPE',
  );
});

void t.test('a changed reservation is held only to rules that it newly meets', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand());
  const on = (offset: number) => ({ start: DAY + offset, end: DAY + offset });
  scene.accept(restrict({ closedToArrival: true, stopSell: true, minAdvance: 20 }, on(5)));
  scene.accept(restrict({ closedToDeparture: true }, on(7)));
  scene.accept(modifyCommand(reservation.id, { adults: 1 }));
  scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 8 }));
  t.equal(
    codeOf(() => scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 7 }))),
    'CLOSED_TO_DEPARTURE',
  );
  scene.accept(restrict({ stopSell: true }, on(8)));
  t.equal(
    codeOf(() => scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 9 }))),
    'STOP_SELL',
  );
  scene.accept(modifyCommand(reservation.id, { checkIn: DAY + 6, checkOut: DAY + 8 }));
  t.equal(
    codeOf(() => scene.accept(modifyCommand(reservation.id, { checkIn: DAY + 5, checkOut: DAY + 8 }))),
    'CLOSED_TO_ARRIVAL',
  );
});

void t.test('limits of a quote are the strictest of plan and restrictions', async (t) => {
  const scene = Scene.property();
  scene.accept(restrict({ minStayArrival: 2, maxStayArrival: 12, minAdvance: 3 }));
  scene.accept(restrict({ minStayThrough: 1, maxStayThrough: 9 }, { start: DAY + 6, end: DAY + 6 }));
  const strict = { minimumStay: 2, maximumStay: 9, advanceBooking: 3 };
  t.same(stayLimitsOf(scene.state, plan(), stayWish()), strict);
  const { rates, restrictions } = scene.view.quote(QUERY, NOW);
  t.same(restrictions, strict);
  t.match(
    rates.map((rate) => rate.restrictions),
    [strict, { minimumStay: 1, maximumStay: 30, advanceBooking: 0 }],
  );
});

void t.test('restrictions of past days leave memory at the roll', async (t) => {
  const scene = Scene.property();
  scene.accept(restrict({ closedToArrival: true }, { start: DAY, end: DAY + 1 }));
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  t.same([...scene.state.restrictions.get('BAR')!.get('STD')!.keys()], [DAY + 1]);
  scene.accept(baseRates('STD', 1, DAY + 1));
});

void t.test('a room type that goes takes its restrictions along', async () => {
  const scene = Scene.property();
  scene.accept(restrict({ stopSell: true }));
  scene.accept({ type: 'REMOVE_ROOM_TYPE', roomType: 'STD' });
  scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 3), mode: 'create' });
  scene.accept(baseRates('STD', 10_000));
  scene.accept(bookCommand());
});

void t.test('a night is closed when no plan sells it', async (t) => {
  const scene = Scene.property();
  const all = { rateCode: undefined, start: DAY + 5, end: DAY + 5 };
  scene.accept(restrict({ stopSell: true }, all));
  t.ok(scene.view.isClosed('STD', DAY + 5));
  t.notOk(scene.view.isClosed('DLX', DAY + 5));
  scene.accept(restrict({ stopSell: false }, { ...all, rateCode: 'NRF' }));
  t.notOk(scene.view.isClosed('STD', DAY + 5));
});

void t.test(
  'nights outside of the window are refused by name, and so many at once that no call could hold them',
  async (t) => {
    const scene = Scene.property({ policies: { horizonNights: 1_095 } });
    const { details } = scene.refuse(restrict({ stopSell: true }, { start: DAY - 1, end: DAY + 1_096 }));
    t.same(
      details.errors?.map(({ pointer, code }) => `${pointer} ${code}`),
      ['/startDate IN_THE_PAST', '/endDate BEYOND_HORIZON'],
    );
    for (let n = 0; n < 8; n++)
      scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType(`T${n}`, 1), mode: 'create' });
    const every = { rateCode: undefined, roomType: undefined, start: DAY, end: DAY + 364 };
    t.match(scene.refuse(restrict({ stopSell: true }, every)), {
      code: 'VALIDATION_FAILED',
      details: { errors: [{ pointer: '/endDate', code: 'TOO_MANY_NIGHTS' }] },
    });
    t.match(scene.accept(restrict({ stopSell: true }, { ...every, end: DAY + 330 })), { cells: 331 * 30 });
  },
);

void t.test('what is set for all plans holds for a plan that comes later', async (t) => {
  const scene = Scene.property();
  const days = { start: DAY + 5, end: DAY + 6 };
  scene.accept(restrict({ stopSell: true }, { ...days, rateCode: undefined, roomType: undefined }));
  scene.accept(restrict({ minStayArrival: 3 }, { start: DAY + 8, end: DAY + 8, rateCode: 'BAR' }));
  scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ code: 'LATER' }), mode: 'create' });
  const stay = { rateCode: 'LATER' };
  t.equal(scene.refuse(bookCommand({ stay })).code, 'STOP_SELL');
  scene.accept(bookCommand({ stay: { ...stay, checkIn: DAY + 8, checkOut: DAY + 9 } }));
});

void t.test('who overrides restrictions sells in spite of them, and the timeline says why', async (t) => {
  const scene = Scene.property();
  scene.accept(restrict({ stopSell: true }, { start: DAY + 6, end: DAY + 8 }));
  const override = { reason: 'wedding of the owner' };
  const { reservation } = scene.accept(bookCommand({ override }));
  t.match(reservation.timeline, [{ event: 'CREATED', notes: 'Restrictions overridden: wedding of the owner' }]);
  const longer = modifyCommand(reservation.id, { checkOut: DAY + 8 });
  t.equal(scene.refuse(longer).code, 'STOP_SELL');
  t.match(scene.accept({ ...longer, override }).reservation.timeline.at(-1), { notes: /overridden/ });
});

void t.test('the journal has the reason of an override, as its guest is encrypted', async (t) => {
  const scene = Scene.property();
  scene.accept(restrict({ stopSell: true }, { start: DAY + 6, end: DAY + 8 }));
  const override = { reason: 'wedding of the owner', sealed: 'ciphertext' };
  const said = () => scene.last.entries.at(-1)!.facts.details;
  const { reservation } = scene.accept(bookCommand({ override }));
  t.match(said(), [{ override: 'ciphertext', currency: 'EUR' }]);
  scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 8 }, { override }));
  t.match(said(), [{ override: 'ciphertext' }]);
  scene.accept(startBookingCommand({ override }));
  t.match(said(), [{ override: 'ciphertext' }]);
  t.notMatch(JSON.stringify(scene.last.entries), /wedding/);
});

void t.test('several room types are restricted by one command, all or none, as one after the other', (t) => {
  const scene = Scene.property();
  const other = Scene.property();
  for (const one of [scene, other]) {
    one.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('STE', 2), mode: 'create' });
    one.accept(restrict({ minStayArrival: 2 }, { start: DAY, end: DAY + 3 }));
  }
  const nights = { start: DAY, end: DAY + 1, change: { minStayArrival: null, stopSell: true } };
  const types = (roomType: string, otherTypes?: string[]) => ({
    type: 'SET_RESTRICTIONS' as const,
    roomType,
    ...(otherTypes && { otherTypes }),
    ...nights,
  });
  t.equal(scene.refuse(types('STD', ['NONE'])).code, 'UNKNOWN_ROOM_TYPE');
  t.match(scene.view.restrictions(DAY, DAY, { roomType: 'STD', rateCode: 'BAR' }), [
    { restriction: { minStayArrival: 2 } },
  ]);
  scene.accept(types('STD', ['DLX']));
  other.accept(types('STD'));
  other.accept(types('DLX'));
  t.same(scene.view.restrictions(DAY, DAY + 5, {}), other.view.restrictions(DAY, DAY + 5, {}));
  t.end();
});
