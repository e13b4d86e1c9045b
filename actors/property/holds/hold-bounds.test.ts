import t from 'tap';

import type { Command } from '../../../src/kernel/rules/commands.ts';
import { COOL_DOWN_MS, type HeldUnpaid } from '../../../src/stay/rules/hold-bounds.ts';
import { HOLD_GUARD_MS } from '../../../src/stay/rules/hold.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  DAY,
  envelope,
  group,
  modifyCommand,
  paid,
  placeHoldCommand,
  roomType,
  startBookingCommand,
} from '../../../src/testing/property-world.ts';

const HOLD_MS = 900_000;
const NOTHING = { holds: 0, roomNights: 0 };

/** A property whose STD has so many rooms. */
function propertyOf(rooms: number, policies = {}): Scene {
  const scene = Scene.property({ policies });
  scene.accept({ type: 'PUT_ROOM_TYPE', roomType: roomType('STD', rooms), mode: 'replace' });
  return scene;
}

const held = (scene: Scene, day = DAY + 5): number => scene.cell(day).held;

/** A command of a client that may hold so much, and has so much at other properties. */
function within<C extends Command>(command: C, limits: Partial<HeldUnpaid>, others: HeldUnpaid = NOTHING): C {
  return { ...command, quota: { elsewhere: others, limits: { ...NOTHING, ...limits } } };
}

/** Decides it for a subject. */
function by(scene: Scene, subject: string, command: Command): string {
  const outcome = scene.batch({ ...envelope(command), subject }).outcomes[0]!;
  return outcome.kind === 'refused' ? outcome.error.code : outcome.kind;
}

void t.test('holds and unpaid reservations keep at most 30 % of a cell', async (t) => {
  const scene = propertyOf(20);
  for (let n = 0; n < 2; n++) scene.accept(placeHoldCommand(2));
  for (let n = 0; n < 2; n++) scene.accept(bookCommand());
  t.equal(held(scene), 6);
  const { code, details } = scene.refuse(placeHoldCommand(1, { checkIn: DAY + 6, checkOut: DAY + 9 }));
  t.equal(code, 'QUOTA_EXCEEDED');
  t.same(details, {
    retryAfterSeconds: HOLD_MS / 1000,
    date: '2026-06-07',
    extra: { bound: 'cell', nights: [{ date: '2026-06-07', held: 6, limit: 6 }] },
  });
  t.match(scene.refuse(bookCommand()), { code: 'QUOTA_EXCEEDED', message: /card/ });
  t.equal(held(scene), 6, 'nothing was held');
  scene.accept(placeHoldCommand(6, { checkIn: DAY + 7, checkOut: DAY + 9 }));
  scene.accept(placeHoldCommand(1, { roomType: 'DLX' }));
  t.pass('other nights and types are not concerned');
});

void t.test('a paid create is never refused by it, nor counts while it is being paid', async (t) => {
  const scene = propertyOf(20);
  scene.accept(placeHoldCommand(6));
  for (let n = 0; n < 14; n++) {
    const command = startBookingCommand();
    const { attempt } = scene.accept(command);
    if (n > 4) scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment: paid(attempt) });
  }
  t.match(scene.cell(DAY + 5), { held: 11, booked: 9, available: 0 });
  t.equal(scene.refuse(startBookingCommand()).code, 'ROOM_NOT_AVAILABLE');

  const paying = propertyOf(20);
  for (let n = 0; n < 10; n++) paying.accept(startBookingCommand());
  paying.accept(placeHoldCommand(6));
  t.equal(paying.refuse(placeHoldCommand(1)).code, 'QUOTA_EXCEEDED');
});

void t.test('rooms that come out of a hold are not counted twice, whether they are paid or not', async (t) => {
  const scene = propertyOf(20);
  const { id: fromHold } = scene.accept(placeHoldCommand(6));
  scene.accept(bookCommand({ fromHold }));
  const command = startBookingCommand({ fromHold });
  const { attempt } = scene.accept(command);
  t.equal(held(scene), 6);
  t.equal(scene.refuse(placeHoldCommand(1)).code, 'QUOTA_EXCEEDED', 'the room comes back when nothing is paid');
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment: paid(attempt) });
  scene.accept(placeHoldCommand(1));
  t.equal(scene.refuse(bookCommand()).code, 'QUOTA_EXCEEDED');
});

