import t from 'tap';

import type { PropertyView } from '../src/kernel/property-actors.ts';
import type { JournalEntry } from '../src/kernel/rules/journal.ts';
import { errorOf, RunningHost, type HostTeardown } from '../src/testing/actors/running-host.ts';
import { Gate, untilTime } from '../src/testing/fake-clock.ts';
import {
  baseRates,
  bookCommand,
  cancelCommand,
  DAY,
  freshId,
  group,
  PROPERTY_ID,
  keyed,
  NOW,
  paid,
  promotion,
  property,
  restrict,
  startBookingCommand,
} from '../src/testing/property-world.ts';

const held = async ({ host }: RunningHost, day = DAY + 5): Promise<number> =>
  (await host.view(PROPERTY_ID)).grid(day, day, 'STD')[0]!.held;

void t.test('while one batch commits the next gathers, and nobody is answered before his commit (I9)', async (t) => {
  const running = await RunningHost.property(t);
  const gate = new Gate();
  running.store.gate = gate.opened;
  const before = running.store.calls.length;
  const { seq } = await running.host.view(PROPERTY_ID);
  let answered = 0;
  const all = [1, 2, 3, 4].map(() => running.send(bookCommand()).finally(() => (answered += 1)));
  const last = errorOf(all[3]!);
  await untilTime(() => running.store.calls.length > before);
  t.equal(answered, 0);
  t.equal((await running.host.view(PROPERTY_ID)).seq, seq, 'readers see the committed state');
  t.equal(await held(running), 0);
  gate.open();
  t.same(
    (await Promise.all(all.slice(0, 3))).map((reply) => reply.seq - seq),
    [1, 2, 3],
  );
  t.equal(await last, 'ROOM_NOT_AVAILABLE');
  t.equal(running.store.calls.length - before, 2, 'one, then the three that had gathered');
});

/** A gated property whose database has one booking under way and four decided on the state after it. */
async function withBatchBehind(t: HostTeardown, poison: 'poisoned' | 'sound' = 'sound') {
  const running = await RunningHost.property(t);
  const gate = new Gate();
  running.store.gate = gate.opened;
  const before = running.store.calls.length;
  const first = bookCommand();
  if (poison === 'poisoned')
    running.store.poison = ({ changes }) => changes.reservations.some(({ id }) => id === first.booking.reservationId);
  const all = [first, bookCommand(), bookCommand(), bookCommand(), bookCommand()].map((command) =>
    errorOf(running.send(command)),
  );
  await untilTime(() => running.store.calls.length === before + 2);
  return { running, gate, all, before };
}

void t.test('a batch is sent behind the one under way, decided on what that will leave', async (t) => {
  const { running, gate, all, before } = await withBatchBehind(t);
  t.equal(await held(running), 0, 'readers see the committed state');
  gate.open();
  const { length } = running.store.calls;
  t.same(await Promise.all(all), [
    ...Array<string>(3).fill('accepted'),
    ...Array<string>(2).fill('ROOM_NOT_AVAILABLE'),
  ]);
  t.equal(length - before, 2);
  const { seq } = await running.host.view(PROPERTY_ID);
  t.equal(running.store.properties.get('acme:anchor')!.journal.length, seq, 'numbers have no gap');
});

void t.test(
  'when a batch fails, what was decided on it is decided again: no error for a room nobody has',
  async (t) => {
    const { gate, all } = await withBatchBehind(t, 'poisoned');
    gate.open();
    t.same(await Promise.all(all), ['NOT_EXECUTED', 'accepted', 'accepted', 'accepted', 'ROOM_NOT_AVAILABLE']);
  },
);

void t.test('two commits whose answers are lost are settled together, however far they came', async (t) => {
  for (const faults of [
    ['unknown, written', 'unknown, written'],
    ['unknown, written', 'unknown, lost'],
    ['unknown, lost', 'unknown, lost'],
    ['unknown, lost'],
  ] as const) {
    const { running, gate, all } = await withBatchBehind(t);
    running.store.faults.push(...faults);
    gate.open();
    const codes = await Promise.all(all);
    t.equal(codes.filter((code) => code === 'accepted').length, 3, faults.join(', then '));
    t.equal(codes.filter((code) => code === 'ROOM_NOT_AVAILABLE').length, 2);
    const { journal } = running.store.properties.get('acme:anchor')!;
    t.same(
      journal.map(({ seq }) => seq),
      journal.map((_, index) => index + 1),
    );
  }
});

