import t from 'tap';

import { sumOfDocuments } from '../../../src/money/rules/invoice-document.ts';
import { invoiceOf } from '../../../src/money/rules/invoice.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  type BookingOptions,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  envelope,
  freshId,
  noShowCommand,
  NOW,
  paid,
  plainRoom,
  plan,
  type PropertyOptions,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';
import { Draft } from '../draft.ts';
import { record } from '../stay/transition.ts';

/** New Year's Eve, an hour before midnight in Berlin; business dates roll at three. */
const EVE = Date.parse('2026-12-31T22:00:00Z');
const HOUR = 3_600_000;

const DEPARTURE = {
  checkOutId: freshId(),
  at: NOW,
  roomCondition: 'GOOD' as const,
  keyCardsReturned: 1,
  loyaltyPoints: 0,
};

type Stay = { id: string; now: () => Reservation };

function opened(options: PropertyOptions = {}, now?: number): Scene {
  const scene = Scene.property({ policies: { paymentRequired: false, ...options.policies }, ...options }, now);
  const rooms = ['101', '102', '103'].map((number) => plainRoom(number));
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  return scene;
}

/** A stay of two nights from today on, paid in cash: 228.00. */
function booked(scene: Scene, options: BookingOptions = {}): Stay {
  const { today } = scene.state;
  const stay = { checkIn: today, checkOut: today + 2, ...options.stay };
  const { id } = scene.accept(bookCommand({ ...options, stay })).reservation;
  const { attempt } = scene.accept(startPaymentCommand(id));
  scene.accept(endPaymentCommand(id, paid(attempt)));
  return { id, now: () => scene.state.reservations.get(id)! };
}

const refund = (reservationId: string, amount: number) =>
  ({ type: 'GIVE_REFUND', reservationId, refundId: freshId(), amount, reason: 'noise', by: 'boss' }) as const;

function left(scene: Scene, stay: Stay): Reservation {
  scene.accept(checkInCommand(stay.id));
  return scene.accept(checkOutCommand(stay.id, { at: scene.now, forced: true })).reservation;
}

t.test('a stay that is over gets the next number of its property and year, whatever ended it', (t) => {
  const scene = opened();
  const stays = [booked(scene), booked(scene), booked(scene)] as const;
  t.equal(stays[0].now().documents, undefined, 'nothing is issued of a stay to come');
  left(scene, stays[0]);
  scene.accept(cancelCommand(stays[1].id));
  scene.accept(noShowCommand(stays[2].id));
  const numbers = stays.map(({ now }) => now().documents!.map(({ number }) => number));
  t.same(numbers, [['INV-2026-000001'], ['INV-2026-000002'], ['INV-2026-000003']]);
  const [document] = stays[0].now().documents!;
  const { lines, subtotal, taxes, fees, total } = invoiceOf(stays[0].now());
  t.match(document, { kind: 'INVOICE', lines, subtotal, taxes, fees, total, currency: 'EUR', issuedAt: scene.now });
  t.match(document, { issuedTo: { name: 'Ada Byron', address: null }, issuedBy: { name: 'The Anchor' } });
  t.same(
    scene.sealed.flatMap(({ changes }) => changes.documents.map(({ number }) => number)),
    numbers.flat(),
  );
  t.end();
});

t.test('a cancel that costs nothing has no invoice', (t) => {
  const scene = opened({ policies: { freeCancellationHours: 0 } });
  const stay = booked(scene, { stay: { checkIn: DAY + 5, checkOut: DAY + 6 } });
  scene.accept(cancelCommand(stay.id));
  t.equal(stay.now().documents, undefined);
  t.end();
});

t.test('what is given back later is a credit note with a number of its own, and the invoice stays', (t) => {
  const scene = opened();
  const stay = booked(scene);
  left(scene, stay);
  const [issued] = stay.now().documents!;
  scene.accept(refund(stay.id, 5_000));
  scene.accept(refund(stay.id, 100));
  const [invoice, ...notes] = stay.now().documents!;
  t.equal(invoice, issued, 'never altered');
  t.match(notes, [
    { number: 'CN-2026-000001', kind: 'CREDIT_NOTE', corrects: 'INV-2026-000001', total: -5_000 },
    { number: 'CN-2026-000002', corrects: 'INV-2026-000001', total: -100 },
  ]);
  t.match(notes[0]!.lines, [
    {
      code: 'CREDIT',
      description: 'Goodwill',
      amount: -4_561,
      taxes: -439,
      taxLines: [{ code: 'TAX', name: 'Tax', amount: -439 }],
    },
  ]);
  t.match(notes[0], { subtotal: 0, taxes: -439, fees: -4_561 }, 'with its part of the tax');
  t.equal(sumOfDocuments(stay.now().documents).total, invoiceOf(stay.now()).total);
  const details = scene.last.entries[0]!.facts.details;
  t.match(details, [{ documents: [['CN-2026-000002', -100, 'INV-2026-000001']] }], 'the journal has the number');
  t.end();
});

