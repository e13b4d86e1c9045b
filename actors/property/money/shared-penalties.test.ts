import t from 'tap';

import { sum } from '../../../src/kernel/rules/figures.ts';
import type { RoutingRule } from '../../../src/money/rules/folio-window.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import { moneyFault } from '../../../src/money/rules/money-fault.ts';
import type { Payment } from '../../../src/money/rules/payment.ts';
import { windowsOf } from '../../../src/money/rules/postings.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
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
  id,
  modifyCommand,
  noShowCommand,
  paid,
  plainRoom,
  plan,
  reinstateCommand,
  startPaymentCommand,
} from '../../../src/testing/property-world.ts';

const DAY_MS = 24 * 3_600_000;
const SHARER = { guestId: freshId(), firstName: 'Bo', lastName: 'Diddley', email: 'bo@example.com' };
const ALL: RoutingRule = { kind: 'ROOM', window: 'SHARER' };
const HALF: RoutingRule = { ...ALL, percent: 50 };
/** First night with its tax, and no fee. */
const PENALTY = 11_400;

/** A stay of two guests for two nights, 228.00, of which 8.00 are fees; nothing is paid. */
class Shared {
  readonly scene = Scene.property({ policies: { paymentRequired: false, cancellationPolicy: 'FLEXIBLE' } });
  readonly id: string;

  constructor(own: Partial<RatePlan>, rules: RoutingRule[] = [], changed: Partial<Stay> = {}) {
    const of = plan({ id: id(900), code: 'OWN', ...own });
    this.scene.accept({ type: 'PUT_RATE_PLAN', plan: of, mode: 'create' });
    this.scene.accept({ type: 'PUT_ROOMS', rooms: [plainRoom('101')], mode: 'create' });
    const stay = { checkIn: DAY, checkOut: DAY + 2, adults: 2, rateCode: 'OWN', ...changed };
    const billing = { card: 'sealed', isCardTaken: true as const };
    const companyId = own.guarantee === 'COMPANY' ? id(7) : undefined;
    this.id = this.scene.accept(bookCommand({ stay, billing, companyId, sharer: SHARER })).reservation.id;
    if (rules.length > 0) this.accept({ type: 'ROUTE_FOLIO', reservationId: this.id, rules, by: 'desk' });
  }

  get now(): Reservation {
    return this.scene.state.reservations.get(this.id)!;
  }

  accept<C extends Parameters<Scene['accept']>[0]>(command: C) {
    const result = this.scene.accept(command);
    t.equal(moneyFault(this.now), undefined);
    return result;
  }

  pay(window: 'GUEST' | 'SHARER', changed: Partial<Payment> = {}): Payment {
    const { attempt } = this.accept({ ...startPaymentCommand(this.id, { amount: 0, ...changed }), window });
    this.accept(endPaymentCommand(this.id, paid(attempt)));
    return attempt;
  }

  /** The card on file pays what is under way. */
  charged(): Payment[] {
    const open = this.now.payments.filter(({ status, type }) => type === 'CHARGE' && status === 'PROCESSING');
    for (const one of open) this.accept(endPaymentCommand(this.id, paid(one)));
    return open;
  }

  /** Window, expected total, paid. */
  get windows(): [string, number, number][] {
    const all = windowsOf(this.now, this.scene.state.today);
    return all.map(({ window, expectedTotal, paid: came }) => [window, expectedTotal, came]);
  }

  chargeDue() {
    const ids = { paymentId: freshId(), cancellationId: freshId(), refundId: freshId() };
    return this.accept({ type: 'CHARGE_DUE', reservationId: this.id, ...ids });
  }

  backTo({ paymentId }: Payment): number {
    return sum(this.now.payments, ({ chargeId, amount }) => (chargeId === paymentId ? amount : 0));
  }
}

const ENDS = [cancelCommand, noShowCommand] as const;

