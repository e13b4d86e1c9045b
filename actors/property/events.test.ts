import fc from 'fast-check';
import t from 'tap';

import { AvroCodec } from '../../src/events/partners/avro-codec.ts';
import type { EventRecord } from '../../src/events/rules/events.ts';
import { Life, lives } from '../../src/testing/actors/life.ts';
import { Scene } from '../../src/testing/actors/scene.ts';
import { eventsOf, KnownSchemas } from '../../src/testing/events.ts';
import {
  baseRates,
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  envelope,
  PROPERTY_ID,
  modifyCommand,
  paid,
  promotion,
  plainRoom,
  startBookingCommand,
} from '../../src/testing/property-world.ts';
import { inCiOrNightly } from '../../test/loop/nightly.ts';

const OF = { ...PROPERTY_ID, generation: 1 };
const last = (scene: Scene): EventRecord[] => eventsOf(OF, scene.last.entries);
const topics = (scene: Scene): string[] => last(scene).map(({ topic }) => topic);
const one = (scene: Scene, topic: string): Record<string, unknown> =>
  last(scene).find((record) => record.topic === topic)?.value as unknown as Record<string, unknown>;

void t.test('a stay publishes its events in order, each once', async (t) => {
  const scene = Scene.property();
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const started = startBookingCommand({
    stay: { checkIn: DAY, checkOut: DAY + 2 },
    source: { channel: 'OTA', medium: 'APP' },
  });
  scene.accept(started);
  t.same(topics(scene), ['availability.updated', 'availability.updated'], 'held rooms are no reservation yet');
  const { attempt } = scene.state.holds.get(started.holdId)!.booking!;
  const { reservation } = scene.accept({
    type: 'CONFIRM_BOOKING',
    holdId: started.holdId,
    payment: paid(attempt),
  });
  const { id } = reservation;
  t.match(one(scene, 'reservation.created'), {
    reservationId: id,
    status: 'CONFIRMED',
    currency: 'EUR',
    numberOfGuests: 2,
    source: { channel: 'OTA', medium: null, campaign: null },
  });
  const moved = modifyCommand(
    id,
    { checkOut: DAY + 1 },
    { guest: { phone: '+1 555' }, modifiedBy: 'desk', reason: 'asked' },
  );
  scene.accept(moved);
  t.match(one(scene, 'reservation.modified'), {
    reservationId: id,
    modificationId: moved.modificationId,
    previousAmount: '228.00',
    newAmount: '114.00',
    changes: {
      checkOut: { from: '2026-06-03', to: '2026-06-02' },
      nights: { from: '2', to: '1' },
      totalAmount: { from: '228.00', to: '114.00' },
      paidAmount: { from: '228.00', to: '114.00' },
      phone: { from: null, to: null },
    },
  });
  scene.accept(checkInCommand(id));
  t.match(one(scene, 'guest.checkedin'), { reservationId: id, roomNumber: '101', checkInTime: scene.now });
  t.equal(one(scene, 'guest.checkedin')['expectedCheckOut'], Date.parse('2026-06-02T09:00:00Z'));
  scene.accept(checkOutCommand(id));
  t.match(one(scene, 'guest.checkedout'), { reservationId: id, roomNumber: '101', finalAmount: '114.00' });
});

void t.test('an end says why, and what goes back', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand());
  const command = cancelCommand(reservation.id);
  scene.accept(command);
  t.match(one(scene, 'reservation.cancelled'), {
    reservationId: reservation.id,
    cancellationId: command.cancellationId,
    reason: command.reason,
    refundAmount: '0.00',
  });
  scene.accept(bookCommand());
  scene.pass(901_000);
  scene.accept({ type: 'EXPIRE' });
  t.match(one(scene, 'reservation.cancelled'), { reason: 'HOLD_EXPIRED' });
});

void t.test('a payment that comes after the hold has run out ends the reservation, which is published', async (t) => {
  const scene = Scene.property();
  const { reservation } = scene.accept(bookCommand());
  scene.pass(901_000);
  scene.accept(endPaymentCommand(reservation.id, paid(reservation.payments[0]!)));
  t.equal(scene.state.reservations.get(reservation.id)?.status, 'CANCELLED');
  t.match(one(scene, 'reservation.cancelled'), { reservationId: reservation.id, reason: 'HOLD_EXPIRED' });
});

void t.test('rates are published where they move, and nowhere else', async (t) => {
  const scene = Scene.property();
  scene.accept(baseRates('STD', 10_000, DAY, DAY + 4));
  t.same(topics(scene), [], 'the same prices again');
  scene.accept(baseRates('STD', 11_000, DAY, DAY + 4));
  t.same(topics(scene), Array(5).fill('rate.updated'));
  const { entries } = scene.batch(
    envelope(baseRates('STD', 12_000, DAY, DAY)),
    envelope(baseRates('STD', 13_000, DAY, DAY)),
  );
  t.equal(entries.length, 2);
  t.match(
    last(scene).map(({ value }) => value),
    [{ newRate: '130.00' }],
  );
  scene.accept(promotion());
  t.same(topics(scene), ['promotion.created']);
});

/** What somebody who hears the events alone takes a reservation for. */
function heard(records: readonly EventRecord[], id: string): string | undefined {
  let status: string | undefined;
  for (const { topic, value } of records) {
    if (!('reservationId' in value) || value.reservationId !== id) continue;
    if (topic === 'reservation.created') status = value.status;
    if (topic === 'reservation.modified') status = value.changes['status']?.to ?? status;
    if (topic === 'reservation.cancelled') status = 'CANCELLED';
    if (topic === 'guest.checkedin') status = 'CHECKED_IN';
    if (topic === 'guest.checkedout') status = 'CHECKED_OUT';
  }
  return status;
}

void t.test('who hears all events knows every reservation, and every event can be written', async (t) => {
  const codec = new AvroCodec(new KnownSchemas());
  let count = 0;
  await fc.assert(
    fc.asyncProperty(lives, async ({ property, moves }) => {
      const life = new Life(property);
      for (const move of moves) life.play(move);
      const records = eventsOf(OF, JSON.parse(JSON.stringify(life.batches.flat())));
      const { reservation } = life;
      if (reservation) t.equal(heard(records, reservation.id), reservation.status);
      for (const record of records) {
        const { value } = await codec.decode(record.topic, await codec.encode(record));
        if (JSON.stringify(sorted(value)) !== JSON.stringify(sorted(record.value))) return false;
      }
      count += records.length;
      return true;
    }),
    { numRuns: inCiOrNightly(100, 1_000) },
  );
  t.comment(`${count} records`);
});

const sorted = (value: object): [string, unknown][] => Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
