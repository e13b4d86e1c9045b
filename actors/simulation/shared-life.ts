import fc from 'fast-check';

import type { Command } from '../../src/kernel/rules/commands.ts';
import { negated } from '../../src/kernel/rules/money.ts';
import {
  CHARGE_KINDS,
  type ChargeKind,
  type FolioWindow,
  type RoutingRule,
} from '../../src/money/rules/folio-window.ts';
import { billedCharges, type FolioCharge, folioTaxLines, folioTotals } from '../../src/money/rules/folio.ts';
import { documentsOfParty, sumOfDocuments } from '../../src/money/rules/invoice-document.ts';
import { INVOICE_PARTIES, invoiceOfParty } from '../../src/money/rules/invoice.ts';
import { moneyFault } from '../../src/money/rules/money-fault.ts';
import { windowsOf } from '../../src/money/rules/postings.ts';
import { partsOfNight } from '../../src/money/rules/surcharge.ts';
import { mergedLines } from '../../src/money/rules/taxes.ts';
import { isUnfinished } from '../../src/stay/rules/reservation-states.ts';
import type { Reservation, ReservationStatus } from '../../src/stay/rules/reservation.ts';
import { IssuedDocuments } from '../../src/testing/actors/issued-documents.ts';
import { same } from '../../src/testing/actors/life-compare.ts';
import { halfEven, sumOf } from '../../src/testing/actors/life-sums.ts';
import { Scene } from '../../src/testing/actors/scene.ts';
import {
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  compCommand,
  DAY,
  endPaymentCommand,
  envelope,
  freshId,
  id,
  modifyCommand,
  noShowCommand,
  paid,
  plainRoom,
  plan,
  postCommand,
  reinstateCommand,
  startPaymentCommand,
  upgradeCommand,
  voidCommand,
} from '../../src/testing/property-world.ts';

const HOUR = 3_600_000;
const COMPANY = id(7);
const SHARERS = [id(11), id(12)].map((guestId, n) => {
  return { guestId, firstName: 'Bo', lastName: `Diddley ${n}`, email: 'bo@example.com' };
});

/** Moves in the life of a stay that two guests pay for, weighted by how usual they are. */
const BEFORE = [
  ...(['name', 'route', 'route', 'route', 'post', 'post', 'void', 'pay', 'pay', 'paySharer', 'paySharer'] as const),
  ...(['checkIn', 'checkIn', 'checkIn', 'day', 'day', 'modify', 'upgrade', 'comp', 'refund'] as const),
  ...(['cancel', 'noShow', 'chargeBack', 'winChargeback', 'chargeDue', 'chargeDue', 'cardOfSharer'] as const),
] as const;
const DURING = [
  ...([
    'route',
    'route',
    'post',
    'post',
    'void',
    'pay',
    'pay',
    'paySharer',
    'paySharer',
    'name',
    'day',
    'day',
  ] as const),
  ...(['extend', 'upgrade', 'comp', 'refund', 'checkOut', 'checkOut', 'checkOut', 'forced', 'chargeBack'] as const),
] as const;
const AFTER = [
  ...(['refund', 'refund', 'refund', 'waive', 'waive', 'reinstate', 'pay', 'paySharer', 'payOut', 'payOut'] as const),
  ...(['chargeBack', 'winChargeback', 'writeOff', 'chargeDue', 'chargeDue'] as const),
] as const;
const GUARANTEES = ['NONE', 'CARD', 'COMPANY', 'PREPAY'] as const;
/** Next to nothing is due with the booking, and the rest on the day of arrival. */
const ON_ARRIVAL = [
  { percent: 1, due: { at: 'BOOKING' as const } },
  { percent: 99, due: { daysBefore: 0 } },
];
const DEPOSIT = 500;
export type SharedMove = (typeof BEFORE | typeof DURING | typeof AFTER)[number];

function movesOf(status: ReservationStatus): readonly SharedMove[] {
  if (status === 'CHECKED_IN') return DURING;
  return isUnfinished(status) ? BEFORE : AFTER;
}

