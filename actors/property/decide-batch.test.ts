import t from 'tap';

import { canonical } from '../../src/kernel/rules/canonical.ts';
import type { Command } from '../../src/kernel/rules/commands.ts';
import { partyOfPersons } from '../../src/rates/rules/stay.ts';
import { plain, Scene } from '../../src/testing/actors/scene.ts';
import {
  baseRates,
  bookCommand,
  booking,
  cancelCommand,
  DAY,
  envelope,
  freshId,
  PROPERTY_ID,
  keyed,
  modifyCommand,
  NOW,
  paid,
  property,
  roomType,
  startBookingCommand,
} from '../../src/testing/property-world.ts';
import { chainHash } from './chain.ts';
import { draftChanges } from './changes.ts';
import { decideBatch } from './decide-batch.ts';

void t.test('the same state, commands and time give the same step, and the state stays as it was', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand());
  const commands = [
    bookCommand(),
    startBookingCommand(),
    cancelCommand(reservation.id),
    baseRates('STD', 9_900),
    { type: 'TICK' } as Command,
  ];
  const before = plain(scene.state);
  const [first, second] = [0, 1].map(() =>
    decideBatch(
      scene.state,
      commands.map((command) => envelope(command)),
      NOW,
    ),
  );
  t.same(first!.entries, second!.entries);
  t.same(first!.outcomes, second!.outcomes);
  t.equal(first!.head, second!.head);
  t.same(draftChanges(first!.draft), draftChanges(second!.draft));
  t.same(plain(scene.state), before, 'nothing of the base moved');
  t.equal(scene.state.reservations.get(reservation.id)?.status, 'PENDING');
});

void t.test('a reader keeps the state it has while batches go on', async (t) => {
  const scene = Scene.property();
  const { view } = scene;
  const seen = view.grid(DAY, DAY + 30);
  const quoted = view.quote({ checkIn: DAY + 5, checkOut: DAY + 7, rateCode: 'BAR', ...partyOfPersons(2) }, NOW);
  scene.accept(bookCommand());
  scene.accept(baseRates('STD', 1));
  t.same(view.grid(DAY, DAY + 30), seen);
  t.match(view.quote({ checkIn: DAY + 5, checkOut: DAY + 7, rateCode: 'BAR', ...partyOfPersons(2) }, NOW), quoted);
  t.equal(scene.cell(DAY + 5).held, 1);
});

void t.test('every error leaves the draft unchanged', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  for (let n = 0; n < 2; n++) scene.accept(bookCommand({ stay: { checkIn: DAY + 5, checkOut: DAY + 6 } }));
  const refused: Command[] = [
    bookCommand({ stay: { checkIn: DAY + 4, checkOut: DAY + 6 } }),
    startBookingCommand({ stay: { checkIn: DAY + 4, checkOut: DAY + 6 } }),
    bookCommand({ stay: { adults: 9 } }),
    modifyCommand(reservation.id, { checkIn: DAY - 1 }),
    cancelCommand(freshId()),
    { type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY + 6, blockedRooms: 2 },
    {
      type: 'PUT_ROOMS',
      mode: 'put',
      rooms: ['STD', 'NOPE'].map((type, n) => ({ ...room, roomNumber: `${n}`, roomType: type })),
    },
    { type: 'DELETE_PROPERTY' },
    { type: 'REMOVE_ROOM_TYPE', roomType: 'STD' },
  ];
  for (const command of refused) {
    const before = plain(scene.state);
    scene.refuse(command);
    t.same(plain(scene.state), before, command.type);
    const { cells, rates, reservations, holds, payments, guests, history, rooms } = draftChanges(scene.last.draft);
    t.same(
      [cells, rates, reservations, holds, payments, guests, history, rooms].flat(),
      [],
      `${command.type} writes nothing`,
    );
    t.equal(scene.last.entries.length, 0);
  }
});

const room = { roomNumber: '1', roomType: 'STD', floor: 1, status: 'AVAILABLE' as const, features: [], updatedAt: 0 };

