import t from 'tap';

import type { Command } from '../src/kernel/rules/commands.ts';
import type { Hold } from '../src/stay/rules/hold.ts';
import { Scene } from '../src/testing/actors/scene.ts';
import { FakeClock } from '../src/testing/fake-clock.ts';
import {
  bookCommand,
  cancelCommand,
  charge,
  envelope,
  freshId,
  NOW,
  property,
} from '../src/testing/property-world.ts';
import { ExpiryHeap } from './expiry-heap.ts';
import { MAILBOX_ACQUIRING } from './limits.ts';
import { Mailbox, type Waiting } from './mailbox.ts';
import { Timers } from './timers.ts';

const waiting = (command: Command): Waiting => ({ envelope: envelope(command), resolve: () => {}, reject: () => {} });
const confirm = (): Command => ({ type: 'CONFIRM_BOOKING', holdId: freshId(), payment: charge() });
const update: Command = { type: 'UPDATE_PROPERTY', property: property() };

function filled(...commands: Command[]): Mailbox {
  const mailbox = new Mailbox();
  for (const command of commands) mailbox.put(waiting(command), 1);
  return mailbox;
}
const types = (batch: Waiting[]): string[] => batch.map((one) => one.envelope.command.type);

void t.test('what ends something is served before what begins something, each in its order', async (t) => {
  const mailbox = filled(
    bookCommand(),
    cancelCommand(freshId()),
    confirm(),
    { type: 'TICK' },
    cancelCommand(freshId()),
  );
  t.same(types(mailbox.take(128)), ['CONFIRM_BOOKING', 'CANCEL', 'CANCEL', 'BOOK', 'TICK']);
  t.equal(mailbox.size, 0);
});

void t.test('a batch has at most so many commands', async (t) => {
  const mailbox = filled(...Array.from({ length: 10 }, () => bookCommand()), confirm());
  t.equal(mailbox.take(4).length, 4);
  t.equal(mailbox.size, 7);
});

void t.test(
  'a command that changes the window is a batch of its own and overtakes nothing of its lane',
  async (t) => {
    const mailbox = filled(bookCommand(), update, bookCommand(), confirm());
    t.same(
      [1, 2, 3].map(() => types(mailbox.take(128))),
      [['CONFIRM_BOOKING', 'BOOK'], ['UPDATE_PROPERTY'], ['BOOK']],
    );
    const first = filled(update, confirm());
    t.same(
      [1, 2].map(() => types(first.take(128))),
      [['CONFIRM_BOOKING'], ['UPDATE_PROPERTY']],
    );
  },
);

void t.test(
  'a full box refuses what wants rooms, with the time to wait, and never what ends a booking',
  async (t) => {
    const mailbox = filled(...Array.from({ length: MAILBOX_ACQUIRING }, () => bookCommand()));
    try {
      mailbox.put(waiting(bookCommand()), 7);
      t.fail('a full box took one more');
    } catch (error) {
      t.match(error, { code: 'NOT_EXECUTED', details: { retryAfterSeconds: 7 } });
    }
    mailbox.put(waiting(confirm()), 7);
    mailbox.put(waiting(cancelCommand(freshId())), 7);
    t.equal(mailbox.drain().length, MAILBOX_ACQUIRING + 2);
  },
);

void t.test('the heap gives times in order, whatever order they came in', async (t) => {
  const heap = new ExpiryHeap();
  const times = Array.from({ length: 200 }, (_, n) => (n * 7_919) % 1_000);
  times.forEach((at, n) => heap.push(String(n), at));
  const out: number[] = [];
  for (let top = heap.top; top; top = heap.top) {
    out.push(top.at);
    heap.pop();
  }
  t.same(
    out,
    times.toSorted((a, b) => a - b),
  );
  heap.pop();
  t.equal(heap.top, undefined);
});

void t.test('an expiry is due 100 ms after it, a roll at its hour, and neither before', async (t) => {
  const clock = new FakeClock();
  const timers = new Timers(clock, () => {});
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand());
  const hold = scene.state.holds.get(reservation.id)!;
  timers.follow(scene.state, [hold]);
  t.equal(timers.due(), undefined);
  clock.pass(900_099);
  t.equal(timers.due(), undefined);
  clock.pass(1);
  t.equal(timers.due(), 'EXPIRE');
  scene.now = clock.now();
  scene.accept({ type: 'EXPIRE' });
  timers.follow(scene.state, []);
  t.equal(timers.due(), undefined);
  clock.pass(Date.parse('2026-06-02T01:00:00Z') - clock.now());
  t.equal(timers.due(), 'TICK');
  timers.close();
});

void t.test('a hold that is gone, LATE or was extended is not due at its old time', async (t) => {
  const clock = new FakeClock();
  const timers = new Timers(clock, () => {});
  const { state } = Scene.property();
  const hold = (id: string, expiresAt: number, kind: Hold['kind'] = 'PAYING'): Hold => ({
    id,
    kind,
    roomType: 'STD',
    checkIn: 0,
    checkOut: 1,
    rooms: 1,
    expiresAt,
    createdAt: NOW,
  });
  const holds = [hold('a', NOW + 1_000), hold('b', NOW + 1_000), hold('c', NOW + 1_000, 'LATE')];
  state.holds.set('b', hold('b', NOW + 5_000));
  state.holds.set('c', holds[2]!);
  timers.follow(state, holds);
  clock.pass(2_000);
  t.equal(timers.due(), undefined);
  timers.follow(state, [state.holds.get('b')!]);
  clock.pass(3_100);
  t.equal(timers.due(), 'EXPIRE');
  timers.close();
});
