import fc from 'fast-check';

import type { State } from '../../../actors/property/state.ts';
import type { Command, CommandResults } from '../../kernel/rules/commands.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { JournalEntry } from '../../kernel/rules/journal.ts';
import { claimOf } from '../../money/rules/chargeback.ts';
import { billOf } from '../../money/rules/folio.ts';
import { sumOfDocuments } from '../../money/rules/invoice-document.ts';
import { moneyFault } from '../../money/rules/money-fault.ts';
import { totals } from '../../money/rules/night.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { taxLinesOf } from '../../money/rules/taxes.ts';
import { DEFAULT_POLICIES } from '../../properties/rules/property.ts';
import { isUnfinished } from '../../stay/rules/reservation-states.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import {
  baseRates,
  bookCommand,
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  compCommand,
  DAY,
  endPaymentCommand,
  envelope,
  freshId,
  modifyCommand,
  noShowCommand,
  paid,
  plan,
  plainRoom,
  reinstateCommand,
  startBookingCommand,
  startPaymentCommand,
  stayWish,
  undoCheckInCommand,
  upgradeCommand,
  voidCommand,
  walkCommand,
  id,
} from '../property-world.ts';
import { IssuedDocuments } from './issued-documents.ts';
import { compareMoney, same } from './life-compare.ts';
import { LifeModel } from './life-model.ts';
import { drawnPosting, drawnStock, USUAL, type What } from './life-moves.ts';
import { DAY_USE, NEW_CHARGE } from './life-prices.ts';
import { changedCharges, LifeModelCopy, promisedPrice } from './life-promises.ts';
import { BOOKABLE, LIFE_PROPERTIES, PAYABLE } from './life-properties.ts';
import { type ExpectedState, grossOf } from './life-sums.ts';
import { Scene } from './scene.ts';

const HOUR = 3_600_000;
const NIGHTS = 60;

const ALL: What[] = Object.values(USUAL).flat();

/** Moves drawn as numbers, interpreted by the state at their time. */
export const lives = fc.record({
  property: fc.nat(LIFE_PROPERTIES.length - 1),
  moves: fc.array(
    fc.record({ which: fc.nat(9_999), odd: fc.nat(5), a: fc.nat(9), b: fc.nat(9), cents: fc.nat(39_999) }),
    { minLength: 8, maxLength: 16, size: 'max' },
  ),
});
type Drawn = typeof lives extends fc.Arbitrary<infer L> ? L : never;
type Move = Drawn['moves'][number] & { what: What };

/** Initial states of properties: made once, since thousands of runs begin with them. */
const opened = new Map<number, State>();

function propertyOf(number: number): Scene {
  const known = opened.get(number);
  // Members that are changed in place are copied for each run.
  if (known) return new Scene({ ...known, holds: new Map(), usedQuotes: new Map(), reservations: new Map() });
  const ageBands = [{ code: 'CHILD', toAge: 11 }];
  const scene = Scene.property({ policies: { horizonNights: NIGHTS, ageBands, ...LIFE_PROPERTIES[number] } });
  const dayUse = Object.entries(DAY_USE).map(([roomType, rate]) => ({ roomType, rate }));
  scene.accept({
    type: 'PUT_RATE_PLAN',
    plan: plan({ code: 'OWN', adjustmentPercent: 5, cancellationPolicy: 'STANDARD', dayUse }),
    mode: 'create',
  });
  for (const [code, guarantee] of [
    ['CARD', 'CARD'],
    ['CORP', 'COMPANY'],
  ] as const)
    scene.accept({ type: 'PUT_RATE_PLAN', plan: plan({ code, guarantee }), mode: 'create' });
  const bands = { CHILD: 1_100 };
  const occupancyPricing = [{ included: 1, extraAdult: 2_500, single: 3_000, bands }];
  const desk = plan({ code: 'DESK', guarantee: 'NONE', occupancyPricing });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: desk, mode: 'create' });
  for (const [type, rate] of [
    ['STD', 10_000],
    ['DLX', 15_000],
  ] as const)
    scene.accept(baseRates(type, rate, DAY, DAY + NIGHTS));
  const rooms = [plainRoom('101', { status: number % 2 ? 'DIRTY' : 'CLEAN' }), plainRoom('201', { roomType: 'DLX' })];
  scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
  opened.set(number, scene.state);
  return propertyOf(number);
}

