import t from 'tap';

import { formatDay } from '../../../src/kernel/rules/dates.ts';
import type { RoutingRule } from '../../../src/money/rules/folio-window.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import { documentsOfParty, sumOfDocuments } from '../../../src/money/rules/invoice-document.ts';
import { invoiceOfParty } from '../../../src/money/rules/invoice.ts';
import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { costLines, folioOf, windowsOf } from '../../../src/money/rules/postings.ts';
import type { Policies } from '../../../src/properties/rules/property.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import { Scene } from '../../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  freshId,
  modifyCommand,
  paid,
  plainRoom,
  postCommand,
  startPaymentCommand,
  voidCommand,
} from '../../../src/testing/property-world.ts';

const HOUR = 3_600_000;
const TODAY = formatDay(DAY);
const SHARER = { guestId: freshId(), firstName: 'Bo', lastName: 'Diddley', email: 'bo@example.com' };
const HALF: RoutingRule = { kind: 'ROOM', window: 'SHARER', percent: 50 };

type Shared = { scene: Scene; id: string; now: () => Reservation };

/** A stay of two guests for two nights, 228.00, arriving today; nothing is paid. */
function shared(rules: RoutingRule[] = [HALF], { policies = {}, companyId }: Options = {}): Shared {
  const scene = Scene.property({ policies: { paymentRequired: false, ...policies } });
  scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
  const stay = { checkIn: DAY, checkOut: DAY + 2, adults: 2 };
  const booked = bookCommand({ stay, billing: { card: 'sealed' }, companyId, sharer: SHARER });
  const { id } = scene.accept(booked).reservation;
  const here = { scene, id, now: (): Reservation => scene.state.reservations.get(id)! };
  if (rules.length > 0) route(here, rules);
  return here;
}
type Options = { policies?: Partial<Policies>; companyId?: string };

/** Accepts a command, and everything still adds up. */
function accepted<C extends Parameters<Scene['accept']>[0]>({ scene, now }: Shared, command: C) {
  const result = scene.accept(command);
  t.equal(moneyFault(now()), undefined);
  return result;
}

const route = (here: Shared, rules: RoutingRule[]) =>
  accepted(here, { type: 'ROUTE_FOLIO', reservationId: here.id, rules, by: 'desk' });

function pay(here: Shared, window: 'GUEST' | 'SHARER', changed: Partial<Payment> = {}): Payment {
  const { attempt } = here.scene.accept({ ...startPaymentCommand(here.id, { amount: 0, ...changed }), window });
  accepted(here, endPaymentCommand(here.id, paid(attempt)));
  return attempt;
}

/** The guests are in, and leave on the day of departure. */
function leave(here: Shared, forced = false) {
  const { scene, id } = here;
  scene.pass(48 * HOUR);
  scene.accept({ type: 'TICK' });
  return accepted(here, checkOutCommand(id, { at: scene.now, forced }));
}

const balances = ({ now, scene }: Shared) =>
  windowsOf(now(), scene.state.today).map(({ window, expectedTotal, paid: came }) => [window, expectedTotal, came]);

void t.test('half of the room is the sharer’s, line by line, and all lines sum to the price', async (t) => {
  const here = shared([{ ...HALF, percent: 33 }]);
  accepted(here, checkInCommand(here.id));
  here.scene.endDay();
  const folio = folioOf(here.now(), here.scene.state.today, () => DAY);
  t.match(
    folio.map(({ window, postings }) => [window, postings.map(({ postingId, amount }) => [postingId, amount])]),
    [
      [
        'GUEST',
        [
          [`ROOM-${TODAY}`, 7_370],
          [`FEE-${TODAY}`, 400],
        ],
      ],
      ['SHARER', [[`ROOM-${TODAY}/SHARER`, 3_630]]],
    ],
  );
  const taxes = folio.map(({ postings }) => postings[0]!.taxes);
  t.match(taxes, [[{ code: 'TAX', amount: 670 }], [{ code: 'TAX', amount: 330 }]]);
  t.same(balances(here), [
    ['GUEST', 15_540, 0],
    ['SHARER', 7_260, 0],
  ]);
  t.equal(invoiceOfParty(here.now(), 'SHARER').taxes, 660);
});

