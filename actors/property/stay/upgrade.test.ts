import t from 'tap';

import { billOf } from '../../../src/money/rules/folio.ts';
import { invoiceOf } from '../../../src/money/rules/invoice.ts';
import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import { postingsOn } from '../../../src/money/rules/posting-days.ts';
import { folioOf } from '../../../src/money/rules/postings.ts';
import { type Policies } from '../../../src/properties/rules/property.ts';
import { packNight, unpackNight } from '../../../src/stay/storage/packed-night.ts';
import { paidStays } from '../../../src/testing/actors/paid-stays.ts';
import { plain, Scene } from '../../../src/testing/actors/scene.ts';
import {
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  compCommand,
  DAY,
  group,
  modifyCommand,
  noShowCommand,
  plainRoom,
  upgradeCommand,
} from '../../../src/testing/property-world.ts';

/** 100.00, ten percent of tax, and 2.00 a person. */
const NIGHT = 11_400;
/** 30.00 and ten percent of tax. */
const SURCHARGE = 3_300;

function opened(policies: Partial<Policies> = {}) {
  const scene = Scene.property({ policies });
  const rooms = [plainRoom('101'), plainRoom('201', { roomType: 'DLX' }), plainRoom('202', { roomType: 'DLX' })];
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return { scene, ...paidStays(scene) };
}

const tonight = (nights: number) => ({ stay: { checkIn: DAY, checkOut: DAY + nights } });
const desk = { modifiedBy: 'desk', reason: 'asked' };

void t.test(
  'the surcharge is a line of each night, taxed as the room; the booked price stays as it was',
  async (t) => {
    const { scene, buy, now } = opened();
    const id = buy();
    const result = scene.accept(upgradeCommand(id, { reason: 'Honeymoon' }));
    t.match(result, { previousRoomType: 'STD', from: DAY + 5, additional: 2 * SURCHARGE });
    t.ok(result.dueDate! > scene.now);
    const it = now(id);
    t.match(it, {
      stay: { roomType: 'DLX', rateCode: 'BAR' },
      bookedRoomType: 'STD',
      roomNumber: undefined,
      version: 2,
    });
    const surcharge = { rate: 3_000, taxes: 300 };
    t.same(it.nights[0], { day: DAY + 5, rate: 13_000, taxes: 1_300, fees: 400, surcharge });
    t.match(billOf(it), { total: 2 * (NIGHT + SURCHARGE), balance: 2 * SURCHARGE });
    t.match([scene.cell(DAY + 5), scene.cell(DAY + 5, 'DLX')], [{ booked: 0 }, { booked: 1 }]);
    t.match(it.timeline.at(-1), { event: 'MODIFIED', notes: 'Upgrade from STD to DLX, 30.00 a night: Honeymoon' });
    const lines = invoiceOf(it).lines.map(({ description, code, amount, taxes }) => [
      description,
      code,
      amount,
      taxes,
    ]);
    t.same(lines.slice(0, 2), [
      ['Night, DLX', 'NIGHT', 10_000, 1_000],
      ['Upgrade to DLX', 'UPGRADE', 3_000, 300],
    ]);
    const [guest] = folioOf(it, DAY + 8, () => DAY);
    const posted = guest!.postings.filter(({ code }) => code === 'UPGRADE');
    t.match(posted, [{ kind: 'ROOM', amount: SURCHARGE, taxes: [{ amount: 300 }] }, { amount: SURCHARGE }]);
    for (const night of it.nights) t.same(unpackNight(JSON.parse(JSON.stringify(packNight(night)))), night);
    assertMoney(it);
  },
);

void t.test('a type that is sold out on one of the nights is refused, and nothing has changed', async (t) => {
  const { scene, buy, now } = opened();
  const id = buy();
  for (let rooms = 0; rooms < 2; rooms++) buy({ stay: { checkIn: DAY + 6, checkOut: DAY + 7, roomType: 'DLX' } });
  const before = structuredClone([plain(scene.state), now(id)]);
  t.match(scene.refuse(upgradeCommand(id)), { code: 'ROOM_NOT_AVAILABLE' });
  t.same([plain(scene.state), now(id)], before);
  const other = buy({ stay: { roomType: 'DLX' as const, checkIn: DAY + 8, checkOut: DAY + 9 } });
  t.match(scene.refuse(upgradeCommand(other, { roomType: 'STD' })), { code: 'WRONG_ROOM_TYPE' });
  t.match(scene.refuse(upgradeCommand(other)), { code: 'WRONG_ROOM_TYPE' });
  t.match(scene.refuse(upgradeCommand(id, { roomType: 'XXL' })), { code: 'UNKNOWN_ROOM_TYPE' });
  t.match(scene.refuse(upgradeCommand(id, { ifVersion: 9 })), { code: 'STALE_VERSION' });
  scene.accept(upgradeCommand(buy({ stay: { checkIn: DAY + 2, checkOut: DAY + 3 } }), { dryRun: true }));
  t.match(scene.cell(DAY + 2, 'DLX'), { booked: 0 }, 'a dry run moves nobody');
});