/** Moves drawn as numbers, interpreted by the state at their time. */
export const sharedLives = fc.record({
  company: fc.boolean(),
  guarantee: fc.constantFrom(...GUARANTEES),
  moves: fc.array(fc.record({ which: fc.nat(9_999), a: fc.nat(9), b: fc.nat(9), cents: fc.nat(19_999) }), {
    minLength: 10,
    maxLength: 24,
    size: 'max',
  }),
});
type Drawn = typeof sharedLives extends fc.Arbitrary<infer L> ? L : never;
type Move = Omit<Drawn['moves'][number], 'which'>;

/**
 * A stay whose folio is divided in any way while anything happens to it. After each move it is added up in plain sums,
 * independent of the product's: who pays what, who has paid what, and what both were invoiced.
 */
export class SharedLife {
  readonly #scene: Scene;
  readonly #issued = new IssuedDocuments();
  readonly #id: string;
  /** A card or an account pays a penalty for which nothing was paid. */
  readonly #isCollected: boolean;

  constructor({ company, guarantee }: Pick<Drawn, 'company' | 'guarantee'>) {
    const policies = { paymentRequired: false, freeCancellationHours: 0 };
    this.#scene = Scene.property({ policies });
    const rooms = [plainRoom('101'), plainRoom('201', { roomType: 'DLX' })];
    this.#scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
    const isPrepaid = guarantee === 'PREPAY';
    const ofPlan = { guarantee, ...(isPrepaid && { depositSchedule: ON_ARRIVAL }) };
    this.#scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ code: 'OWN', ...ofPlan }), mode: 'create' });
    const checkIn = isPrepaid ? DAY + 1 : DAY;
    const stay = { checkIn, checkOut: checkIn + 3, adults: 2, rateCode: 'OWN' };
    const isCardTaken = guarantee === 'CARD' && { isCardTaken: true as const };
    const billing = { method: 'CREDIT_CARD' as const, card: 'sealed', ...isCardTaken };
    const companyId = company || guarantee === 'COMPANY' ? COMPANY : undefined;
    const command = bookCommand({ stay, billing, sharer: SHARERS[0], companyId });
    this.#isCollected = guarantee === 'CARD' || guarantee === 'COMPANY';
    this.#id = this.#scene.accept(command).reservation.id;
    if (isPrepaid) same('deposit', this.#pay('GUEST', DEPOSIT) && this.#nextDay(), true);
  }

  get reservation(): Reservation {
    return this.#scene.state.reservations.get(this.#id)!;
  }

  /** @returns the move, and whether it was done */
  play({ which, ...move }: Drawn['moves'][number]): { what: SharedMove; done: boolean } {
    const moves = movesOf(this.reservation.status);
    const what = moves[which % moves.length]!;
    const done = this.#play(what, move);
    this.#compare();
    if (done && what === 'checkOut') this.#compareDeparture();
    return { what, done };
  }

  #play(what: SharedMove, { a, b, cents }: Move): boolean {
    const reservationId = this.#id;
    const payments = this.reservation.payments.filter(({ type }) => type === 'CHARGE');
    const { paymentId = freshId() } = payments[a % Math.max(1, payments.length)] ?? {};
    switch (what) {
      case 'name':
        return this.#try(modifyCommand(reservationId, {}, { sharer: [null, ...SHARERS][a % 3]! }));
      case 'route':
        return this.#try({ type: 'ROUTE_FOLIO', reservationId, rules: rulesOf(a, b, cents), by: 'desk' });
      case 'post': {
        const window = b % 3 ? {} : { window: b % 2 ? ('SHARER' as const) : ('GUEST' as const) };
        const taxLines = cents > 100 ? [{ code: 'VAT', amount: cents % 97, included: true as const }] : [];
        const extra = { unitAmount: cents + 1, quantity: 1 + (a % 3), taxLines, ...(a % 2 && { code: 'WATER' }) };
        return this.#try({ ...postCommand(reservationId, extra), ...window });
      }
      case 'void': {
        const ids = (this.reservation.charges ?? []).flatMap((one) => one.id ?? []);
        return this.#try(voidCommand(reservationId, ids[a % Math.max(1, ids.length)] ?? freshId()));
      }
      case 'pay':
      case 'paySharer':
        return this.#pay(what === 'pay' ? 'GUEST' : 'SHARER', b % 2 ? 0 : cents + 1);
      case 'checkIn':
        return this.#try(checkInCommand(reservationId));
      case 'day':
        return this.#nextDay();
      case 'modify':
        return this.#try(
          modifyCommand(reservationId, { nights: 1 + (a % 5) }, { modifiedBy: 'desk', reason: 'asked' }),
        );
      case 'extend':
        return this.#try(modifyCommand(reservationId, { checkOut: this.#scene.state.today + (a % 4) }));
      case 'upgrade':
        return this.#try(upgradeCommand(reservationId, {}, { amountPerNight: cents }));
      case 'comp': {
        const nights = [this.reservation.stay.checkIn + (a % 3)];
        return this.#try(compCommand(reservationId, { nights, refundRequested: b % 2 === 0 }));
      }
      case 'refund': {
        const which = b % 3 ? { paymentId } : {};
        const of = { reservationId, refundId: freshId(), amount: cents + 1, goodwill: a % 2 === 0, ...which };
        return this.#try({ type: 'GIVE_REFUND', ...of, reason: 'noise', by: 'boss' });
      }
      case 'cancel':
        return this.#try(cancelCommand(reservationId, { refundRequested: a % 4 !== 0 }));
      case 'noShow':
        return this.#noShow();
      case 'chargeDue':
        return this.#chargeDue(b % 3 > 0);
      case 'cardOfSharer': {
        const of = startPaymentCommand(reservationId, { amount: 0, method: 'CARD_ON_FILE' });
        same('the card of who has booked pays for the sharer', this.#try({ ...of, window: 'SHARER' }), false);
        return true;
      }
      case 'waive': {
        const waiver = { reservationId, refundId: freshId(), amount: a % 2 ? cents + 1 : undefined };
        return this.#try({ type: 'WAIVE_PENALTY', ...waiver, reason: 'ill', by: 'boss' });
      }
      case 'reinstate':
        return this.#try(reinstateCommand(reservationId));
      case 'checkOut':
      case 'forced':
        return this.#checkOut(what === 'forced', a, b, cents);
      case 'chargeBack':
      case 'winChargeback':
      case 'writeOff':
      case 'payOut':
        return this.#money(what, paymentId, cents);
    }
  }

