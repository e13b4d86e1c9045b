import t from 'tap';

import { billOf } from '../../../src/money/rules/folio.ts';
import { assertMoney } from '../../../src/money/rules/money-fault.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import { paidStays } from '../../../src/testing/actors/paid-stays.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  DAY,
  envelope,
  group,
  modifyCommand,
  reinstateCommand,
  walkCommand,
} from '../../../src/testing/property-world.ts';

const NIGHT = 11_400;
const TONIGHT = { stay: { checkIn: DAY, checkOut: DAY + 2 } };

function opened(policies: Partial<Policies> = {}) {
  const scene = Scene.property({ policies });
  return { scene, ...paidStays(scene) };
}

void t.test('a walk frees the rooms, gives back everything paid and retains nothing', async (t) => {
  const { scene, buy, now } = opened();
  const id = buy(TONIGHT);
  scene.accept(walkCommand(id));
  const next = now(id);
  t.match(next, {
    status: 'CANCELLED',
    paid: 0,
    cancellation: {
      reason: 'WALKED',
      description: 'A burst pipe',
      cancelledBy: 'boss',
      penalty: 0,
      refund: 2 * NIGHT,
      refundEligible: true,
      originalTotal: 2 * NIGHT,
      walk: { to: 'The Crown', compensation: 5_000 },
    },
  });
  t.match(billOf(next), { total: 0, balance: 0 });
  t.match(next.payments.at(-1), { type: 'REFUND', amount: 2 * NIGHT });
  t.match(next.timeline.at(-1), {
    event: 'WALKED',
    status: 'CANCELLED',
    notes: 'The Crown: A burst pipe',
    by: 'boss',
  });
  for (const day of [DAY, DAY + 1]) t.match(scene.cell(day), { booked: 0 });
  t.equal(scene.state.unfinished, 0);
  t.match(scene.last.draft.history, [{ from: 'CONFIRMED', to: 'CANCELLED', reason: 'WALKED' }]);
  const { facts } = scene.last.entries[0]!;
  t.match(facts.bookings, [['CANCELLED', null]]);
  t.match(facts.details, [{ reason: 'WALKED', refund: 2 * NIGHT }]);
  t.notMatch(JSON.stringify(facts), 'Crown', 'the journal has no free text');
  assertMoney(next);
});

void t.test('what an earlier change retained is not owed, and not after a reinstatement either', async (t) => {
  const { scene, buy, now } = opened();
  const id = buy({ stay: { checkIn: DAY, checkOut: DAY + 3 } });
  scene.accept(modifyCommand(id, { adults: 1, checkOut: DAY + 2 }, { modifiedBy: 'desk', reason: 'asked' }));
  t.equal(now(id).retained, NIGHT);
  scene.accept(walkCommand(id));
  t.match(now(id), { paid: 0, cancellation: { penalty: 0 }, retained: undefined });
  t.equal(billOf(now(id)).total, 0);
  scene.accept(reinstateCommand(id));
  t.match(now(id), { status: 'PENDING', retained: undefined, cancellation: undefined });
  t.match(now(id).endsTakenBack, [{ reason: 'WALKED', walk: { to: 'The Crown' } }]);
  assertMoney(now(id));
});

void t.test('only who is confirmed and arrives today is walked, until the business date ends', async (t) => {
  const { scene, buy, roll, now } = opened();
  const later = buy({ stay: { checkIn: DAY + 1, checkOut: DAY + 2 } });
  t.match(scene.refuse(walkCommand(later)), { code: 'INVALID_STATE', message: /on the arrival day, 20/ });
  const open = scene.accept(bookCommand(TONIGHT)).reservation.id;
  t.match(scene.refuse(walkCommand(open)), { code: 'INVALID_STATE', message: /is PENDING cannot be walked/ });
  const missed = buy(TONIGHT);
  roll();
  t.match(scene.refuse(walkCommand(missed)), { code: 'INVALID_STATE', message: /on the arrival day/ });
  t.match(scene.refuse(walkCommand(later, { ifVersion: 7 })), { code: 'STALE_VERSION' });
  scene.accept(walkCommand(later));
  t.equal(scene.refuse(walkCommand(later)).code, 'INVALID_STATE', 'once');
  t.equal(now(later).status, 'CANCELLED');
});

void t.test('a dry run says what would come of it and changes nothing', async (t) => {
  const { scene, buy, now } = opened();
  const id = buy(TONIGHT);
  const before = now(id);
  const [outcome] = scene.batch(envelope(walkCommand(id, { dryRun: true }))).outcomes;
  t.match(outcome, { decision: { result: { reservation: { status: 'CANCELLED', paid: 0 } } } });
  t.equal(now(id), before);
  t.match(scene.cell(DAY), { booked: 1 });
});

void t.test('a room of a block goes back to its group; an unpaid stay has nothing to refund', async (t) => {
  const { scene, now } = opened({ paymentRequired: false });
  const blocks = [DAY, DAY + 1].map((day) => ({ roomType: 'STD', day, rooms: 1, rate: 8_000 }));
  const { groupId } = scene.accept(group(1, { blocks, cutoff: DAY + 2 }));
  const { id } = scene.accept(bookCommand({ ...TONIGHT, groupId })).reservation;
  t.match(scene.cell(DAY), { booked: 1, blocked: 0 });
  scene.accept(walkCommand(id, { compensation: 0 }));
  t.match(scene.cell(DAY), { booked: 0, blocked: 1 });
  t.match(now(id).cancellation, { refund: 0, refundId: null, refundEligible: false, walk: { compensation: 0 } });
});

void t.test('a compensation has cents only where the currency has them', async (t) => {
  const scene = Scene.property({ currency: 'JPY', policies: { paymentRequired: false } });
  const { id } = scene.accept(bookCommand(TONIGHT)).reservation;
  const refused = scene.refuse(walkCommand(id, { compensation: 5_050 }));
  t.match(refused, { code: 'VALIDATION_FAILED', details: { errors: [{ pointer: '/compensation' }] } });
});