void t.test('an amount for all nights is parted among them, and one of 0 is a free upgrade', async (t) => {
  const { scene, buy, now } = opened();
  const three = buy({ stay: { checkIn: DAY + 5, checkOut: DAY + 8 } });
  scene.accept(upgradeCommand(three, {}, { amount: 1_000 }));
  t.same(
    now(three).nights.map(({ surcharge }) => surcharge!.rate),
    [333, 334, 333],
  );
  const free = buy();
  t.match(scene.accept(upgradeCommand(free, { reason: 'Birthday' }, { amount: 0 })), {
    additional: 0,
    dueDate: null,
  });
  t.same(now(free).nights[0], { day: DAY + 5, rate: 10_000, taxes: 1_000, fees: 400 });
  t.match(now(free).timeline.at(-1), { notes: 'Upgrade from STD to DLX, free: Birthday' });
});

void t.test('a guest in house moves at once to a ready room, for the nights that are left', async (t) => {
  const { scene, buy, now, roll } = opened();
  const id = buy(tonight(3));
  scene.accept(checkInCommand(id));
  roll();
  scene.accept(upgradeCommand(id));
  const it = now(id);
  t.match(it, { roomNumber: '201', roomFixed: true, status: 'CHECKED_IN', stay: { roomType: 'DLX' } });
  t.same(
    it.nights.map(({ rate }) => rate),
    [10_000, 13_000, 13_000],
  );
  const rooms = ['101', '201'].map((number) => scene.state.rooms.get(number));
  t.match(rooms, [
    { status: 'DIRTY', reservationId: undefined },
    { status: 'OCCUPIED', reservationId: id },
  ]);
  t.match(scene.last.entries[0]!.facts.setup, [
    { kind: 'room', id: '201' },
    { kind: 'room', id: '101' },
  ]);
  t.match([scene.cell(DAY + 1), scene.cell(DAY + 1, 'DLX')], [{ booked: 0 }, { booked: 1 }]);
  t.match(postingsOn(it, DAY), [{ rooms: 10_000 }], 'the night that is over keeps its price');
  t.match(postingsOn(it, DAY + 1), [{ rooms: 13_000, taxes: 1_300 }]);
  const other = buy({ stay: { checkIn: DAY + 1, checkOut: DAY + 2 } });
  t.match(scene.refuse(upgradeCommand(other, { roomNumber: '201' })), { code: 'ROOM_TAKEN' });
  t.match(scene.refuse(upgradeCommand(other, { roomNumber: '101' })), { code: 'WRONG_ROOM_TYPE' });
  t.match(scene.refuse(upgradeCommand(other, { roomNumber: '999' })), { code: 'ROOM_NOT_FOUND' });
  scene.accept(upgradeCommand(other, { roomNumber: '202' }));
  t.match(now(other), { roomNumber: '202', roomFixed: true, status: 'CONFIRMED' });
});

void t.test('nights that are not stayed take their surcharge with them, as the terms have it', async (t) => {
  const { scene, buy, now, roll } = opened({ earlyDepartureNights: 0 });
  const left = buy(tonight(3));
  scene.accept(upgradeCommand(left));
  scene.accept(checkInCommand(left));
  roll();
  scene.accept(checkOutCommand(left, { forced: true }));
  t.match(billOf(now(left)), { total: NIGHT + SURCHARGE });
  const missed = buy({ stay: { checkIn: DAY + 1, checkOut: DAY + 3 } });
  scene.accept(upgradeCommand(missed));
  scene.accept(noShowCommand(missed));
  t.match(now(missed).cancellation, { penalty: NIGHT + SURCHARGE }, 'the first night, with what it costs');
  const cancelled = buy({ stay: { checkIn: DAY + 20, checkOut: DAY + 22 } });
  scene.accept(upgradeCommand(cancelled));
  scene.accept(cancelCommand(cancelled));
  t.match(now(cancelled).cancellation, { penalty: 0, refund: 2 * NIGHT });
});