void t.test('no percentage loses a cent, of no line and no tax', async (t) => {
  const here = shared();
  accepted(here, checkInCommand(here.id));
  for (const unitAmount of [1, 333, 4_999, 10_001])
    accepted(here, postCommand(here.id, { unitAmount, quantity: 3, taxLines: [{ code: 'TAX', amount: 7 }] }));
  const whole = costLines({ ...here.now(), routing: undefined }, DAY);
  for (const percent of [1, 17, 33, 50, 67, 99]) {
    const kinds = ['ROOM', 'EXTRA', 'FEE'] as const;
    route(
      here,
      kinds.map((kind) => ({ kind, window: 'SHARER', percent })),
    );
    const parts = costLines(here.now(), DAY);
    for (const { postingId, amount, taxes } of whole) {
      const own = parts.filter((one) => one.postingId.split('/')[0] === postingId);
      t.equal(own.length, 2);
      t.equal(own[0]!.amount + own[1]!.amount, amount);
      const sumOf = (code: string): number =>
        own.flatMap((one) => one.taxes).reduce((sum, tax) => sum + (tax.code === code ? tax.amount : 0), 0);
      for (const tax of taxes) t.equal(sumOf(tax.code), tax.amount);
      t.ok(Math.abs(own[1]!.amount - (amount * percent) / 100) <= 0.5, 'to the nearest cent');
    }
    const ids = parts.map(({ postingId }) => postingId);
    t.equal(new Set(ids).size, ids.length);
  }
});

void t.test('a currency without cents is divided in whole units', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false }, currency: 'JPY' });
  const stay = { checkIn: DAY, checkOut: DAY + 1, adults: 2 };
  const { id } = scene.accept(bookCommand({ stay, sharer: SHARER })).reservation;
  const here = { scene, id, now: (): Reservation => scene.state.reservations.get(id)! };
  route(here, [{ ...HALF, percent: 37 }]);
  for (const { amount, taxes } of costLines(here.now(), DAY))
    t.same([amount % 100, ...taxes.map((tax) => tax.amount % 100)], [0, 0].slice(0, 1 + taxes.length));
});

void t.test('what is voided is divided like what was posted, also where the rule came between', async (t) => {
  const here = shared([]);
  const { scene, id, now } = here;
  accepted(here, checkInCommand(id));
  const { posting } = accepted(here, postCommand(id, { quantity: 1, unitAmount: 1_001 }));
  route(here, [{ kind: 'EXTRA', window: 'SHARER', percent: 50 }]);
  t.match(
    scene.refuse(voidCommand(id, `${posting.postingId}/SHARER`)),
    { code: 'INVALID_STATE' },
    'only a whole posting is taken back',
  );
  const { posting: back } = accepted(here, voidCommand(id, posting.postingId));
  const lines = costLines(now(), DAY).filter(({ kind }) => kind === 'EXTRA');
  t.same(
    lines.map(({ postingId, amount, voidedBy, voids }) => [postingId, amount, voidedBy ?? voids]),
    [
      [posting.postingId, 501, back.postingId],
      [`${posting.postingId}/SHARER`, 500, `${back.postingId}/SHARER`],
      [back.postingId, -501, posting.postingId],
      [`${back.postingId}/SHARER`, -500, `${posting.postingId}/SHARER`],
    ],
  );
});

void t.test('the sharer pays the own window, and never more than is in it', async (t) => {
  const here = shared();
  const over = { ...startPaymentCommand(here.id, { amount: 11_001 }), window: 'SHARER' as const };
  t.match(here.scene.refuse(over), { code: 'VALIDATION_FAILED' });
  const own = pay(here, 'SHARER');
  t.equal(own.amount, 11_000, 'two halves of 110.00');
  t.match(here.scene.refuse({ ...startPaymentCommand(here.id), window: 'SHARER' }), { code: 'INVALID_STATE' });
  t.equal(pay(here, 'GUEST').amount, 11_800);
  t.equal(here.now().paid, 22_800);
});