void t.test('a batch behind a fenced one is not executed either', async (t) => {
  const { running, gate, all } = await withBatchBehind(t);
  await running.store.take(PROPERTY_ID);
  gate.open();
  t.same(new Set(await Promise.all(all)), new Set(['NOT_EXECUTED']));
  t.equal(await errorOf(running.send(bookCommand())), 'accepted', 'the next command activates it again');
});

void t.test('an error decided on uncommitted state waits for that commit too', async (t) => {
  const running = await RunningHost.property(t);
  const gate = new Gate();
  running.store.gate = gate.opened;
  const first = running.send(bookCommand());
  let refused = false;
  const bookings = [1, 2].map(() => running.send(bookCommand()));
  const wrong = running.send(bookCommand()).catch(() => (refused = true));
  await untilTime(() => running.store.calls.length > 5);
  t.notOk(refused);
  gate.open();
  await Promise.all([first, ...bookings, wrong]);
  t.ok(refused);
});

void t.test('the next batch is on its way to the database before the callers of the last one hear', async (t) => {
  const running = await RunningHost.property(t);
  const gate = new Gate();
  running.store.gate = gate.opened;
  const before = running.store.calls.length;
  const callsWhenAnswered: number[] = [];
  const heard = (): unknown => callsWhenAnswered.push(running.store.calls.length - before);
  const all = [1, 2, 3].map(() => running.send(bookCommand()).then(heard));
  await untilTime(() => running.store.calls.length > before);
  gate.open();
  await Promise.all(all);
  t.same(callsWhenAnswered, [2, 2, 2]);
});

void t.test('a batch of errors without keys writes nothing', async (t) => {
  const running = await RunningHost.property(t);
  const { length } = running.store.calls;
  t.equal(await errorOf(running.send(bookCommand({ stay: { adults: 9 } }))), 'OCCUPANCY_EXCEEDED');
  t.equal(running.store.calls.length, length);
});

void t.test('the bad command of a batch fails alone', async (t) => {
  const running = await RunningHost.property(t);
  const gate = new Gate();
  running.store.gate = gate.opened;
  const first = running.send(baseRates('STD', 9_000));
  await untilTime(() => running.store.calls.length === 6);
  const bad = bookCommand({ stay: { roomType: 'DLX' } });
  running.store.poison = ({ changes }) => changes.reservations.some(({ id }) => id === bad.booking.reservationId);
  const all = [bookCommand(), bad, bookCommand(), baseRates('DLX', 1)].map((command) =>
    errorOf(running.send(command)),
  );
  gate.open();
  await first;
  t.same(await Promise.all(all), ['accepted', 'NOT_EXECUTED', 'accepted', 'accepted']);
  const { seq } = await running.host.view(PROPERTY_ID);
  t.equal(running.store.properties.get('acme:anchor')!.journal.length, seq, 'numbers have no gap');
});

void t.test('a guest who is known by another id and a number that is taken come back as such', async (t) => {
  const running = await RunningHost.property(t);
  const guest = { email: 'same@example.com', lastName: 'Same' };
  await running.send(bookCommand({ guest }));
  await t.rejects(running.send(bookCommand({ guest })), {
    code: 'NOT_EXECUTED',
    details: { extra: { reason: 'guest-moved' } },
  });
  const first = bookCommand();
  await running.send(first);
  const { confirmationNumber } = first.booking;
  await t.rejects(running.send(bookCommand({ confirmationNumber })), {
    code: 'NOT_EXECUTED',
    details: { extra: { reason: 'number-taken' } },
  });
  t.equal(await held(running), 2);
});

void t.test(
  'a commit whose answer was lost is found to be written: accepted once, and the actor goes on',
  async (t) => {
    const running = await RunningHost.property(t);
    running.store.faults.push('unknown, written');
    const { seq } = await running.send(bookCommand());
    t.equal(running.store.properties.get('acme:anchor')!.ownership.seq, seq);
    t.equal((await running.send(bookCommand())).seq, seq + 1);
    t.equal(await held(running), 2);
  },
);

void t.test('a commit whose answer was lost is found not to be written: decided and written again', async (t) => {
  const running = await RunningHost.property(t);
  running.store.faults.push('unknown, lost');
  const { seq } = await running.send(bookCommand());
  t.equal((await running.host.view(PROPERTY_ID)).seq, seq);
  t.equal(await held(running), 1);
  t.equal(running.store.properties.get('acme:anchor')!.ownership.epoch, 2, 'under the next epoch');
});

