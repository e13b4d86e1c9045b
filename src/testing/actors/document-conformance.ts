import type t from 'tap';

import type { InvoiceDocument } from '../../money/rules/invoice-document.ts';
import type { PropertyStore } from '../../property-store/ports.ts';
import { cancelCommand, freshId, paid, startBookingCommand } from '../property-world.ts';
import { comparable, foundIn, Stored, takenIn } from './store-conformance.ts';

type Test = typeof t;

/** Conformance suite of `PropertyStore` for invoices and credit notes. */
export function documentConformance(t: Test, store: PropertyStore): void {
  void t.test(
    'documents come back as they were issued, with the end of each sequence; none is written twice',
    async (t) => {
      const target = await Stored.property(store);
      const { scene } = target;
      const ended = [2, 3, 4].map((from) => {
        const started = startBookingCommand({ stay: { ...target.stay(from), rateCode: 'NRF' } });
        const { attempt } = scene.accept(started);
        scene.accept({ type: 'CONFIRM_BOOKING', holdId: started.holdId, payment: paid(attempt) });
        scene.accept(cancelCommand(started.booking.reservationId, { cancelledBy: 'desk' }));
        return started.booking.reservationId;
      });
      const by = { refundId: freshId(), amount: 100, reason: 'noise', by: 'boss' };
      scene.accept({ type: 'GIVE_REFUND', reservationId: ended[0]!, ...by });
      t.ok((await target.write()).every((outcome) => outcome === 'committed'));
      const again = await foundIn(store, target.to);
      t.same(comparable(again), comparable(scene.state));
      const year = new Date(scene.now).getUTCFullYear();
      t.same(
        again.serials,
        new Map([
          [`CN-${year}`, 1],
          [`INV-${year}`, 3],
        ]),
        'the last numbers',
      );
      const documents = (await store.reservation(target.to, ended[0]!))!.reservation.documents;
      t.same(documents, scene.state.reservations.get(ended[0]!)!.documents);
      const neighbour = await Stored.property(store);
      t.same((await foundIn(store, neighbour.to)).serials, new Map(), 'those of another property are its own');
      scene.accept({ type: 'GIVE_REFUND', reservationId: ended[1]!, ...by, refundId: freshId() });
      const [{ changes, ...batch }] = target.take() as [ReturnType<Stored['take']>[0]];
      const { epoch } = await takenIn(store, target.to);
      const [{ number: _given, ...note }] = changes.documents as [InvoiceDocument];
      const forged = { ...changes, documents: [{ ...note, number: `CN-${year}-000001`, serial: 1 }] };
      const twice = await store.commit(0, [{ ...batch, changes: forged, epoch }]);
      t.match(twice, { outcome: 'rejected', reason: 'poison' }, 'a number that was given');
      t.match(
        await store.commit(0, [{ ...batch, changes, epoch }]),
        { outcome: 'committed' },
        'nothing of it was written',
      );
    },
  );
}