/** A reservation from its booking to its end, in the actor and in the model. */
export class Life {
  readonly #scene: Scene;
  readonly #model: LifeModel;
  readonly #issued = new IssuedDocuments();
  #id: string | undefined;

  constructor(property: number) {
    this.#scene = propertyOf(property);
    const { policies } = this.#scene.state.property!.metadata;
    this.#model = new LifeModel({ ...DEFAULT_POLICIES, ...policies }, this.#scene.now);
  }

  /** All batches so far, as in the journal. */
  get batches(): JournalEntry[][] {
    return this.#scene.sealed.map(({ entries }) => [...entries]);
  }

  /** Current state of the reservation. */
  get reservation(): Reservation | undefined {
    return this.#id === undefined ? undefined : this.#scene.state.reservations.get(this.#id);
  }

  /** Plays a move on both. @returns the move, and whether it was accepted or rejected as expected */
  play(drawn: Drawn['moves'][number]): { what: What; outcome: 'done' | 'refused' | undefined } {
    const usual = drawn.odd === 0 ? ALL : USUAL[this.#model.status ?? 'NONE'];
    const what = usual[drawn.which % usual.length]!;
    const outcome = this.#play({ ...drawn, what });
    if (this.#id !== undefined) this.#compare();
    return { what, outcome };
  }

  #play(move: Move): 'done' | 'refused' | undefined {
    const { what, a, b, cents } = move;
    if (what === 'hours' || what === 'days' || what === 'arrive') return this.#pass(move);
    if (what === 'rates') return this.#setRates(a, cents);
    if (what === 'block') return this.#block(a, b);
    if (what === 'book' || what === 'buy' || what === 'decline') return this.#book(move);
    const id = this.#id;
    if (id === undefined) return undefined;
    const model = this.#model;
    switch (what) {
      case 'pay':
        return this.#pay(id, move);
      case 'answer':
        return this.#answer(id, a, b % 4 !== 0);
      case 'modify':
        return this.#modify(id, move);
      case 'extend':
        return this.#try(modifyCommand(id, { checkOut: model.today + a - 1 }, drawnStock(b)), (command) =>
          model.modify(command),
        );
      case 'cancel':
        return this.#try(cancelCommand(id, { refundRequested: a % 4 !== 0 }), (command) => model.cancel(command));
      case 'noShow':
        return this.#try(noShowCommand(id), () => model.noShow());
      case 'walk':
        return this.#try(walkCommand(id), () => model.walk());
      case 'waive': {
        const amount = a % 3 === 0 ? undefined : cents + 1;
        const waiver = { type: 'WAIVE_PENALTY' as const, reservationId: id, refundId: freshId(), amount };
        return this.#try({ ...waiver, reason: 'ill', by: 'boss' }, (command) => model.waive(command));
      }
      case 'refund': {
        const refund = { type: 'GIVE_REFUND' as const, reservationId: id, refundId: freshId(), amount: cents + 1 };
        const all = a % 3 === 0 && model.paid > 0 ? { amount: model.paid } : {};
        const asked = { ...refund, ...all, goodwill: b % 2 === 0, reason: 'noise', by: 'boss' };
        return this.#try(asked, (command) => model.giveRefund(command));
      }
      case 'chargeBack':
        return this.#chargeBack(id, move);
      case 'closeChargeback': {
        const paymentId = this.#charge(id, a);
        const end = { type: 'CLOSE_CHARGEBACK' as const, reservationId: id, paymentId, writeOff: b % 2 === 0 };
        return this.#try({ ...end, reason: 'lost', by: 'boss' }, (command) => model.closeChargeback(command));
      }
      case 'winChargeback': {
        const amount = [{ amount: cents + 1 }, { inTotal: cents + 1 }, {}][b % 3];
        const which = { reservationId: id, paymentId: this.#charge(id, a), returnId: freshId() };
        const won = { type: 'WIN_CHARGEBACK' as const, ...which, ...amount, reason: 'delivered', by: 'boss' };
        return this.#try(won, (command) => model.winChargeback(command));
      }
      case 'post':
        return this.#try(drawnPosting(id, move), (posted) => model.post(posted));
      case 'void': {
        const ids = [...model.posted.keys()];
        const command = voidCommand(id, ids[a % ids.length] ?? freshId());
        return this.#try(command, (taken) => model.takeBack(taken));
      }
      case 'confirm':
        return this.#try({ type: 'CONFIRM_RESERVATION', reservationId: id }, () => model.confirm());
      case 'checkIn':
        return this.#try(checkInCommand(id, { tier: b % 2 ? 'GOLD' : 'NONE' }), (_, result) => model.checkIn(result));
      case 'undoCheckIn':
        return this.#try(undoCheckInCommand(id, { roomUsed: a % 2 === 0 }), () => model.undoCheckIn());
      case 'checkOut':
        return this.#checkOut(id, move);
      case 'reinstate':
        return this.#try(reinstateCommand(id, drawnStock(b)), (command) => model.reinstate(command));
      case 'comp': {
        const nights = b % 3 ? undefined : [model.stay.checkIn + (a % 4)];
        return this.#try(compCommand(id, { nights, refundRequested: a % 2 === 0 }), (asked) => model.comp(asked));
      }
      case 'upgrade':
        return this.#try(upgradeCommand(id, {}, { amountPerNight: a % 4 && cents }), (asked) => model.upgrade(asked));
      case 'undoComp':
        return this.#try({ type: 'UNDO_COMP', reservationId: id, by: 'boss' }, () => model.undoComp());
      case 'lapse':
        return this.#lapse(id);
      case 'settle':
        return this.#settle(id, a % 4 === 0);
      case 'payOut':
        return this.#payOut(id);
      case 'overstay':
        return this.#overstay(id);
    }
  }

  /** Sends a command to the actor; the model must have expected its answer, and does the same. */
  #try<C extends Command>(
    command: C,
    expected: (command: C, result: CommandResults[C['type']] | undefined) => ExpectedState,
  ): 'done' | 'refused' {
    const outcome = this.#scene.batch(envelope(command)).outcomes[0]!;
    if (outcome.kind === 'fault') throw outcome.error;
    const result = outcome.kind === 'accepted' ? (outcome.decision.result as CommandResults[C['type']]) : undefined;
    const codes = expected(command, result);
    const code = outcome.kind === 'refused' ? outcome.error.code : undefined;
    if (code === undefined ? codes.size === 0 : codes.has(code)) return code === undefined ? 'done' : 'refused';
    throw new Error(
      `${command.type}: ${code ?? 'accepted'}, where the model says ${[...codes].join(' or ') || 'yes'}`,
    );
  }