void t.test('a commit that is lost again and again ends as not executed, and the next one goes on', async (t) => {
  const running = await RunningHost.property(t);
  running.store.faults.push('unknown, lost', 'unknown, lost', 'throws');
  t.equal(await errorOf(running.send(bookCommand())), 'NOT_EXECUTED');
  t.equal(await held(running), 0);
  t.equal(await errorOf(running.send(bookCommand())), 'accepted');
});

void t.test('an error recorded under a key survives a lost answer', async (t) => {
  const running = await RunningHost.property(t);
  for (const fault of ['unknown, written', 'unknown, lost'] as const) {
    running.store.faults.push(fault);
    const crowd = running.send(bookCommand({ stay: { adults: 9 } }), { key: keyed(fault, '') });
    t.equal(await errorOf(crowd), 'OCCUPANCY_EXCEEDED');
    await t.rejects(running.send(bookCommand(), { key: keyed(fault, '') }), {
      code: 'OCCUPANCY_EXCEEDED',
      details: { replayed: true },
    });
  }
});

void t.test('without a connection nothing happens and callers get an error', async (t) => {
  const running = await RunningHost.property(t);
  running.store.faults.push('unavailable');
  t.equal(await errorOf(running.send(bookCommand())), 'STORE_UNAVAILABLE');
  t.equal(await held(running), 0);
  t.equal(await errorOf(running.send(bookCommand())), 'accepted');
});

void t.test('a fenced actor stops at once, answers that a repeat is safe, and ends its feeds', async (t) => {
  const running = await RunningHost.property(t);
  let lost = 0;
  await running.host.follow(PROPERTY_ID, undefined, { entry: () => {}, lost: () => (lost += 1) });
  await running.store.take(PROPERTY_ID);
  await t.rejects(running.send(bookCommand()), { code: 'NOT_EXECUTED', details: { retryAfterSeconds: 1 } });
  t.equal(lost, 1);
  t.equal(running.host.figures.actors, 0);
  t.equal(await errorOf(running.send(bookCommand())), 'accepted', 'taken again at the next command');
});

void t.test('one fenced property does not harm the others of its call', async (t) => {
  const running = await RunningHost.property(t);
  await running.setUp({ propertyId: 'beacon' });
  await running.setUp({ propertyId: 'castle' });
  await running.store.take({ ...PROPERTY_ID, propertyId: 'beacon' });
  const all = ['anchor', 'beacon', 'castle'].map((propertyId) =>
    errorOf(running.send(bookCommand(), { propertyId })),
  );
  t.same(await Promise.all(all), ['accepted', 'NOT_EXECUTED', 'accepted']);
});

void t.test('a key has one effect: in one batch, in a later one, and after a restart (I4)', async (t) => {
  const running = await RunningHost.property(t);
  const key = keyed('k', 'ref');
  const twice = await Promise.all([
    running.send(bookCommand(), { key }),
    errorOf(running.send(bookCommand(), { key })),
  ]);
  // The first was alone in its batch, so the second met its answer.
  t.equal(twice[1], 'accepted');
  const again = await running.send(bookCommand(), { key });
  t.match(again, { replayed: true, seq: twice[0].seq });
  t.same(again.result, JSON.parse(JSON.stringify(twice[0].result)), 'the same answer');
  running.crash();
  t.match(await running.send(bookCommand(), { key }), { replayed: true, seq: twice[0].seq });
  const other = keyed('k', 'ref', 'other body');
  t.equal(await errorOf(running.send(bookCommand(), { key: other })), 'IDEMPOTENCY_MISMATCH');
  t.equal(await held(running), 1);
});

void t.test('a key is free again after a day', async (t) => {
  const running = await RunningHost.property(t);
  const key = keyed('k', '');
  await running.send(baseRates('STD', 1), { key });
  running.clock.pass(86_400_000);
  t.match(await running.send(baseRates('STD', 2, DAY + 1), { key }), { replayed: false });
});