t.test('a waived penalty is credited with its part of the tax', (t) => {
  const scene = opened();
  const stay = booked(scene);
  scene.accept(cancelCommand(stay.id));
  const waive = (amount?: number) => {
    scene.accept({
      type: 'WAIVE_PENALTY',
      reservationId: stay.id,
      refundId: freshId(),
      amount,
      reason: 'ill',
      by: 'b',
    });
    return stay.now().documents!.at(-1)!;
  };
  t.match(stay.now().documents, [{ total: 11_400, lines: [{ code: 'PENALTY', amount: 10_364, taxes: 1_036 }] }]);
  t.match(waive(1_000), { total: -1_000, lines: [{ code: 'PENALTY', amount: -909, taxes: -91 }] });
  t.match(waive(), { number: 'CN-2026-000002', total: -10_400, taxes: -945 });
  t.same(sumOfDocuments(stay.now().documents), { subtotal: 0, taxes: 0, fees: 0, total: 0 });
  t.end();
});

t.test('the year of a number is that of the calendar of the property, and each year begins with 1', (t) => {
  const today = DAY + 213;
  const scene = opened({ today }, EVE);
  const stays = [booked(scene), booked(scene), booked(scene)] as const;
  scene.accept(noShowCommand(stays[0].id));
  scene.pass(2 * HOUR);
  scene.accept(noShowCommand(stays[1].id));
  scene.accept(refund(stays[0].id, 100));
  scene.accept(noShowCommand(stays[2].id));
  const numbers = stays.map(({ now }) => now().documents!.map(({ number }) => number));
  t.same(numbers, [['INV-2026-000001', 'CN-2027-000001'], ['INV-2027-000001'], ['INV-2027-000002']]);
  t.end();
});

t.test('neither a try nor a refusal uses a number, and of one batch each has its own', (t) => {
  const scene = opened();
  const stays = [booked(scene), booked(scene), booked(scene)] as const;
  scene.accept(checkInCommand(stays[0].id));
  const leave = checkOutCommand(stays[0].id, { forced: true });
  scene.accept({ ...leave, dryRun: true });
  t.match(scene.refuse(checkOutCommand(stays[1].id)), { code: 'INVALID_STATE' });
  const ends = [noShowCommand(stays[1].id), noShowCommand(stays[1].id), leave, noShowCommand(stays[2].id)];
  scene.batch(...ends.map((command) => envelope(command)));
  const numbers = stays.map(({ now }) => now().documents!.map(({ number }) => number));
  t.same(numbers, [['INV-2026-000002'], ['INV-2026-000001'], ['INV-2026-000003']]);
  t.end();
});

t.test(
  'a stay of release 0.1.0 keeps the number of its invoice, which is put on record when it is corrected',
  (t) => {
    const scene = opened();
    const stay = booked(scene);
    const { documents: _unknown, ...before } = left(scene, stay);
    scene.state.reservations.set(before.id, before);
    scene.accept(refund(stay.id, 1_000));
    const { confirmationNumber, checkOut } = before;
    t.match(stay.now().documents, [
      {
        number: `INV-${confirmationNumber}`,
        kind: 'INVOICE',
        total: 11_400,
        issuedAt: checkOut!.at,
        year: undefined,
      },
      { number: 'CN-2026-000001', corrects: `INV-${confirmationNumber}`, total: -1_000 },
    ]);
    t.match(scene.sealed.at(-1)!.changes.documents, [
      { number: `INV-${confirmationNumber}` },
      { kind: 'CREDIT_NOTE' },
    ]);
    const other = booked(scene);
    scene.accept(noShowCommand(other.id));
    t.match(other.now().documents, [{ number: 'INV-2026-000002' }], 'it takes no place in the sequence');
    t.end();
  },
);