  #money(what: 'chargeBack' | 'winChargeback' | 'writeOff' | 'payOut', paymentId: string, cents: number): boolean {
    const of = { reservationId: this.#id, paymentId, reason: 'fraud', by: 'boss' };
    switch (what) {
      case 'chargeBack':
        return this.#try({ type: 'CHARGE_BACK', ...of, chargebackId: freshId(), amount: cents + 1 });
      case 'winChargeback':
        return this.#try({ type: 'WIN_CHARGEBACK', ...of, returnId: freshId() });
      case 'writeOff':
        return this.#try({ type: 'CLOSE_CHARGEBACK', ...of, writeOff: true });
      case 'payOut': {
        const open = this.reservation.payments.find(
          ({ type, status }) => type === 'REFUND' && status !== 'COMPLETED',
        );
        if (!open) return false;
        const payment = { ...open, status: 'COMPLETED' as const };
        return this.#try({ type: 'SETTLE_REFUND', reservationId: this.#id, payment });
      }
    }
  }

  #nextDay(): boolean {
    this.#scene.pass(24 * HOUR);
    return this.#try({ type: 'TICK' });
  }

  /** Where a card or an account answers for the stay, a night is owed, whatever the sharer has paid. */
  #noShow(): boolean {
    const [night] = this.reservation.nights;
    if (!this.#try(noShowCommand(this.#id))) return false;
    const { penalty, owed } = this.reservation.cancellation!;
    const isOwed = penalty + (owed?.amount ?? 0) >= night!.rate + night!.taxes;
    if (this.#isCollected) same('a missed night is owed', isOwed, true);
    return true;
  }

  /** What a card on file is charged is never more than the others are to pay. */
  #chargeDue(isPaid: boolean): boolean {
    const it = this.reservation;
    const open = it.payments.find(({ status, method }) => status === 'PROCESSING' && method === 'CARD_ON_FILE');
    const [paymentId, cancellationId, refundId] = [freshId(), freshId(), freshId()];
    const command = { type: 'CHARGE_DUE' as const, reservationId: this.#id, paymentId, cancellationId, refundId };
    if (!open && !this.#try(command)) return false;
    const attempt = open ?? this.reservation.payments.find((one) => one.paymentId === paymentId);
    if (!attempt) return false;
    const paidByOthers = it.paid - paidBySharer(it);
    const most = it.cancellation?.owed?.amount ?? folioTotals(it).total - sharersPart(it) - paidByOthers;
    if (!open) same('a charge is for the others', attempt.amount <= most, true);
    if (attempt.status === 'FAILED') return true;
    return this.#try(endPaymentCommand(this.#id, isPaid ? paid(attempt) : { ...attempt, status: 'FAILED' }));
  }

  #pay(window: FolioWindow, amount: number): boolean {
    const method = amount % 2 ? ('CASH' as const) : ('CREDIT_CARD' as const);
    const start = { ...startPaymentCommand(this.#id, { amount, method }), window };
    if (!this.#try(start)) return false;
    const known = this.reservation.payments.find(({ paymentId }) => paymentId === start.attempt.paymentId)!;
    return this.#try(endPaymentCommand(this.#id, paid(known)));
  }

  #checkOut(forced: boolean, a: number, b: number, cents: number): boolean {
    const amount = b % 3 === 0 ? -cents : cents;
    const charges = a % 3 === 0 && cents > 0 ? [{ description: 'Bar', amount }] : [];
    if (!this.#try(checkOutCommand(this.#id, { charges, forced, at: undefined }))) return false;
    const { leaving, payments } = this.reservation;
    const known = payments.find(({ paymentId }) => paymentId === leaving?.paymentId);
    if (known) this.#try(endPaymentCommand(this.#id, paid(known)));
    return true;
  }

  #try(command: Command): boolean {
    const outcome = this.#scene.batch(envelope(command)).outcomes[0]!;
    if (outcome.kind === 'fault') throw outcome.error;
    return outcome.kind === 'accepted';
  }

  #compare(): void {
    const it = this.reservation;
    const { total } = folioTotals(it);
    const sharers = sharersPart(it);
    const windows = windowsOf(it, this.#scene.state.today);
    const own = windows.find(({ window }) => window === 'SHARER');
    same('fault', moneyFault(it), undefined);
    same('window of the sharer', own?.expectedTotal ?? 0, sharers);
    same('all windows', sumOf(windows.map(({ expectedTotal }) => expectedTotal)), total);
    same('paid by the sharer', own?.paid ?? 0, paidBySharer(it));
    this.#compareEnd(it);
    same('paid', sumOf(windows.map((one) => one.paid)), it.paid);
    const invoices = INVOICE_PARTIES.map((party) => invoiceOfParty(it, party));
    if (it.sharer)
      same(
        'invoices',
        invoices.map((invoice) => invoice.total),
        [total - sharers, sharers],
      );
    const taxes = mergedLines(invoices.flatMap(({ lines }) => lines).flatMap(({ taxLines = [] }) => taxLines));
    if (it.sharer) same('taxes', byCode(taxes), byCode(folioTaxLines(it)));
    this.#compareDocuments(it, [total - sharers, sharers]);
    for (const { paymentId, type, amount } of it.payments) {
      if (type !== 'CHARGE') continue;
      const back = it.payments.filter(({ chargeId }) => chargeId === paymentId);
      same('no more goes back than came', sumOf(back.map((one) => one.amount)) <= amount, true);
    }
  }

  /** Whoever shares a stay that did not take place has everything back but what a card issuer has returned since. */
  #compareEnd(it: Reservation): void {
    same('a penalty is for the sharer', (it.routing ?? []).some(isForbidden), false);
    if (!it.cancellation) return;
    const returned = it.payments.filter((one) => one.regains && it.paymentWindows?.[one.paymentId] === 'SHARER');
    const left = paidBySharer(it);
    same('sharer of a stay that is over', left >= 0 && left <= sumOf(returned.map(({ amount }) => amount)), true);
    if (it.payments.some(({ chargeback }) => chargeback)) return;
    same('the others have paid the penalty', it.cancellation.penalty <= it.paid - left, true);
  }

  /** Each of the two has documents of the own part of a stay that is over, and none of one that is not. */
  #compareDocuments({ documents = [], status }: Reservation, parts: readonly number[]): void {
    const isOver = !isUnfinished(status);
    const sums = INVOICE_PARTIES.map((party) => sumOfDocuments(documentsOfParty(documents, party)).total);
    same('documents', sums, isOver ? parts : [0, 0]);
    const recipient = new Map(documents.map(({ number, issuedTo }) => [number, issuedTo.sharerId]));
    for (const { corrects, issuedTo } of documents)
      if (corrects !== undefined) same('recipient of a credit note', issuedTo.sharerId, recipient.get(corrects));
    same('numbers', this.#issued.check(documents), []);
  }

  /** Who leaves without force owes nothing, and nobody has paid for another one. */
  #compareDeparture(): void {
    if (this.reservation.status !== 'CHECKED_OUT') return;
    const windows = windowsOf(this.reservation, this.#scene.state.today);
    const own = windows.find(({ window }) => window === 'SHARER');
    same('owed by the sharer', own?.balance ?? 0, 0);
    same('owed by the rest', sumOf(windows.map(({ balance }) => balance)), 0);
  }
}

/** Rules for some of the kinds; rarely for all, and now and then one for penalties, which is refused. */
function rulesOf(a: number, b: number, cents: number): RoutingRule[] {
  const kinds = CHARGE_KINDS.filter((_, n) => (cents >> n) % 2 === 1);
  const rules = kinds.map((kind, n): RoutingRule => {
    if ((b + n) % 4 === 0) return { kind, window: 'SHARER' };
    if ((b + n) % 7 === 0) return { kind, window: 'COMPANY' };
    return { kind, window: 'SHARER', percent: 1 + ((a * 31 + b * 7 + n * 13) % 99) };
  });
  return a === 9 ? rules : rules.filter((rule) => !isForbidden(rule));
}

const isForbidden = ({ kind, window }: RoutingRule): boolean => kind === 'PENALTY' && window === 'SHARER';

function percentOf({ routing = [] }: Reservation, kind: ChargeKind): number {
  const rule = routing.find((one) => one.kind === kind && one.window === 'SHARER');
  return rule ? (rule.percent ?? 100) : 0;
}

/** What the sharer is to pay: of each line by itself, half to even. */
function sharersPart(it: Reservation): number {
  const part = (amount: number, kind: ChargeKind): number => halfEven(amount * percentOf(it, kind), 100);
  const charges = billedCharges(it).map((charge) => {
    if (charge.window !== undefined) return charge.window === 'SHARER' ? charge.amount : 0;
    return part(charge.amount, kindOf(charge));
  });
  // A penalty is never the sharer's.
  if (it.cancellation) return sumOf(charges);
  const nights = it.nights.map((night) => {
    const { room, surcharge = { rate: 0, taxes: 0 } } = partsOfNight(night);
    const ofRoom = part(room.rate + room.taxes, 'ROOM') + part(surcharge.rate + surcharge.taxes, 'ROOM');
    return ofRoom + part(night.fees, 'FEE');
  });
  return sumOf([...nights, ...charges]);
}

function kindOf({ kind, code, amount, goodwill }: FolioCharge): ChargeKind {
  if (kind) return kind;
  if (['RETAINED', 'EARLY_DEPARTURE', 'CHANGE_FEE', 'PENALTY'].includes(code ?? '')) return 'PENALTY';
  return goodwill || amount < 0 ? 'CREDIT' : 'EXTRA';
}

function paidBySharer({ payments, paymentWindows = {} }: Reservation): number {
  const own = payments.filter(({ paymentId, chargeId }) => paymentWindows[chargeId ?? paymentId] === 'SHARER');
  return sumOf(
    own.map(({ type, status, amount }) => {
      if (type === 'CHARGE') return status === 'COMPLETED' ? amount : 0;
      return status === 'FAILED' || status === 'CANCELLED' ? 0 : negated(amount);
    }),
  );
}

function byCode(lines: readonly { code: string; amount: number }[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { code, amount } of lines) sums.set(code, (sums.get(code) ?? 0) + amount);
  return [...sums].filter(([, amount]) => amount !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