void t.test('a repeat is answered as the first time, though its days have passed since', async (t) => {
  const running = await RunningHost.property(t);
  const promoted = promotion({ validity: { start: DAY, end: DAY } });
  const commands = {
    book: bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 1 } }),
    rates: baseRates('STD', 1, DAY, DAY),
    restrictions: restrict({ stopSell: true }, { start: DAY, end: DAY }),
    group: group(1, { cutoff: DAY, blocks: [{ roomType: 'DLX', day: DAY, rooms: 1, rate: 1 }] }),
    inventory: { type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY, totalRooms: 5 } as const,
    promotion: promoted,
  };
  const all = Object.entries(commands);
  for (const [name, command] of all) await running.send(command, { key: keyed(name, '') });
  running.clock.pass(20 * 3_600_000);
  await running.send({ type: 'TICK' });
  for (const [name, command] of all) {
    t.match(await running.send(command, { key: keyed(name, '') }), { replayed: true }, name);
    t.equal(
      await errorOf(running.send(command, { key: keyed(`${name} anew`, '') })),
      name === 'promotion' ? 'PROMO_CODE_TAKEN' : 'VALIDATION_FAILED',
      name,
    );
  }
});

void t.test('a repeat with If-Match of what has changed since is answered with the idempotency record', async (t) => {
  const running = await RunningHost.property(t);
  const { result } = await running.send(bookCommand());
  const key = keyed('k', '');
  const command = cancelCommand(result.reservation.id, { ifVersion: 1 });
  await running.send(command, { key });
  t.equal(await errorOf(running.send(command, { key })), 'accepted');
});

void t.test('a repeat of a create that was cut off gets its hold and attempt back', async (t) => {
  const running = await RunningHost.property(t);
  const command = startBookingCommand();
  const key = keyed('k', command.holdId);
  const { result } = await running.send(command, { key });
  running.crash();
  const resumed = await running.send(startBookingCommand(), { key: keyed('k', freshId()) });
  t.match(resumed, {
    replayed: false,
    result: { holdId: command.holdId, attempt: { paymentId: result.attempt.paymentId, amount: 22_800 } },
  });
  t.equal(await held(running), 1);
  await running.send({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment: paid(result.attempt) }, { key });
  t.match(await running.send(startBookingCommand(), { key }), {
    replayed: true,
    result: { reservation: { status: 'CONFIRMED' } },
  });
});

void t.test('a repeat waits while its first request is settled late', async (t) => {
  const running = await RunningHost.property(t);
  const command = startBookingCommand();
  const key = keyed('k', command.holdId);
  await running.send(command, { key });
  running.clock.pass(120_100);
  await running.host.catchUp();
  t.equal(await errorOf(running.send(startBookingCommand(), { key })), 'IDEMPOTENCY_IN_PROGRESS');
});

void t.test('a command that waited beyond its deadline is not executed', async (t) => {
  const running = await RunningHost.property(t);
  const gate = new Gate();
  running.store.gate = gate.opened;
  const first = running.send(bookCommand());
  const late = errorOf(running.send(bookCommand(), { deadline: NOW + 1_000 }));
  running.clock.pass(1_001);
  gate.open();
  await first;
  t.equal(await late, 'NOT_EXECUTED');
  t.equal(await held(running), 1);
});

void t.test(
  'who follows from a position gets exactly what he missed, then every entry once and in order',
  async (t) => {
    const running = await RunningHost.property(t);
    const entries: [number, number][] = [];
    const listener = {
      entry: (entry: JournalEntry, view: PropertyView) => void entries.push([entry.seq, view.seq]),
      lost: () => {},
    };
    const feed = await running.host.follow(PROPERTY_ID, { generation: 1, seq: 3 }, listener);
    t.same(
      feed.missed?.map(({ seq }) => seq),
      [4, 5],
    );
    t.equal(feed.view.seq, 5);
    await Promise.all([running.send(bookCommand()), running.send(bookCommand())]);
    t.same(
      entries.map(([seq]) => seq),
      [6, 7],
    );
    t.ok(
      entries.every(([seq, at]) => at >= seq),
      'with a view that has it',
    );
    feed.close();
    await running.send(bookCommand());
    t.equal(entries.length, 2);
    const at = (generation: number, seq: number) => running.host.follow(PROPERTY_ID, { generation, seq }, listener);
    t.same((await at(1, 8)).missed, []);
    t.equal((await at(2, 5)).missed, undefined, 'another history');
    t.equal((await at(1, 99)).missed, undefined, 'a position that is not there yet');
    running.crash();
    t.same(
      (await at(1, 6)).missed?.map(({ seq }) => seq),
      [7, 8],
      'also after a restart',
    );
  },
);