  #book({ what, a, b, cents }: Move): 'done' | 'refused' | undefined {
    if (this.#id !== undefined) return undefined;
    const checkIn = this.#model.today + (a % 6);
    const rateCode = (what === 'book' ? BOOKABLE : PAYABLE)[cents % (what === 'book' ? BOOKABLE : PAYABLE).length]!;
    const stay = {
      roomType: b % 3 ? 'STD' : 'DLX',
      checkIn,
      checkOut: checkIn + 1 + (b % 5),
      adults: 1 + (a % 2),
      rateCode,
      ...(cents % 3 === 0 && { children: 1, childAges: [(a * 7 + b) % 18] }),
      ...(rateCode === 'OWN' && b % 2 === 0 && { checkOut: checkIn + 1, dayUse: true as const }),
    };
    const isCardTaken = rateCode === 'CARD' ? { isCardTaken: true as const } : {};
    const billing = b % 2 ? { method: 'CREDIT_CARD' as const, card: 'sealed', ...isCardTaken } : undefined;
    const companyId = rateCode === 'CORP' && b % 4 !== 0 ? id(7) : undefined;
    const promised = { base: this.#model.base[stay.roomType]!, charging: this.#model.charging };
    // A declined card would leave the room to the hold.
    const promise = what === 'decline' ? undefined : promisedPrice(this.#scene, stayWish(stay), cents);
    if (promise) this.#setRates(stay.roomType === 'STD' ? 1 : 0, cents * 7);
    if (what === 'book') {
      const unpaid = bookCommand({ stay, billing, companyId, ...promise });
      return this.#try(unpaid, ({ booking, pendingPaymentId: awaited }, result) => {
        this.#id = result?.reservation.id;
        return this.#model.create({ booking, awaited, promised });
      });
    }
    const start = startBookingCommand({ stay, billing, ...promise });
    const { attempt } = start;
    const ofBooking = { charged: attempt.paymentId, promised };
    const begun = this.#try(start, ({ booking }, result) => {
      if (what === 'decline') return new LifeModelCopy(this.#model).create({ booking, ...ofBooking });
      this.#id = result?.reservation.id;
      return this.#model.create({ booking, ...ofBooking });
    });
    if (begun === 'refused') return begun;
    const { holdId } = start;
    const payment = { ...attempt, amount: this.#scene.state.holds.get(holdId)!.booking!.attempt.amount };
    this.#scene.accept(
      what === 'buy'
        ? { type: 'CONFIRM_BOOKING', holdId, payment: paid(payment) }
        : { type: 'ABANDON_BOOKING', holdId, payment: { ...payment, status: 'FAILED' } },
    );
    return begun;
  }

  #pay(id: string, { a, b, cents }: Move): 'done' | 'refused' {
    const amount = a % 3 === 0 ? cents + 1 : 0;
    const method = (['CREDIT_CARD', 'CASH', 'CARD_ON_FILE'] as const)[b % 3];
    const command = startPaymentCommand(id, { amount, method });
    const done = this.#try(command, (asked) => this.#model.startPayment(asked));
    // Some attempts stay pending until an outcome is reported.
    if (done === 'done' && b % 5 !== 0) this.#end(id, command.attempt.paymentId, b % 5 !== 1);
    return done;
  }

  #charge(id: string, which: number): string {
    const charges = this.#now(id).payments.filter(({ type }) => type === 'CHARGE');
    return charges[which % charges.length]?.paymentId ?? freshId();
  }

  /** The card issuer takes a payment back, whole or in part, and may report it twice. */
  #chargeBack(id: string, { a, b, cents }: Move): 'done' | 'refused' {
    const amount = [{ amount: cents + 1 }, { inTotal: cents + 1 }, {}][b % 3];
    const which = { reservationId: id, paymentId: this.#charge(id, a), chargebackId: freshId() };
    const command = { type: 'CHARGE_BACK' as const, ...which, ...amount, reason: 'fraud', by: 'boss' };
    return this.#try(command, (taken) => this.#model.chargeBack(taken));
  }

  /** Reports the outcome of a payment: a pending one, a finished one, or the one that is waited for. */
  #answer(id: string, which: number, came: boolean): 'done' | undefined {
    const charges = this.#now(id).payments.filter(({ type }) => type === 'CHARGE');
    if (charges.length === 0) return undefined;
    this.#end(id, charges[which % charges.length]!.paymentId, came);
    return 'done';
  }

  #end(id: string, paymentId: string, came: boolean): void {
    const known = this.#now(id).payments.find((one) => one.paymentId === paymentId)!;
    const payment: Payment = came ? paid(known) : { ...known, status: 'FAILED' };
    this.#scene.accept(endPaymentCommand(id, payment));
    this.#model.endPayment({ payment });
  }

  #modify(id: string, { a, b, cents }: Move): 'done' | 'refused' {
    const { today } = this.#model;
    const of = [
      { nights: 1 + a },
      { checkIn: today + a, checkOut: today + a + 1 + (b % 4) },
      { checkIn: today + a },
      { roomType: b % 2 ? 'DLX' : 'STD' },
      { adults: 1 + (a % 2) },
      { checkOut: this.#now(id).stay.checkIn },
    ][cents % 6]!;
    const by = { ...drawnStock(b), ...(b % 3 && { modifiedBy: 'desk', reason: 'asked' }) };
    return this.#try(modifyCommand(id, of, by), (command) => this.#model.modify(command));
  }

  #checkOut(id: string, { a, b, cents }: Move): 'done' | 'refused' {
    const amount = b % 3 === 0 ? -cents : cents;
    const charges = a % 2 && cents > 0 ? [{ description: 'Bar', amount }] : [];
    const hasCard = this.#now(id).billing?.card !== undefined;
    const command = checkOutCommand(id, { charges, forced: a % 5 === 0 });
    const done = this.#try(command, (asked) => this.#model.checkOut(asked, hasCard));
    if (done === 'done' && this.#model.leaving && b % 4 !== 0) this.#end(id, command.paymentId, b % 4 !== 1);
    return done;
  }

  /** The provider has refunded, or rejects the refund. */
  #settle(id: string, refused: boolean): 'done' | undefined {
    const open = this.#now(id).payments.find(({ type, status }) => type === 'REFUND' && status === 'PROCESSING');
    if (!open) return undefined;
    const payment = { ...open, status: refused ? ('PENDING' as const) : ('COMPLETED' as const) };
    this.#scene.accept({ type: 'SETTLE_REFUND', reservationId: id, payment });
    if (refused) this.#model.byHand.add(open.paymentId);
    return 'done';
  }

  /** Staff pay out a refund by hand; neither the paid nor the refunded amount changes. */
  #payOut(id: string): 'done' | 'refused' {
    const refunds = this.#now(id).payments.filter(({ type }) => type === 'REFUND');
    const open = refunds.find(({ status }) => status === 'PENDING');
    const refundId = (open ?? refunds[0])?.paymentId ?? freshId();
    const command = { type: 'PAY_OUT_REFUND' as const, reservationId: id, refundId, method: 'CASH' as const };
    return this.#try({ ...command, by: 'cashier' }, () => {
      if (open) this.#model.paidOut.add(refundId);
      return new Set(open ? [] : [refunds.length > 0 ? ('INVALID_STATE' as const) : ('REFUND_NOT_FOUND' as const)]);
    });
  }

  #pass({ what, a, b, cents }: Move): 'done' | undefined {
    const { stay, now, today } = this.#model;
    let milliseconds = (a + 1) * (what === 'days' ? 24 : 1) * HOUR - b;
    if (what === 'hours' && cents % 2) milliseconds = 800_000 + cents * 10;
    if (what === 'arrive') milliseconds = stay === undefined ? 0 : (stay.checkIn - today) * 24 * HOUR;
    // No stay goes beyond the property's prices.
    if (milliseconds <= 0 || now + milliseconds > (DAY + 30) * 24 * HOUR) return undefined;
    this.#scene.pass(milliseconds);
    this.#model.pass(milliseconds);
    this.#scene.accept({ type: 'EXPIRE' });
    this.#scene.accept({ type: 'TICK' });
    this.#model.tick();
    if (this.#model.missed) this.#try(noShowCommand(this.#id!), () => this.#model.noShow());
    if (this.#model.unconfirmed) this.#lapse(this.#id!);
    // Some rounds are late.
    if (this.#model.overstays && b % 3 !== 0) this.#overstay(this.#id!);
    return 'done';
  }

  /** At the roll nothing paid has been confirmed; before it that may be requested as well. */
  #lapse(reservationId: string): 'done' | 'refused' {
    return this.#try({ type: 'LAPSE', reservationId }, () => this.#model.lapse());
  }

  #overstay(reservationId: string): 'done' | 'refused' {
    return this.#try({ type: 'OVERSTAY', reservationId }, () => this.#model.overstay());
  }

  #setRates(a: number, cents: number): 'done' {
    const [type, least] = a % 2 ? (['STD', 8_000] as const) : (['DLX', 15_000] as const);
    const rate = least + (cents % 4_000);
    this.#scene.accept(baseRates(type, rate, this.#model.today, DAY + NIGHTS));
    this.#model.base[type] = rate;
    if (cents % 2) this.#model.charging = changedCharges(this.#scene, cents);
    return 'done';
  }

  /** Other bookings take rooms of a night, as far as there are any. */
  #block(a: number, b: number): 'done' | 'refused' {
    const roomType = a % 2 ? 'STD' : 'DLX';
    const day = this.#model.today + b;
    const blockedRooms = a % 4;
    const key = `${roomType} ${day}`;
    const before = this.#model.blocked.get(key) ?? 0;
    const fits = blockedRooms <= before || blockedRooms - before <= this.#model.free(roomType, day);
    const command = { type: 'SET_INVENTORY' as const, roomType, start: day, end: day, blockedRooms };
    return this.#try(command, () => {
      if (!fits) return new Set(['ROOM_NOT_AVAILABLE'] as const);
      this.#model.blocked.set(key, blockedRooms);
      return new Set();
    });
  }

  #now(id: string): Reservation {
    return this.#scene.state.reservations.get(id)!;
  }

  /** What both say of the reservation, its rooms and its money must be one thing. */
  #compare(): void {
    const model = this.#model;
    const { state } = this.#scene;
    const it = this.#now(this.#id!);
    const { total, balance } = billOf(it);
    this.#nameCharge(it);
    same('status', it.status, model.status);
    same('stay', it.stay, model.stay);
    const nights = it.nights.map(({ day, rate, taxes, fees }) => ({ day, rate, taxes, fees }));
    same('nights', nights, model.nights);
    const free = it.nights.flatMap(({ day, comped }) =>
      comped ? [[day, comped.rate + comped.taxes + comped.fees]] : [],
    );
    const ofModel = model.nights.flatMap(({ day }) =>
      model.given.has(day) ? [[day, grossOf(model.given.get(day)!)]] : [],
    );
    same('complimentary', free, ofModel);
    const { taxes, fees } = totals(it.nights);
    same(
      'tax lines',
      sum(taxLinesOf(it.nights), ({ amount }) => amount),
      taxes + fees,
    );
    same('total', total, model.total);
    same('paid', it.paid, model.paid);
    same('balance', balance, model.total - model.paid);
    same('unfinished', state.unfinished, isUnfinished(it.status) ? 1 : 0);
    same('claim', claimOf(it), model.claim);
    same('hold', it.holdExpiresAt, model.until);
    same('fault', moneyFault(it), undefined);
    compareMoney(it, model);
    this.#compareDocuments(it);
    if (it.cancellation && model.ended) {
      const { penalty, refund } = it.cancellation;
      same('penalty and refund', [penalty, refund], [model.penalty, model.ended.refund]);
      if (model.ended.asked) same('all that was paid', penalty + refund, model.ended.before);
      same('no debt', balance <= 0 || model.disputes.length > 0, true);
    }
    for (const [type, slab] of state.slabs)
      for (let day = model.today; day < model.today + 30; day++) {
        const own = model.has(type, day) ? 1 : 0;
        const held = model.keeps(type, day) ? 1 : 0;
        const rooms = model.until === undefined ? [own, held] : [0, own];
        same(`${type} ${day - DAY}`, [slab.count(day, 'booked'), slab.count(day, 'held')], rooms);
      }
    for (let day = model.today; day < model.today + 30; day++) {
      const booked = model.until === undefined && [...state.slabs.keys()].some((type) => model.has(type, day));
      const rates = booked ? model.nights.filter((night) => night.day === day).map(({ rate }) => rate) : [];
      same(`revenue ${day - DAY}`, state.books.night(day).revenue, rates[0] ?? 0);
      same(`beds ${day - DAY}`, this.#scene.view.extrasTaken('BED', day), model.beds(day));
    }
  }

  /** A charge that the actor has made by itself is the one that the model does not know yet. */
  #nameCharge({ payments }: Reservation): void {
    const { book } = this.#model;
    const unnamed = book.find((entry) => entry.id === NEW_CHARGE);
    const made = payments.find(
      ({ type, paymentId }) => type === 'CHARGE' && !book.some((entry) => entry.id === paymentId),
    );
    if (unnamed && made) unnamed.id = made.paymentId;
  }

  /** Documents come to what a stay costs that is over, and of one that is not to nothing. */
  #compareDocuments({ documents = [] }: Reservation): void {
    const { status, total } = this.#model;
    const costs = status !== undefined && !isUnfinished(status) ? total : 0;
    same('documents', sumOfDocuments(documents).total, costs);
    same('invoice of a departure', documents.length > 0, status === 'CHECKED_OUT' || documents.length > 0);
    same('numbers', this.#issued.check(documents), []);
  }
}