t.test('a no-show that goes on again has all of its invoice credited, and its departure gets another one', (t) => {
  const scene = opened();
  const stay = booked(scene);
  scene.accept(noShowCommand(stay.id));
  const { cancellation: _takenBack, ...missed } = stay.now();
  const draft = new Draft(scene.state);
  const why = { at: scene.now, by: 'boss', reason: 'He has come after all' };
  const back = record(draft, stay.now(), { ...missed, status: 'CONFIRMED' }, why);
  t.match(back.documents, [
    { number: 'INV-2026-000001', total: 11_400 },
    { number: 'CN-2026-000001', corrects: 'INV-2026-000001', total: -11_400, lines: [{ code: 'PENALTY' }] },
  ]);
  t.same(draft.documents, back.documents!.slice(1));
  const left = record(draft, back, { ...back, status: 'CHECKED_OUT', checkOut: DEPARTURE }, why);
  t.match(left.documents![2], { number: 'INV-2026-000002', total: 22_800, lines: invoiceOf(left).lines });
  // As the database is read by the next owner, which loads no documents of a stay to come.
  const { documents: _none, ...read } = back;
  const again = record(new Draft(scene.state), read, { ...read, status: 'CHECKED_OUT', checkOut: DEPARTURE }, why);
  t.match(again.documents, [{ kind: 'INVOICE', total: 22_800, lines: invoiceOf(left).lines }]);
  t.end();
});

const TRADING = {
  companyId: freshId(),
  name: 'Harbor Trading',
  vatId: 'DK 1',
  billingAddress: { city: 'Copenhagen' },
};

/** A stay of two nights under a plan that a company guarantees; the guest owes nothing. */
function corporate(scene: Scene): Stay {
  const { today } = scene.state;
  if (!scene.state.plans.has('CORP')) {
    const own = plan({ id: freshId(), code: 'CORP', adjustmentPercent: 0, guarantee: 'COMPANY' });
    scene.accept({ type: 'PUT_RATE_PLAN', plan: own, mode: 'create' });
  }
  const stay = { checkIn: today, checkOut: today + 2, rateCode: 'CORP' };
  const { id } = scene.accept(bookCommand({ stay, companyId: TRADING.companyId })).reservation;
  return { id, now: () => scene.state.reservations.get(id)! };
}

t.test('an invoice is issued to the company that pays a part of it, and names the guest', (t) => {
  const scene = opened();
  const stay = corporate(scene);
  scene.accept(checkInCommand(stay.id));
  scene.accept({ ...checkOutCommand(stay.id, { at: scene.now }), invoiceTo: TRADING });
  const to = { name: 'Harbor Trading', vatId: 'DK 1', companyId: TRADING.companyId, address: { city: 'Copenhagen' } };
  const guest = { code: 'GUEST_NAME', description: 'Ada Byron', amount: 0, taxes: 0 };
  t.match(stay.now().documents, [
    { issuedTo: to, total: 11_400, lines: [guest, { code: 'NIGHT' }, { code: 'FEES' }] },
  ]);
  scene.accept(refund(stay.id, 1_000));
  const credit = [guest, { code: 'CREDIT' }];
  t.match(stay.now().documents![1], { kind: 'CREDIT_NOTE', issuedTo: to, total: -1_000, lines: credit });
  t.end();
});

t.test('a company is invoiced for a cancel and a no-show, also after a payment of the guest was waited for', (t) => {
  const scene = opened();
  const stays = [corporate(scene), corporate(scene), corporate(scene)] as const;
  scene.accept({ ...cancelCommand(stays[0].id), invoiceTo: TRADING });
  scene.accept({ ...noShowCommand(stays[1].id), invoiceTo: TRADING });
  const { id } = stays[2];
  scene.accept(checkInCommand(id));
  scene.state.reservations.set(id, { ...stays[2].now(), billing: { card: 'sealed' } });
  const charges = [{ description: 'Bar', amount: 500 }];
  const { attempt } = scene.accept({ ...checkOutCommand(id, { at: scene.now, charges }), invoiceTo: TRADING });
  scene.accept(endPaymentCommand(id, paid(attempt!)));
  for (const { now } of stays) t.match(now().documents, [{ issuedTo: { name: 'Harbor Trading' } }]);
  t.end();
});

t.test('a guest is invoiced where nothing is left for the company to pay', (t) => {
  const scene = opened();
  const stay = corporate(scene);
  scene.accept(checkInCommand(stay.id));
  const rules = (['ROOM', 'FEE'] as const).map((kind) => ({ kind, window: 'GUEST' as const }));
  scene.accept({ type: 'ROUTE_FOLIO', reservationId: stay.id, rules, by: 'desk' });
  scene.accept({ ...checkOutCommand(stay.id, { at: scene.now, forced: true }), invoiceTo: TRADING });
  t.match(stay.now().documents, [{ issuedTo: { name: 'Ada Byron', companyId: undefined } }]);
  t.match(stay.now().documents![0]!.lines, [{ code: 'NIGHT' }, { code: 'FEES' }]);
  t.end();
});