void t.test('of a small room type three rooms may always be held, and not more than it has', async (t) => {
  for (const [rooms, most] of [
    [1, 1],
    [2, 2],
    [4, 3],
    [9, 3],
    [11, 4],
  ] as const) {
    const scene = propertyOf(rooms);
    let count = 0;
    while (by(scene, 'somebody', placeHoldCommand(1)) === 'accepted') count += 1;
    t.equal(count, most, `${rooms} rooms`);
  }
});

void t.test(
  'the property says how much; rooms blocked or sold above the total count as what can be sold',
  async (t) => {
    for (const [policies, most] of [
      [{ maxHeldPercent: 100 }, 20],
      [{ maxHeldPercent: 50 }, 10],
      [{ maxHeldPercent: 1 }, 3],
      [{ overbookingLimit: 10 }, 9],
    ] as const) {
      const scene = propertyOf(20, policies);
      let count = 0;
      while (by(scene, 'somebody', placeHoldCommand(1)) === 'accepted') count += 1;
      t.equal(count, most, JSON.stringify(policies));
    }
    const scene = propertyOf(20);
    scene.accept({ type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY + 20, blockedRooms: 10 });
    scene.accept(placeHoldCommand(3));
    t.equal(scene.refuse(placeHoldCommand(1)).code, 'QUOTA_EXCEEDED');
  },
);

void t.test('a group books out of its block', async (t) => {
  const scene = propertyOf(20);
  scene.accept(placeHoldCommand(6));
  const { groupId } = scene.accept(group(3));
  scene.accept(bookCommand({ groupId }));
  t.equal(scene.refuse(bookCommand()).code, 'QUOTA_EXCEEDED');
});

void t.test('rooms of a hold that ran out are free for others at once, and count against who had them', async (t) => {
  const scene = propertyOf(20);
  const limits = { holds: 2, roomNights: 100 };
  t.equal(by(scene, 'one', within(placeHoldCommand(3), limits)), 'accepted');
  t.equal(by(scene, 'one', within(bookCommand(), limits)), 'accepted');
  t.equal(by(scene, 'one', within(bookCommand(), limits)), 'QUOTA_EXCEEDED');
  scene.pass(HOLD_MS + HOLD_GUARD_MS);
  scene.accept({ type: 'EXPIRE' });
  t.equal(held(scene), 0);
  const again = within(placeHoldCommand(1), limits);
  t.equal(by(scene, 'one', again), 'QUOTA_EXCEEDED');
  t.match(scene.last.outcomes[0], {
    error: { details: { retryAfterSeconds: (COOL_DOWN_MS - HOLD_GUARD_MS) / 1000, extra: { limit: 2 } } },
  });
  t.equal(by(scene, 'another', within(placeHoldCommand(6), limits)), 'accepted');
  scene.pass(COOL_DOWN_MS - HOLD_GUARD_MS);
  t.equal(
    by(scene, 'one', within(placeHoldCommand(3, { checkIn: DAY + 10, checkOut: DAY + 12 }), limits)),
    'accepted',
  );
});

void t.test('what is released or paid counts no more', async (t) => {
  const scene = propertyOf(20);
  const limits = { holds: 1 };
  const hold = within(placeHoldCommand(2), limits);
  t.equal(by(scene, 'one', hold), 'accepted');
  scene.accept({ type: 'RELEASE_HOLD', holdId: hold.holdId });
  const next = within(placeHoldCommand(1), limits);
  t.equal(by(scene, 'one', next), 'accepted');
  const start = startBookingCommand({ fromHold: next.holdId });
  by(scene, 'one', start);
  const { payment } = [...scene.last.draft.payments.values()][0]!;
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: start.holdId, payment: paid(payment) });
  t.equal(by(scene, 'one', within(bookCommand(), limits)), 'accepted');
});