void t.test('a listener that throws keeps nobody from his answer', async (t) => {
  const running = await RunningHost.property(t);
  await running.host.follow(PROPERTY_ID, undefined, {
    entry: () => {
      throw new Error('broken');
    },
    lost: () => {},
  });
  t.equal(await errorOf(running.send(bookCommand())), 'accepted');
  t.equal(await errorOf(running.send(bookCommand())), 'accepted');
});

void t.test('time that has passed is settled before a sleeping property answers', async (t) => {
  const running = await RunningHost.property(t);
  await running.send(bookCommand());
  await running.send(startBookingCommand());
  running.crash();
  running.clock.pass(3 * 86_400_000);
  const view = await running.host.view(PROPERTY_ID);
  t.equal(view.businessDate, DAY + 3);
  t.match(view.grid(DAY + 5, DAY + 5, 'STD'), [{ held: 0, booked: 0, available: 3 }]);
  t.match([...running.store.reservations.values()], [{ reservation: { status: 'CANCELLED' } }]);
  t.match([...running.store.properties.get('acme:anchor')!.holds.values()], [{ kind: 'LATE' }]);
});

void t.test('a time jump runs everything that fell due before it answers', async (t) => {
  const running = await RunningHost.property(t);
  await running.send(bookCommand());
  running.clock.pass(900_100);
  await running.host.catchUp();
  t.equal(await held(running), 0);
});

void t.test('a property is activated once for any number of concurrent calls', async (t) => {
  const running = await RunningHost.property(t);
  running.crash();
  await Promise.all([1, 2, 3, 4].map(() => running.host.view(PROPERTY_ID)));
  t.equal(running.store.properties.get('acme:anchor')!.ownership.epoch, 2);
});

void t.test('a property that nobody created is not found, and is not created by a read', async (t) => {
  const running = await RunningHost.property(t);
  const nowhere = { ...PROPERTY_ID, propertyId: 'nowhere' };
  t.equal(await errorOf(running.host.view(nowhere)), 'PROPERTY_NOT_FOUND');
  t.equal(await errorOf(running.send(bookCommand(), { propertyId: 'nowhere' })), 'PROPERTY_NOT_FOUND');
  t.equal(await errorOf(running.host.view({ tenantId: 'rival', propertyId: 'anchor' })), 'PROPERTY_NOT_FOUND');
  t.notOk(running.store.properties.has('acme:nowhere'));
});

void t.test('a deleted property is gone for readers and stays in its journal', async (t) => {
  const running = await RunningHost.property(t);
  await running.send({ type: 'DELETE_PROPERTY' });
  t.equal(await errorOf(running.host.view(PROPERTY_ID)), 'PROPERTY_NOT_FOUND');
  const again = running.send({ type: 'CREATE_PROPERTY', property: property(), plans: [] });
  t.equal(await errorOf(again), 'ALREADY_EXISTS');
  t.equal(running.store.properties.get('acme:anchor')!.journal.length, 6);
});

void t.test(
  'a node without its lease serves neither reads nor writes; one that drains finishes what it has',
  async (t) => {
    const running = await RunningHost.property(t);
    running.mayOwn = false;
    t.equal(await errorOf(running.host.view(PROPERTY_ID)), 'NOT_EXECUTED');
    t.equal(await errorOf(running.send(bookCommand())), 'NOT_EXECUTED');
    running.mayOwn = true;
    const gate = new Gate();
    running.store.gate = gate.opened;
    const all = [errorOf(running.send(bookCommand())), errorOf(running.send(bookCommand()))];
    await untilTime(() => running.store.calls.length === 6);
    const ended = running.host[Symbol.asyncDispose]();
    t.equal(await errorOf(running.send(bookCommand())), 'NOT_EXECUTED');
    gate.open();
    await ended;
    t.same(await Promise.all(all), ['accepted', 'accepted']);
    const other = new RunningHost();
    t.equal(await errorOf(other.host.view(PROPERTY_ID)), 'PROPERTY_NOT_FOUND');
    await other.host[Symbol.asyncDispose]();
  },
);

void t.test(
  'an actor that must leave at once refuses what waits and lets what is under way be answered',
  async (t) => {
    const running = await RunningHost.property(t);
    const gate = new Gate();
    running.store.gate = gate.opened;
    const first = errorOf(running.send(bookCommand()));
    await untilTime(() => running.store.calls.length === 6);
    const second = errorOf(running.send(bookCommand()));
    await new Promise((done) => setImmediate(done));
    running.host.abandon();
    gate.open();
    t.same(await Promise.all([first, second]), ['accepted', 'NOT_EXECUTED']);
  },
);