void t.test('a change keeps the surcharge of nights that stay, and the price of the booked ones', async (t) => {
  const { scene, buy, now } = opened();
  const id = buy();
  scene.accept(upgradeCommand(id));
  scene.accept(modifyCommand(id, { nights: 3 }, desk));
  t.same(
    now(id).nights.map(({ rate }) => rate),
    [13_000, 13_000, 15_000],
    'a new night is one of the new type',
  );
  scene.accept(modifyCommand(id, { adults: 1 }, desk));
  t.match(now(id).nights[0], { rate: 13_000, fees: 200, surcharge: { rate: 3_000 } });
  scene.accept(modifyCommand(id, { roomType: 'STD' }, desk));
  t.match(now(id), { bookedRoomType: undefined, nights: [{ rate: 10_000, surcharge: undefined }] });
});

void t.test('a guest who moves back to the type that he booked pays no surcharge from then on', async (t) => {
  const { scene, buy, now, roll } = opened();
  const id = buy(tonight(3));
  scene.accept(upgradeCommand(id));
  scene.accept(checkInCommand(id));
  roll();
  scene.accept({ type: 'ASSIGN_ROOM', reservationId: id, roomNumber: '101' });
  t.match(now(id), { stay: { roomType: 'STD' }, bookedRoomType: undefined });
  t.same(
    now(id).nights.map(({ rate }) => rate),
    [13_000, 10_000, 10_000],
  );
  assertMoney(now(id));
});

void t.test('a complimentary night stays free, and costs its surcharge when it is charged again', async (t) => {
  const { scene, buy, now } = opened();
  const id = buy();
  scene.accept(compCommand(id, { nights: [DAY + 5] }));
  t.match(scene.accept(upgradeCommand(id)), { additional: SURCHARGE });
  t.match(now(id).nights, [{ rate: 0, comped: { rate: 13_000 } }, { rate: 13_000 }]);
  for (const night of now(id).nights) t.same(unpackNight(JSON.parse(JSON.stringify(packNight(night)))), night);
  scene.accept(modifyCommand(id, { nights: 3 }, desk));
  t.match(now(id).nights[0], { rate: 0, comped: { rate: 13_000, surcharge: { rate: 3_000 } } });
  scene.accept({ type: 'UNDO_COMP', reservationId: id, by: 'boss' });
  t.same(now(id).nights[0]!.rate, 13_000);
});

void t.test('taxes in the price are in the surcharge too, at what the stay was booked under', async (t) => {
  const taxes = [
    { code: 'VAT', name: 'VAT', kind: 'PERCENT', value: 7, included: true, on: 'ROOM' },
    { code: 'CITY', name: 'City tax', kind: 'PER_PERSON_NIGHT', value: 300, included: false, on: 'ROOM' },
  ] as Policies['taxes'];
  const { scene, buy, now } = opened({ taxes, taxPercent: 0, feePerPersonNight: 0 });
  const id = buy();
  const { total } = billOf(now(id));
  t.match(scene.accept(upgradeCommand(id)), { additional: 6_000 });
  t.match(now(id).nights[0]!.surcharge, { rate: 2_804, taxes: 196, taxLines: [{ code: 'VAT', amount: 196 }] });
  t.match(billOf(now(id)), { total: total + 6_000 });
  t.match(
    now(id).nights[0]!.taxLines!.map(({ code }) => code),
    ['VAT', 'CITY'],
  );
  assertMoney(now(id));
});

void t.test('a group is upgraded within its blocks', async (t) => {
  const { scene, buy, now } = opened();
  const blocks = [5, 6].flatMap((offset) =>
    ['STD', 'DLX'].map((roomType) => ({ roomType, day: DAY + offset, rooms: 1, rate: 8_000 })),
  );
  const { groupId } = scene.accept(group(1, { blocks }));
  const id = buy({ groupId });
  scene.accept(upgradeCommand(id));
  t.match(now(id), { groupId, stay: { roomType: 'DLX' }, nights: [{ rate: 11_000 }, { rate: 11_000 }] });
  const picked = Object.values(scene.state.groups.get(groupId)!.blocks).map(
    (one) => `${one.roomType} ${one.pickedUp}`,
  );
  t.same(picked.toSorted(), ['DLX 1', 'DLX 1', 'STD 0', 'STD 0']);
  const { groupId: small } = scene.accept(group());
  t.match(scene.refuse(upgradeCommand(buy({ groupId: small }))), { code: 'OUTSIDE_GROUP_BLOCK' });
});

void t.test('who has no night left is not upgraded', async (t) => {
  const { scene, buy, roll } = opened();
  const id = buy(tonight(1));
  scene.accept(checkInCommand(id));
  roll();
  t.match(scene.refuse(upgradeCommand(id)), { code: 'INVALID_STATE', message: /No night/ });
});