void t.test('a sharer who has not paid cannot be checked out, and has no card to be charged', async (t) => {
  const here = shared();
  const { scene, id, now } = here;
  accepted(here, checkInCommand(id));
  scene.pass(48 * HOUR);
  scene.accept({ type: 'TICK' });
  const before = now();
  t.match(scene.refuse(checkOutCommand(id, { at: scene.now })), { code: 'SHARER_OWES', message: /110\.00/ });
  t.equal(now(), before, 'nothing is stored');
  pay(here, 'SHARER');
  const { attempt } = accepted(here, checkOutCommand(id, { at: scene.now }));
  t.equal(attempt?.amount, 11_800, 'the card on file pays what is not the sharer’s');
  accepted(here, endPaymentCommand(id, paid(attempt!)));
  t.equal(now().status, 'CHECKED_OUT');
  t.same(balances(here), [
    ['GUEST', 11_800, 11_800],
    ['SHARER', 11_000, 11_000],
  ]);
});

void t.test('who has paid for both gets the half of the sharer back at the check-out', async (t) => {
  const here = shared([]);
  accepted(here, checkInCommand(here.id));
  const all = pay(here, 'GUEST', { method: 'CREDIT_CARD' });
  route(here, [HALF]);
  const own = pay(here, 'SHARER');
  t.equal(own.amount, 11_000, 'though the stay is paid');
  const { refunds } = leave(here);
  t.match(refunds, [{ chargeId: all.paymentId, amount: 11_000 }]);
  t.equal(here.now().paid, 22_800);
});

void t.test('what the sharer has paid too much goes back to the sharer, and the card pays the rest', async (t) => {
  const here = shared();
  const { scene, id, now } = here;
  accepted(here, checkInCommand(id));
  const own = pay(here, 'SHARER');
  route(here, [{ ...HALF, percent: 25 }]);
  scene.pass(48 * HOUR);
  scene.accept({ type: 'TICK' });
  const { attempt } = accepted(here, checkOutCommand(id, { at: scene.now }));
  t.equal(attempt?.amount, 17_300);
  accepted(here, endPaymentCommand(id, paid(attempt!)));
  t.match(now().payments.at(-1), { type: 'REFUND', chargeId: own.paymentId, amount: 5_500 });
  t.same(balances(here), [
    ['GUEST', 17_300, 17_300],
    ['SHARER', 5_500, 5_500],
  ]);
});

void t.test('a forced check-out leaves open what the sharer owes, and refunds it to nobody', async (t) => {
  const here = shared([]);
  accepted(here, checkInCommand(here.id));
  pay(here, 'GUEST');
  route(here, [HALF]);
  const { refunds } = leave(here, true);
  t.same(refunds, []);
  t.same(balances(here), [
    ['GUEST', 11_800, 22_800],
    ['SHARER', 11_000, 0],
  ]);
});

void t.test('a company takes over what is its, and the sharer pays the own part', async (t) => {
  const here = shared([], { companyId: freshId() });
  accepted(here, checkInCommand(here.id));
  route(here, [
    { ...HALF, percent: 50 },
    { kind: 'FEE', window: 'COMPANY' },
  ]);
  pay(here, 'SHARER');
  pay(here, 'GUEST');
  const { refunds } = leave(here);
  t.same(refunds, []);
  t.same(balances(here), [
    ['GUEST', 11_000, 11_000],
    ['SHARER', 11_000, 11_000],
    ['COMPANY', 800, 800],
  ]);
});