void t.test('a subject is bounded in rooms by nights over all properties', async (t) => {
  const scene = propertyOf(20);
  const limits = { roomNights: 20 };
  t.equal(by(scene, 'one', within(placeHoldCommand(2), limits, { holds: 3, roomNights: 16 })), 'accepted');
  t.equal(by(scene, 'one', within(bookCommand(), limits, { holds: 3, roomNights: 15 })), 'QUOTA_EXCEEDED');
  t.match(scene.last.outcomes[0], { error: { details: { extra: { bound: 'subject-room-nights', limit: 20 } } } });
  t.equal(by(scene, 'one', within(bookCommand(), limits, { holds: 3, roomNights: 14 })), 'accepted');
  t.equal(
    by(scene, 'another', within(placeHoldCommand(2, { checkOut: DAY + 16 }), limits)),
    'QUOTA_EXCEEDED',
    'at once',
  );
  t.equal(by(scene, 'another', within(placeHoldCommand(2, { checkOut: DAY + 15 }), limits)), 'accepted');
  const start = startBookingCommand({ fromHold: [...scene.state.holds].find(([, { rooms }]) => rooms === 2)![0] });
  t.equal(by(scene, 'one', start), 'accepted');
  t.equal(
    by(scene, 'one', within(placeHoldCommand(1), limits, { holds: 3, roomNights: 14 })),
    'QUOTA_EXCEEDED',
    'being paid',
  );
});

void t.test('an unpaid reservation does not grow beyond the bounds by being changed', async (t) => {
  const scene = propertyOf(20);
  const limits = { roomNights: 10 };
  const unpaid = scene.accept(
    within(bookCommand({ stay: { checkIn: DAY + 10, checkOut: DAY + 11 } }), limits),
  ).reservation;
  const grow = (checkOut: number) => modifyCommand(unpaid.id, { checkOut });
  t.equal(by(scene, 'one', within(grow(DAY + 21), limits)), 'QUOTA_EXCEEDED');
  t.equal(by(scene, 'one', within(grow(DAY + 20), limits)), 'accepted');
  t.equal(
    by(scene, 'one', within(placeHoldCommand(1), limits)),
    'QUOTA_EXCEEDED',
    'it is held by who has changed it',
  );
  scene.accept(placeHoldCommand(6));
  t.equal(scene.refuse(modifyCommand(unpaid.id, { checkIn: DAY + 5 })).details.extra?.['bound'], 'cell');
  scene.accept(modifyCommand(unpaid.id, { checkIn: DAY + 12 }));
  t.pass('fewer nights need nothing');
});

void t.test('what ran out is forgotten when it counts no more, and does not keep a property', async (t) => {
  const scene = propertyOf(20);
  const limits = { holds: 100 };
  for (let n = 0; n < 3; n++) scene.accept(within(bookCommand(), limits));
  scene.pass(HOLD_MS + HOLD_GUARD_MS);
  scene.accept({ type: 'EXPIRE' });
  t.equal(scene.state.holds.size, 3);
  scene.accept(within(placeHoldCommand(1), limits));
  scene.pass(HOLD_MS + HOLD_GUARD_MS + COOL_DOWN_MS);
  scene.accept({ type: 'EXPIRE' });
  t.equal(scene.state.holds.size, 1, 'the hold, for who comes too late');
  scene.accept(within(bookCommand(), limits));
  scene.pass(HOLD_MS + HOLD_GUARD_MS);
  scene.accept({ type: 'EXPIRE' });
  scene.accept({ type: 'DELETE_PROPERTY' });
  t.equal(scene.state.holds.size, 0);
});

void t.test('where nothing is awaited nothing is held', async (t) => {
  const scene = propertyOf(20, { paymentRequired: false });
  for (let n = 0; n < 20; n++) scene.accept(within(bookCommand(), { holds: 1, roomNights: 1 }));
  t.match(scene.cell(DAY + 5), { held: 0, booked: 20 });
});
