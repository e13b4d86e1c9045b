import fc from 'fast-check';
import t from 'tap';

import type { Command } from '../src/kernel/rules/commands.ts';
import { sumOfDocuments } from '../src/money/rules/invoice-document.ts';
import { invoiceOf } from '../src/money/rules/invoice.ts';
import { IssuedDocuments } from '../src/testing/actors/issued-documents.ts';
import { RunningHost } from '../src/testing/actors/running-host.ts';
import type { StoreFault } from '../src/testing/fake-store.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  freshId,
  noShowCommand,
  paid,
  plainRoom,
  PROPERTY_ID,
  startPaymentCommand,
} from '../src/testing/property-world.ts';
import { inCiOrNightly } from '../test/loop/nightly.ts';

const RUNS = inCiOrNightly(15, 1_000);
const ROOMS = 40;

t.setTimeout(inCiOrNightly(240_000, 3_600_000));

/** A property with guests in house and to come, all paid. */
async function withGuests(t: { teardown(handler: () => Promise<void>): unknown }) {
  const running = await RunningHost.property(t, { policies: { paymentRequired: false } });
  const numbers = Array.from({ length: ROOMS }, (_, n) => String(101 + n));
  const roomType = running.store.properties.values().next().value!.roomTypes.get('STD')!;
  await running.send({ type: 'PUT_ROOM_TYPE', roomType: { ...roomType, totalRooms: ROOMS }, mode: 'replace' });
  await running.send({ type: 'PUT_ROOMS', rooms: numbers.map((number) => plainRoom(number)), mode: 'create' });
  const ids: string[] = [];
  for (let n = 0; n < ROOMS; n++) {
    const { id } = (await running.send(bookCommand({ stay: { checkIn: DAY, checkOut: DAY + 2 } }))).result
      .reservation;
    const { attempt } = (await running.send(startPaymentCommand(id))).result;
    await running.send(endPaymentCommand(id, paid(attempt)));
    if (n % 2) await running.send(checkInCommand(id));
    ids.push(id);
  }
  return { running, ids };
}

/** What somebody does to the n-th stay, or what goes wrong before the others of its burst. */
const move = fc.record({
  n: fc.nat(ROOMS - 1),
  what: fc.constantFrom('end', 'end', 'end', 'end', 'refund', 'fault', 'crash', 'year'),
  fault: fc.constantFrom<StoreFault>('unavailable', 'unknown, written', 'unknown, lost', 'throws'),
  amount: fc.integer({ min: 1, max: 3_000 }),
});
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

/** Who is in house leaves; of the others each second one is cancelled, and the rest does not come. */
function endOf(id: string, n: number): Command {
  if (n % 2) return checkOutCommand(id, { forced: true });
  return n % 4 ? cancelCommand(id) : noShowCommand(id);
}

/** Sends a burst at once, over whatever goes wrong; nobody waits for what a node answers that is gone. */
async function play({ running, ids }: Awaited<ReturnType<typeof withGuests>>, burst: readonly Move[]): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (const { n, what, fault, amount } of burst) {
    const reservationId = ids[n]!;
    const by = { reason: 'noise', by: 'boss' };
    if (what === 'end') sent.push(running.send(endOf(reservationId, n)));
    else if (what === 'refund')
      sent.push(running.send({ type: 'GIVE_REFUND', reservationId, refundId: freshId(), amount, ...by }));
    else if (what === 'fault') running.store.faults.push(fault);
    else if (what === 'crash') {
      await Promise.race([Promise.allSettled(sent), new Promise((done) => setTimeout(done, 2))]);
      running.crash();
    } else running.clock.pass(10 * 86_400_000);
  }
  await Promise.race([Promise.allSettled(sent), new Promise((done) => setTimeout(done, 2_000))]);
  running.store.faults.length = 0;
}

t.test('numbers have no gap and none is given twice, whatever fails and however often a node ends', async (t) => {
  let documents = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(move, { minLength: 1, maxLength: 12 }), { minLength: 4, maxLength: 12 }),
      async (bursts) => {
        const world = await withGuests(t);
        const { store } = world.running;
        const issued = new IssuedDocuments();
        for (const burst of bursts) {
          await play(world, burst);
          const wrong = issued.check(store.documentsOf(PROPERTY_ID));
          if (wrong.length > 0) throw new Error(wrong.join('; '));
        }
        for (const id of world.ids) {
          const { reservation } = (await store.reservation(PROPERTY_ID, id))!;
          const isOver = reservation.checkOut !== undefined || reservation.cancellation !== undefined;
          const said = sumOfDocuments(reservation.documents).total;
          const costs = isOver ? invoiceOf(reservation).total : 0;
          if (said !== costs) throw new Error(`${id}: documents come to ${said}, it costs ${costs}`);
        }
        documents += store.documents.length;
      },
    ),
    { numRuns: RUNS },
  );
  t.ok(documents > RUNS * 5, `${documents} documents`);
});

t.test('a number that is taken is refused by the database, and what it was for is not written', async (t) => {
  const { running, ids } = await withGuests(t);
  await running.send(endOf(ids[1]!, 1));
  const [taken] = running.store.documentsOf(PROPERTY_ID);
  // Somebody has written the next number past the owner.
  running.store.documents.push({ to: PROPERTY_ID, document: { ...taken!, number: 'INV-2026-000002', serial: 2 } });
  await t.rejects(running.send(endOf(ids[3]!, 3)));
  t.match((await running.store.reservation(PROPERTY_ID, ids[3]!))!.reservation, { status: 'CHECKED_IN' });
  running.crash();
  const { reservation } = (await running.send(checkOutCommand(ids[3]!, { forced: true }))).result;
  t.match(reservation.documents, [{ number: 'INV-2026-000003' }], 'the next owner goes on behind it');
});