void t.test(
  'accepted commands are numbered without a gap; an error carries the number it was decided on',
  async (t) => {
    const scene = Scene.property();
    const { seq } = scene.state;
    const short = { stay: { checkIn: DAY + 5, checkOut: DAY + 6 } };
    const commands = [
      bookCommand(short),
      bookCommand({ stay: { adults: 9 } }),
      bookCommand(short),
      bookCommand(short),
      bookCommand(short),
      baseRates('DLX', 5),
    ];
    const made = scene.batch(...commands.map((command) => envelope(command)));
    t.same(
      made.outcomes.map((outcome) => [outcome.kind, outcome.kind === 'fault' ? 0 : outcome.seq - seq]),
      [
        ['accepted', 1],
        ['refused', 1],
        ['accepted', 2],
        ['accepted', 3],
        ['refused', 3],
        ['accepted', 4],
      ],
    );
    t.same(
      made.entries.map((entry) => entry.seq - seq),
      [1, 2, 3, 4],
    );
    t.equal(scene.state.seq, seq + 4);
  },
);

void t.test('each journal row carries the hash that covers it and the row before', async (t) => {
  const scene = Scene.property();
  const { head } = scene.state;
  const { entries } = scene.batch(
    envelope(bookCommand()),
    envelope(startBookingCommand()),
    envelope(baseRates('STD', 7)),
  );
  let previous = head;
  for (const entry of entries) {
    t.equal(entry.hash, chainHash(previous, PROPERTY_ID, entry));
    const forged = { ...entry, facts: { ...entry.facts, cells: [] } };
    t.not(chainHash(previous, PROPERTY_ID, forged), entry.hash, 'a changed fact changes the hash');
    t.not(
      chainHash(previous, { ...PROPERTY_ID, tenantId: 'rival' }, entry),
      entry.hash,
      'and so does another tenant',
    );
    previous = entry.hash;
  }
  t.equal(scene.state.head, previous);
});

void t.test('a hash does not depend on the order of members or on absent ones', async (t) => {
  t.equal(canonical({ b: 1, a: [{ d: undefined, c: null }] }), canonical({ a: [{ c: null }], b: 1 }));
  t.equal(canonical({ a: 1 }), '{"a":1}');
  t.not(canonical({ a: '1' }), canonical({ a: 1 }));
});

void t.test('facts hold the changed cells in absolute values, of each command its own', async (t) => {
  const scene = Scene.property();
  const one = { stay: { checkIn: DAY + 5, checkOut: DAY + 6 } };
  const { entries } = scene.batch(
    envelope(bookCommand(one)),
    envelope(bookCommand(one)),
    envelope(baseRates('STD', 9_000, DAY + 5, DAY + 5)),
  );
  t.same(
    entries.map(({ facts }) => facts.cells),
    [
      [['STD', DAY + 5, 3, 0, 1, 0, 2, 10_000]],
      [['STD', DAY + 5, 3, 0, 2, 0, 1, 10_000]],
      [['STD', DAY + 5, 3, 0, 2, 0, 1, 9_000, 'rate']],
    ],
  );
});

void t.test('the journal has no personal data in plain', async (t) => {
  const scene = Scene.property();
  const started = startBookingCommand({
    guest: { firstName: 'Zebedee', lastName: 'Quux', email: 'zq@example.com', phone: '+49 1' },
  });
  scene.accept(started);
  const { attempt } = scene.state.holds.get(started.holdId)!.booking!;
  const texts = [JSON.stringify(scene.last.entries[0]!.facts)];
  scene.accept({ type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(attempt) });
  texts.push(JSON.stringify(scene.last.entries[0]!.facts));
  for (const text of texts) t.notMatch(text, /Zebedee|Quux|zq@example|\+49/);
  t.match(texts[1], /"personal":"sealed"/, 'with the booking, the name stands there sealed');
});

