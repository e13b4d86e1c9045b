import t from 'tap';

import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { codeOf, Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  DAY,
  freshId,
  group,
  modifyCommand,
  restrict,
} from '../../../src/testing/property-world.ts';

/** The property with a block of two of its three STD rooms. */
function blocked(rooms = 2) {
  const scene = Scene.property();
  const { groupId } = scene.accept(group(rooms));
  return {
    scene,
    groupId,
    block: (offset: number) => scene.state.groups.get(groupId)!.blocks[`${DAY + offset} STD`]!,
  };
}

void t.test('a block takes rooms from general sale, and only free ones', async (t) => {
  const { scene } = blocked();
  t.match(scene.cell(DAY + 5), { blocked: 2, available: 1 });
  scene.accept(bookCommand());
  t.equal(scene.refuse(bookCommand()).code, 'ROOM_NOT_AVAILABLE');
  const error = scene.refuse(group(1));
  t.match(error, { code: 'ROOM_NOT_AVAILABLE', details: { date: formatDay(DAY + 5) } });
  t.match(scene.cell(DAY + 7), { blocked: 2, available: 1 }, 'all blocks or none');
});

void t.test('the group books inside its blocks at its rate, whatever restrictions say', async (t) => {
  const { scene, groupId, block } = blocked();
  scene.accept(restrict({ stopSell: true }));
  const { reservation } = scene.accept(bookCommand({ groupId }));
  t.equal(totals(reservation.nights).base, 16_000);
  t.match(scene.cell(DAY + 5), { blocked: 1, held: 1, available: 1 });
  t.match(block(5), { rooms: 2, pickedUp: 1 });
  scene.accept(bookCommand({ groupId }));
  t.match(scene.refuse(bookCommand({ groupId })), {
    code: 'ROOM_NOT_AVAILABLE',
    details: { date: formatDay(DAY + 5) },
  });
  t.match(scene.refuse(bookCommand({ groupId, stay: { checkIn: DAY + 7, checkOut: DAY + 9 } })), {
    code: 'OUTSIDE_GROUP_BLOCK',
    details: { date: formatDay(DAY + 8) },
  });
  t.equal(scene.refuse(bookCommand({ groupId, stay: { roomType: 'DLX' } })).code, 'OUTSIDE_GROUP_BLOCK');
  t.equal(scene.refuse(bookCommand({ groupId: freshId() })).code, 'GROUP_NOT_FOUND');
});

void t.test('a cancelled room of a group goes back to its block, a changed one moves within', async (t) => {
  const { scene, groupId, block } = blocked(1);
  const { reservation } = scene.accept(bookCommand({ groupId }));
  t.equal(
    codeOf(() => scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 9 }))),
    'OUTSIDE_GROUP_BLOCK',
  );
  scene.accept(modifyCommand(reservation.id, { checkIn: DAY + 6, checkOut: DAY + 8 }));
  t.match(
    [5, 6, 7].map((offset) => block(offset).pickedUp),
    [0, 1, 1],
  );
  t.match(scene.cell(DAY + 5), { blocked: 1, held: 0 });
  scene.accept(cancelCommand(reservation.id));
  t.match(
    [5, 6, 7].map((offset) => block(offset).pickedUp),
    [0, 0, 0],
  );
  t.match(scene.cell(DAY + 6), { blocked: 1, held: 0, available: 2 });
});

void t.test('unsold rooms return at the end of the cut-off day, booked ones stay booked', async (t) => {
  const { scene, groupId } = blocked();
  const { reservation } = scene.accept(bookCommand({ groupId }));
  for (let day = 0; day < 2; day++) {
    scene.pass(86_400_000);
    scene.accept({ type: 'TICK' });
    t.match(scene.cell(DAY + 5), { blocked: 1 }, `day ${day + 1} is not after the cut-off`);
  }
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  t.match(scene.cell(DAY + 5), { blocked: 0, held: 1, available: 2 });
  t.same(
    scene.last.entries[0]!.facts.setup,
    [{ kind: 'group', id: groupId, before: { released: false }, after: { released: true } }],
    'the audit trail says so',
  );
  t.equal(scene.refuse(bookCommand({ groupId })).code, 'OUTSIDE_GROUP_BLOCK', 'its time is over');
  scene.accept(cancelCommand(reservation.id));
  t.match(scene.cell(DAY + 5), { blocked: 0, held: 0, available: 3 }, 'what comes back later is for everybody');
  scene.accept({ type: 'TICK' });
  t.match(scene.cell(DAY + 5), { blocked: 0 });
});

void t.test('a night that a cut has oversold sells nothing, blocked for a group or not', async (t) => {
  const { scene, groupId } = blocked();
  scene.accept(bookCommand());
  scene.accept({ type: 'SET_INVENTORY', roomType: 'STD', start: DAY + 6, end: DAY + 6, totalRooms: 2 });
  t.match(scene.refuse(bookCommand({ groupId })), {
    code: 'ROOM_NOT_AVAILABLE',
    details: { date: formatDay(DAY + 6) },
  });
});

void t.test('after the cut-off a booked stay can still be changed within its nights', async (t) => {
  const { scene, groupId } = blocked();
  const { reservation } = scene.accept(bookCommand({ groupId }));
  for (let day = 0; day < 3; day++) {
    scene.pass(86_400_000);
    scene.accept({ type: 'TICK' });
  }
  const { nights } = scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 6 })).reservation;
  t.match(nights, [{ rate: 8_000 }]);
  scene.accept(modifyCommand(reservation.id, { adults: 1 }));
  t.equal(
    codeOf(() => scene.accept(modifyCommand(reservation.id, { checkOut: DAY + 7 }))),
    'OUTSIDE_GROUP_BLOCK',
    'what it gave up is for everybody',
  );
});

void t.test('alternatives of a group lie inside of its blocks', async (t) => {
  const { scene, groupId } = blocked(1);
  scene.accept(bookCommand({ groupId, stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  const { details } = scene.refuse(bookCommand({ groupId, stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  t.same(
    details.alternatives,
    [6, 7].map((offset) => ({
      roomType: 'STD',
      checkIn: formatDay(DAY + offset),
      checkOut: formatDay(DAY + offset + 1),
    })),
  );
});

void t.test('a group whose nights are over leaves memory; days that cannot be sold are named', async (t) => {
  const { scene, groupId } = blocked();
  scene.pass(7 * 86_400_000);
  scene.accept({ type: 'TICK' });
  t.ok(scene.state.groups.has(groupId), 'its last night is tonight');
  scene.pass(86_400_000);
  scene.accept({ type: 'TICK' });
  t.notOk(scene.state.groups.has(groupId));
  const past = scene.refuse(group(1));
  t.same(
    past.details.errors?.map(({ pointer, code }) => `${pointer} ${code}`),
    ['/cutoffDate IN_THE_PAST', ...[0, 1, 2].map((index) => `/blocks/${index}/date IN_THE_PAST`)],
  );
});