void t.test('the card of who has booked pays the penalty, and the sharer has everything back', async (t) => {
  for (const end of ENDS)
    for (const rule of [ALL, HALF]) {
      const here = new Shared({ guarantee: 'CARD' }, [rule]);
      const own = here.pay('SHARER', { method: 'CREDIT_CARD' });
      here.accept(end(here.id));
      t.equal(here.backTo(own), own.amount);
      t.match(here.charged(), [{ method: 'CARD_ON_FILE', amount: PENALTY }]);
      t.same(here.windows, [
        ['GUEST', PENALTY, PENALTY],
        ['SHARER', 0, 0],
      ]);
      for (const { issuedTo } of here.now.documents ?? []) t.equal(issuedTo.sharerId, undefined);
      t.equal(folioTotals(here.now).total, PENALTY);
    }
});

void t.test('the account of a company takes over the whole penalty of a shared stay', async (t) => {
  for (const end of ENDS) {
    const here = new Shared({ guarantee: 'COMPANY' }, [HALF]);
    const own = here.pay('SHARER', { method: 'CREDIT_CARD' });
    here.accept(end(here.id));
    t.equal(here.backTo(own), 11_000);
    t.same(here.windows, [
      ['GUEST', 0, 0],
      ['SHARER', 0, 0],
      ['COMPANY', PENALTY, PENALTY],
    ]);
  }
});

void t.test('where nothing else is there, the penalty falls and the sharer has everything back', async (t) => {
  for (const refundRequested of [true, false]) {
    const here = new Shared({ guarantee: 'NONE', releaseHour: null }, [HALF]);
    const own = here.pay('SHARER');
    const other = here.pay('GUEST', { amount: 5_000 });
    const without = { ...here.now, billing: undefined };
    here.scene.state.reservations.set(here.id, without);
    here.accept(cancelCommand(here.id, { refundRequested }));
    t.equal(here.backTo(own), own.amount, 'also where no refund was requested');
    t.equal(here.backTo(other), 0);
    t.match(here.now, { paid: 5_000, cancellation: { penalty: 5_000, refund: own.amount } });
  }
});

void t.test('what a card issuer has taken from the sharer is no claim for the penalty', async (t) => {
  const here = new Shared({ guarantee: 'CARD' }, [HALF]);
  const own = here.pay('SHARER', { method: 'CREDIT_CARD' });
  const of = { reservationId: here.id, paymentId: own.paymentId, reason: 'fraud', by: 'desk' };
  here.accept({ type: 'CHARGE_BACK', ...of, chargebackId: freshId(), amount: 6_000 });
  here.accept(noShowCommand(here.id));
  t.equal(here.backTo(own), 11_000);
  t.match(here.charged(), [{ amount: PENALTY }]);
});

void t.test('a penalty is not routed to the sharer, and a stored rule for it is none', async (t) => {
  for (const percent of [undefined, 50]) {
    const rule: RoutingRule = { kind: 'PENALTY', window: 'SHARER', ...(percent && { percent }) };
    const here = new Shared({ guarantee: 'COMPANY' });
    const command = { type: 'ROUTE_FOLIO' as const, reservationId: here.id, rules: [HALF, rule], by: 'desk' };
    t.match(here.scene.refuse(command), {
      code: 'VALIDATION_FAILED',
      details: { errors: [{ pointer: '/rules/1/window', code: 'NOT_FOR_SHARER' }] },
    });
    here.scene.state.reservations.set(here.id, { ...here.now, routing: [rule] });
    here.accept(cancelCommand(here.id));
    t.same(here.windows, [
      ['GUEST', 0, 0],
      ['COMPANY', PENALTY, PENALTY],
    ]);
    t.match(here.now.documents, [{ total: PENALTY, issuedTo: { sharerId: undefined } }]);
  }
});

void t.test('what is retained of an early departure is of who has booked', async (t) => {
  const one = { kind: 'NIGHTS' as const, value: 1 };
  const terms = {
    cancellation: { freeUntilHours: 0, penalty: one },
    earlyDeparture: one,
    noShow: one,
    change: 'FREE' as const,
  };
  const here = new Shared({ guarantee: 'NONE', releaseHour: null, terms }, [ALL]);
  const stored = { ...here.now, routing: [ALL, { kind: 'PENALTY' as const, window: 'SHARER' as const }] };
  here.scene.state.reservations.set(here.id, stored);
  here.accept(checkInCommand(here.id));
  const own = here.pay('SHARER');
  t.equal(own.amount, 22_000);
  here.scene.pass(DAY_MS / 2);
  here.accept({ type: 'TICK' });
  here.accept(checkOutCommand(here.id, { at: here.scene.now }));
  here.charged();
  t.equal(here.now.status, 'CHECKED_OUT');
  const retained = sum(here.now.charges ?? [], ({ amount }) => amount);
  t.ok(retained > 0);
  t.equal(here.backTo(own), 11_000);
  t.match(here.windows, [
    ['GUEST', 400 + retained, 400 + retained],
    ['SHARER', 11_000, 11_000],
  ]);
});

