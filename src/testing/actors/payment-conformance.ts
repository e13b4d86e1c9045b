import type t from 'tap';

import type { PropertyStore } from '../../property-store/ports.ts';
import {
  bookCommand,
  endPaymentCommand,
  freshId,
  paid,
  startBookingCommand,
  startPaymentCommand,
} from '../property-world.ts';
import { comparable, foundIn, Stored } from './store-conformance.ts';

type Test = typeof t;

/** What every `PropertyStore` promises of payments that have more to say than others. */
export function paymentConformance(t: Test, store: PropertyStore): void {
  void t.test('what was charged back, and what was paid in another currency, come back as written', async (t) => {
    const target = await Stored.property(store);
    const { scene } = target;
    const started = startBookingCommand({ stay: target.stay() });
    const { attempt } = scene.accept(started);
    scene.accept({ type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(attempt) });
    const { reservationId } = started.booking;
    const { id: other } = scene.accept(bookCommand({ stay: target.stay(4) })).reservation;
    const tendered = { amount: 5_000, currency: 'USD', rate: 0.920_001, rateDate: scene.state.today };
    const cash = scene.accept(startPaymentCommand(other, { amount: 4_600, tendered })).attempt;
    scene.accept(endPaymentCommand(other, paid(cash)));
    const { paymentId } = attempt;
    const taken = { type: 'CHARGE_BACK' as const, reservationId, paymentId, chargebackId: freshId(), amount: 700 };
    scene.pass(1_000);
    scene.accept({ ...taken, reason: 'fraud', reference: 'dp_1', by: 'boss' });
    const same = async (what: string) => {
      t.ok((await target.write()).every((outcome) => outcome === 'committed'));
      t.same(comparable(await foundIn(store, target.to)), comparable(scene.state), what);
      target.epoch += 1;
    };
    await same('as it was taken');
    const stored = async (id: string) => (await store.reservation(target.to, id))!.reservation.payments.at(-1);
    t.match(await stored(other), { tendered });
    t.match(await stored(reservationId), { chargeback: { reason: 'fraud', reference: 'dp_1', by: 'boss' } });
    const part = { type: 'WIN_CHARGEBACK' as const, reservationId, paymentId, returnId: freshId(), amount: 300 };
    scene.accept({ ...part, reason: 'delivered', by: 'boss' });
    await same('as a part of it came back');
    t.match(await stored(reservationId), { regains: paymentId, amount: 300 });
    const close = { type: 'CLOSE_CHARGEBACK' as const, reservationId, paymentId, writeOff: true };
    scene.accept({ ...close, reason: 'lost', by: 'boss' });
    await same('as it was closed');
    t.match((await store.reservation(target.to, reservationId))!.reservation.payments.at(-2), {
      chargeback: { closed: { reason: 'lost', writtenOff: 400 } },
    });
  });
}