void t.test('a bug in a rule is a fault of its command and of no other', async (t) => {
  const scene = Scene.property();
  const broken = { type: 'SET_INVENTORY', roomType: 'STD', start: DAY, end: DAY, totalRooms: -1 } as Command;
  const made = decideBatch(scene.state, [envelope(bookCommand()), envelope(broken), envelope(bookCommand())], NOW);
  t.same(
    made.outcomes.map(({ kind }) => kind),
    ['accepted', 'fault', 'accepted'],
  );
});

void t.test('an answer is recorded under its key: results, and errors that an actor decided', async (t) => {
  const scene = Scene.property();
  const full = { stay: { checkIn: DAY + 5, checkOut: DAY + 6 } };
  const phases = (...commands: [Command, string][]) =>
    [...scene.batch(...commands.map(([command, key]) => envelope(command, keyed(key, '')))).draft.keys.values()].map(
      ({ key, phase, answer }) => [key, phase, answer && ('result' in answer ? 'result' : answer.refusal.code)],
    );
  t.same(phases([bookCommand(full), 'a'], [bookCommand({ stay: { adults: 9 } }), 'b']), [
    ['a', 'whole', 'result'],
    ['b', 'whole', 'OCCUPANCY_EXCEEDED'],
  ]);
  const started = startBookingCommand(full);
  t.same(phases([started, 'c']), [['c', 'claim', undefined]]);
  const { attempt } = scene.state.holds.get(started.holdId)!.booking!;
  const confirm: Command = { type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(attempt) };
  t.same(phases([confirm, 'c'], [confirm, 'c']), [['c', 'end', 'result']], 'the reconciler comes at the same time');
  t.same(phases([{ type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(attempt) }, 'd']), [
    ['d', 'end', 'HOLD_EXPIRED'],
  ]);
});

void t.test('a declined booking keeps its 422, a given back one keeps nothing', async (t) => {
  const scene = Scene.property();
  for (const [error, recorded] of [
    [{ detail: 'no' }, ['end', 'PAYMENT_DECLINED']],
    [undefined, ['release', undefined]],
  ] as const) {
    const started = startBookingCommand();
    scene.accept(started);
    const payment = { ...scene.state.holds.get(started.holdId)!.booking!.attempt, status: 'FAILED' as const };
    const abandon: Command = { type: 'ABANDON_BOOKING', holdId: started.holdId, payment, refusal: error };
    const [change] = scene.batch(envelope(abandon, keyed('k', started.holdId))).draft.keys.values();
    const code = change!.answer && 'refusal' in change!.answer ? change!.answer.refusal.code : undefined;
    t.same([change!.phase, code], recorded);
  }
});

void t.test('of two commands with one key in one batch only the first has an effect', async (t) => {
  const scene = Scene.property();
  const made = scene.batch(envelope(bookCommand(), keyed('k', '1')), envelope(bookCommand(), keyed('k', '2')));
  t.match(made.outcomes, [{ kind: 'accepted' }, { kind: 'refused', error: { code: 'IDEMPOTENCY_IN_PROGRESS' } }]);
  t.equal(scene.cell(DAY + 5).held, 1);
  t.equal([...made.draft.keys.values()][0]!.ref, '1');
});

void t.test('the second create of a property and every command before the first are refused', async (t) => {
  const scene = Scene.nothing();
  for (const command of [
    bookCommand(),
    { type: 'TICK' } as Command,
    { type: 'PUT_ROOM_TYPE', roomType: roomType('STD', 1), mode: 'put' } as Command,
  ])
    t.equal(scene.refuse(command).code, 'PROPERTY_NOT_FOUND');
  scene.accept({ type: 'CREATE_PROPERTY', property: property(), plans: [] });
  t.equal(scene.refuse({ type: 'CREATE_PROPERTY', property: property(), plans: [] }).code, 'ALREADY_EXISTS');
  t.equal(scene.refuse({ type: 'BOOK', booking: booking(), pendingPaymentId: freshId() }).code, 'UNKNOWN_RATE_CODE');
});