void t.test('each of two guests is issued an invoice, and credit notes correct the own one', async (t) => {
  const here = shared();
  accepted(here, checkInCommand(here.id));
  const own = pay(here, 'SHARER');
  const other = pay(here, 'GUEST');
  leave(here);
  const { documents = [] } = here.now();
  t.match(documents, [
    { number: 'INV-2026-000001', total: 11_800, issuedTo: { name: 'Ada Byron', sharerId: undefined } },
    { number: 'INV-2026-000002', total: 11_000, issuedTo: { name: 'Bo Diddley', sharerId: SHARER.guestId } },
  ]);
  t.same(
    documents.map(({ subtotal, taxes, fees, lines }) => [subtotal, taxes, fees, lines.length]),
    [
      [10_000, 1_000, 800, 3],
      [10_000, 1_000, 0, 2],
    ],
  );
  const back = (paymentId: string, amount: number) =>
    accepted(here, {
      type: 'GIVE_REFUND',
      reservationId: here.id,
      refundId: freshId(),
      amount,
      paymentId,
      reason: 'noise',
      by: 'boss',
    });
  back(own.paymentId, 1_000);
  back(other.paymentId, 300);
  const after = here.now().documents!;
  t.match(after.slice(2), [
    { number: 'CN-2026-000001', corrects: 'INV-2026-000002', total: -1_000, issuedTo: { sharerId: SHARER.guestId } },
    { number: 'CN-2026-000002', corrects: 'INV-2026-000001', total: -300, issuedTo: { name: 'Ada Byron' } },
  ]);
  t.equal(sumOfDocuments(after).total, folioTotals(here.now()).total);
  t.equal(sumOfDocuments(documentsOfParty(after, 'SHARER')).total, 10_000);
});

void t.test('a sharer who pays nothing has no invoice', async (t) => {
  const here = shared([]);
  accepted(here, checkInCommand(here.id));
  pay(here, 'GUEST');
  leave(here);
  t.match(here.now().documents, [{ total: 22_800, issuedTo: { sharerId: undefined } }]);
  t.equal(here.now().documents!.length, 1);
});

void t.test('a cancel gives each guest back what that guest has paid', async (t) => {
  const here = shared([HALF], { policies: { cancellationPolicy: 'FLEXIBLE' } });
  const own = pay(here, 'SHARER');
  const other = pay(here, 'GUEST');
  accepted(here, cancelCommand(here.id));
  const { payments, cancellation } = here.now();
  const back = (chargeId: string): number =>
    payments.reduce((sum, one) => sum + (one.type === 'REFUND' && one.chargeId === chargeId ? one.amount : 0), 0);
  t.equal(back(own.paymentId), 11_000);
  t.equal(back(other.paymentId), 11_800 - cancellation!.penalty);
});

void t.test('a change refunds who has paid too much', async (t) => {
  const here = shared([]);
  const all = pay(here, 'GUEST');
  route(here, [HALF]);
  const own = pay(here, 'SHARER');
  const { refund } = accepted(here, modifyCommand(here.id, {}, { specialRequests: ['A cot'] }));
  t.equal(refund, 11_000);
  t.match(here.now().payments.at(-1), { type: 'REFUND', chargeId: all.paymentId });
  t.same(balances(here), [
    ['GUEST', 11_800, 11_800],
    ['SHARER', 11_000, own.amount],
  ]);
});

void t.test('good will is of the window whose payment goes back, also where credits are divided', async (t) => {
  for (const window of ['SHARER', 'GUEST'] as const) {
    const here = shared([HALF, { kind: 'CREDIT', window: 'SHARER', percent: 50 }]);
    accepted(here, checkInCommand(here.id));
    const { paymentId } = pay(here, window);
    const of = { reservationId: here.id, refundId: freshId(), amount: 1_000, paymentId, goodwill: true };
    accepted(here, { type: 'GIVE_REFUND', ...of, reason: 'noise', by: 'boss' });
    const [guest, sharer] = window === 'SHARER' ? [11_800, 10_000] : [10_800, 11_000];
    t.same(
      windowsOf(here.now(), DAY).map((one) => one.expectedTotal),
      [guest, sharer],
      window,
    );
  }
});

void t.test('a window without a sharer has no payer', async (t) => {
  const scene = Scene.property({ policies: { paymentRequired: false } });
  const { id } = scene.accept(bookCommand()).reservation;
  const before = scene.state.reservations.get(id);
  const errors = [{ code: 'NO_PAYER', detail: 'the stay names no sharer' }];
  const route50 = { type: 'ROUTE_FOLIO' as const, reservationId: id, rules: [HALF], by: 'desk' };
  t.match(scene.refuse(route50).details, { errors });
  t.match(scene.refuse({ ...startPaymentCommand(id), window: 'SHARER' }).details, { errors });
  t.match(scene.refuse({ ...postCommand(id), window: 'SHARER' }).details, { errors });
  t.equal(scene.state.reservations.get(id), before);
});