void t.test('what a change retains is what the others have paid', async (t) => {
  const here = new Shared({ guarantee: 'NONE', releaseHour: null }, [HALF]);
  here.scene.state.reservations.set(here.id, { ...here.now, billing: undefined });
  here.pay('SHARER');
  const stay = { checkIn: DAY + 1, checkOut: DAY + 3 };
  here.accept(modifyCommand(here.id, stay, { modifiedBy: 'desk', reason: 'ill' }));
  t.equal(here.now.retained, undefined);
});

void t.test('the window of the sharer begins again with a reinstatement', async (t) => {
  const here = new Shared({ guarantee: 'CARD' }, [HALF]);
  here.pay('SHARER');
  here.accept(noShowCommand(here.id));
  here.charged();
  here.accept(reinstateCommand(here.id));
  t.same(here.windows, [
    ['GUEST', 11_800, PENALTY],
    ['SHARER', 11_000, 0],
  ]);
  t.equal(here.pay('SHARER').amount, 11_000);
});

void t.test('a card on file pays nothing for the sharer', async (t) => {
  const here = new Shared({ guarantee: 'CARD' }, [HALF]);
  const onFile = startPaymentCommand(here.id, { amount: 0, method: 'CARD_ON_FILE' });
  t.match(here.scene.refuse({ ...onFile, window: 'SHARER' }), { code: 'PAYMENT_METHOD_REQUIRED' });
  t.equal(here.pay('GUEST', { method: 'CARD_ON_FILE' }).amount, 11_800);
});

void t.test('instalments are never more than what the others are to pay, also after an extension', async (t) => {
  const depositSchedule = [
    { percent: 2, due: { at: 'BOOKING' as const } },
    { percent: 98, due: { daysBefore: 2 } },
  ];
  const own = { guarantee: 'PREPAY' as const, depositSchedule };
  for (const [rule, expected] of [
    [ALL, 800],
    [HALF, 11_800],
  ] as const) {
    const here = new Shared(own, [], { checkIn: DAY + 3, checkOut: DAY + 5 });
    here.pay('GUEST', { amount: 456 });
    here.accept({ type: 'ROUTE_FOLIO', reservationId: here.id, rules: [rule], by: 'desk' });
    here.scene.pass(DAY_MS);
    here.accept({ type: 'TICK' });
    t.equal(here.chargeDue().attempt?.amount, expected - 456);
    here.charged();
    t.equal(here.chargeDue().attempt, undefined);
    here.accept(modifyCommand(here.id, { checkOut: DAY + 7 }, { modifiedBy: 'desk', reason: 'asked' }));
    t.equal(here.chargeDue().attempt, undefined, 'due on arrival');
    here.scene.pass(2.5 * DAY_MS);
    here.accept({ type: 'TICK' });
    t.equal(here.chargeDue().attempt?.amount, expected, 'as much again for as many nights');
  }
});

void t.test('an account takes over no part of what is paid back to the sharer', async (t) => {
  const here = new Shared({ guarantee: 'COMPANY' }, [ALL]);
  here.accept(checkInCommand(here.id));
  here.pay('SHARER', { amount: 100 });
  here.accept({ type: 'ROUTE_FOLIO', reservationId: here.id, rules: [], by: 'desk' });
  here.scene.pass(2 * DAY_MS);
  here.accept({ type: 'TICK' });
  const charges = [{ description: 'Sorry', amount: -50, day: DAY }];
  here.accept(checkOutCommand(here.id, { at: here.scene.now, charges }));
  t.match(here.windows, [
    ['GUEST', -50, 0],
    ['SHARER', 0, 0],
    ['COMPANY', 22_800, 22_750],
  ]);
});
