import t, { type Test } from 'tap';

import type { Command, DryRun } from '../../src/kernel/rules/commands.ts';
import { codeOf, Scene } from '../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  plainRoom,
} from '../../src/testing/property-world.ts';

/** Two rooms of a type, of which 102 is to be cleaned, and a guest who is due today. */
function arrival(card?: string) {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  scene.accept({
    type: 'PUT_ROOMS',
    rooms: [plainRoom('101'), plainRoom('102', { status: 'DIRTY' })],
    mode: 'create',
  });
  const billing = card === undefined ? undefined : { method: 'CREDIT_CARD' as const, card };
  const { reservation } = scene.accept(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 2 }, billing }));
  return { scene, id: reservation.id };
}

const moved = (reservationId: string, roomNumber: string) =>
  ({ type: 'ASSIGN_ROOM', reservationId, roomNumber }) as const;

/** Tries a command, sees that nothing has moved, and then that the real one answers the same. */
function dryRun(t: Test, scene: Scene, command: Extract<Command, DryRun & { reservationId: string }>): void {
  const before = scene.state;
  const dry = scene.accept({ ...command, dryRun: true });
  t.equal(scene.last.entries.length, 0, `${command.type} writes nothing`);
  t.equal(scene.state.seq, before.seq);
  const { reservationId } = command;
  t.same(scene.state.reservations.get(reservationId), before.reservations.get(reservationId));
  t.same([...scene.state.rooms.values()], [...before.rooms.values()]);
  t.same(scene.accept(command), dry, `${command.type} is what was said`);
}

void t.test(
  'a check-in, a room and a cancel that are tried say what they would do, and leave no trace',
  async (t) => {
    const { scene, id } = arrival();
    dryRun(t, scene, moved(id, '101'));
    dryRun(t, scene, checkInCommand(id));
    const other = arrival();
    dryRun(t, other.scene, cancelCommand(other.id));
  },
);

void t.test('what would be refused is refused when it is tried', async (t) => {
  const { scene, id } = arrival();
  scene.accept(checkInCommand(id));
  t.equal(
    codeOf(() => scene.accept({ ...moved(id, '102'), dryRun: true })),
    'NO_ROOM_READY',
  );
  t.equal(
    codeOf(() => scene.accept({ ...checkOutCommand(id), dryRun: true })),
    'PAYMENT_METHOD_REQUIRED',
  );
  t.equal(
    codeOf(() => scene.accept({ ...cancelCommand(id), dryRun: true })),
    'INVALID_STATE',
  );
});

void t.test('a check-out that is tried says the bill and charges no card', async (t) => {
  const { scene, id } = arrival('sealed');
  scene.accept(checkInCommand(id));
  const dry = scene.accept({ ...checkOutCommand(id), dryRun: true });
  t.match(dry, { reservation: { status: 'CHECKED_OUT' }, attempt: undefined });
  t.ok(dry.bill.balance > 0);
  t.equal(scene.state.reservations.get(id)?.status, 'CHECKED_IN');
  t.match(
    scene.accept(checkOutCommand(id)),
    { attempt: { amount: dry.bill.balance } },
    'the card is charged the announced amount',
  );
});
