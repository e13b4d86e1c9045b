import type { CommandOf, CommandResults } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Code } from '../../kernel/rules/domain-error.ts';
import type { Payment } from '../../money/rules/payment.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { ReservationStatus } from '../../stay/rules/reservation.ts';
import { creditOfAccount } from './life-credit.ts';
import { LifeMoney } from './life-money.ts';
import { HOUR, PLANS, MAX_LIFE_NIGHTS, type Entry, type Leaving, type LifeBooking } from './life-prices.ts';
import { type ExpectedState, changedBy, DONE, refused, daysBetween, grossOf, sumOf } from './life-sums.ts';

/**
 * Model of one reservation of one property, as simple as possible and independent of the actor: the rules of
 * docs/reference/reservations.md#reservations in plain sums. Takes commands, and returns the expected state.
 */
export class LifeModel extends LifeMoney {
  get total(): number {
    if (this.ended) return this.penalty;
    const cost = this.stayed + sumOf(this.extra) + this.postingsUntil(this.stay.checkOut);
    return cost - Math.min(this.credited, Math.max(0, cost));
  }

  overstay(): ExpectedState {
    if (this.status !== 'CHECKED_IN') return refused('INVALID_STATE');
    if (this.leaving) return refused('INVALID_STATE');
    if (!this.overstays) return refused('TOO_EARLY');
    this.#stayOn();
    return DONE;
  }

  #stayOn(): void {
    const { lastPrice } = this;
    const { dayUse, ...stay } = this.stay;
    const departure = dayUse ? stay.checkIn : stay.checkOut;
    const ofDayUse = dayUse ? this.nightRate : undefined;
    this.nights = this.nights.filter(({ day }) => day < departure);
    for (let day = departure; day < this.today; day++) {
      const rate = this.overdue.get(day) ?? (day === departure ? ofDayUse : undefined) ?? lastPrice;
      this.nights = [...this.nights, this.price(stay, day, rate)];
    }
    if (dayUse) this.freeAfter(new Set());
    this.stay = { ...stay, checkOut: this.today };
    this.retained = this.#retainedBy(this.today);
    this.back = this.back.filter(({ day }) => day >= this.today);
  }

  /** A booking: unpaid, or paid with a card whose charge succeeds or fails. */
  create({ booking: { stay, billing, companyId }, promised, ...ids }: LifeBooking): ExpectedState {
    const days = daysBetween(stay.checkIn, stay.checkOut);
    if (this.isOver(stay)) return refused('VALIDATION_FAILED');
    if (days.some((day) => this.free(stay.roomType, day) < 1)) return refused('ROOM_NOT_AVAILABLE');
    const { paymentRequired, autoConfirmation, holdDurationSeconds } = this.policies;
    const { by } = PLANS[stay.rateCode]!;
    this.stay = { ...stay };
    this.backing =
      by === 'COMPANY' && companyId !== undefined ? 'ACCOUNT' : billing?.isCardTaken ? 'CARD' : undefined;
    this.nights = days.map((day) => this.price(stay, day, undefined, promised));
    const due = ids.charged === undefined && !this.isGuaranteed();
    this.until = due ? this.now + holdDurationSeconds * 1_000 : undefined;
    const byHand = !autoConfirmation && (paymentRequired || ids.charged !== undefined);
    const waits = due || byHand;
    this.status = waits ? 'PENDING' : 'CONFIRMED';
    if (due) this.book.push({ id: ids.awaited!, amount: this.total, card: false, state: 'awaited', back: 0 });
    if (ids.charged === undefined) return DONE;
    this.book.push({ id: ids.charged, amount: this.total, card: true, state: 'captured', back: 0 });
    this.paid = this.total;
    return DONE;
  }

  startPayment({ attempt }: CommandOf<'START_PAYMENT'>): ExpectedState {
    if (this.ended && this.balance <= 0) return refused('INVALID_STATE');
    const due = Math.min(this.balance, this.#ofGuest()) - this.under;
    if (this.leaving || due <= 0) return refused('INVALID_STATE');
    if (attempt.amount > due) return refused('VALIDATION_FAILED');
    const cash = attempt.method === 'CASH';
    const began = { card: !cash, cash, at: this.now, state: 'open' as const, back: 0 };
    this.book.push({ id: attempt.paymentId, amount: attempt.amount || due, ...began });
    return DONE;
  }

  /** The provider or the desk reports the outcome of a payment. */
  endPayment({ payment }: { payment: Pick<Payment, 'paymentId' | 'status'> }): void {
    const entry = this.book.find(({ id }) => id === payment.paymentId)!;
    const came = payment.status === 'COMPLETED';
    if (came && entry === this.owing) return this.#collect(entry);
    if (entry.state === 'captured' || (!came && entry.state !== 'open')) return;
    if (!came) {
      entry.state = 'lost';
      if (this.leaving?.by === entry.id) this.leaving = undefined;
      return;
    }
    const inTime = entry.state === 'open' || entry.state === 'awaited';
    entry.state = 'captured';
    if (inTime && this.until !== undefined && this.now > this.until - 100) this.#expire(entry);
    if (!inTime || (this.ended && !this.#isForClaim(entry))) {
      entry.back = entry.amount;
      return;
    }
    this.paid += entry.amount;
    if (this.leaving?.by === entry.id) this.#leave(this.leaving);
    else this.#settlePayment();
  }

  /** What was charged back of a stay that did not take place is paid by what came afterwards. */
  #isForClaim({ at = 0, amount }: Entry): boolean {
    return at >= this.ended!.at && amount <= this.balance;
  }

  chargeBack(command: CommandOf<'CHARGE_BACK'>): ExpectedState {
    const codes = this.dispute(command);
    this.#settlePayment();
    return codes;
  }

  closeChargeback(command: CommandOf<'CLOSE_CHARGEBACK'>): ExpectedState {
    const codes = this.closeDispute(command);
    this.#settlePayment();
    return codes;
  }

  winChargeback(command: CommandOf<'WIN_CHARGEBACK'>): ExpectedState {
    const codes = this.winDispute(command);
    this.#settlePayment();
    return codes;
  }

  modify(command: CommandOf<'MODIFY'>): ExpectedState {
    const codes = this.#mayModify(command);
    if (codes.size > 0) return codes;
    const stay = changedBy(this.stay, command.stay);
    const before = this.stay;
    const wasPaidTooMuch = this.paid - this.total;
    const isMoved = JSON.stringify(stay) !== JSON.stringify(before);
    if (isMoved) this.least = Math.max(this.least, this.atMost(this.#costsToCancel()));
    if (this.status === 'CHECKED_IN') {
      this.retained = this.#retainedBy(stay.checkOut);
      this.back = [...this.nights, ...this.back].filter(({ day }) => day >= stay.checkOut);
    }
    const { lastPrice } = this;
    const ofDayUse = before.dayUse ? this.nightRate : undefined;
    const credit = this.given.size > 0 ? Math.max(0, wasPaidTooMuch) : 0;
    const isSame = before.roomType === stay.roomType && before.dayUse === stay.dayUse;
    const remaining = isSame ? new Set(this.nights.map(({ day }) => day)) : new Set<Day>();
    const inStay = (day: Day): boolean => remaining.has(day) && day >= stay.checkIn && day < stay.checkOut;
    this.nights = daysBetween(stay.checkIn, stay.checkOut).map((day) => {
      const now = remaining.has(day) ? this.nights.find((night) => night.day === day) : undefined;
      const old = now && (this.given.get(day) ?? now);
      if (!old) return this.price(stay, day, day < this.today ? (ofDayUse ?? lastPrice) : undefined);
      return this.priceAgain(before, stay, old);
    });
    this.freeAfter(new Set([...remaining].filter(inStay)));
    if (isMoved) this.posted = this.movedTo(stay);
    this.stay = stay;
    for (const day of this.overdue.keys()) if (day < stay.checkOut) this.overdue.delete(day);
    this.sendBack(Math.max(0, this.paid - this.total - credit));
    this.#settlePayment();
    return DONE;
  }

  comp({ nights, refundRequested }: CommandOf<'COMP'>): ExpectedState {
    if (!this.#mayAgree()) return refused('INVALID_STATE');
    const all = this.nights.map(({ day }) => day);
    if (nights?.some((day) => !all.includes(day))) return refused('VALIDATION_FAILED');
    if (!this.makeFree(nights ?? all)) return refused('INVALID_STATE');
    if (refundRequested) this.sendBack(Math.max(0, this.paid - this.total));
    this.#settlePayment();
    return DONE;
  }

  upgrade({ amountPerNight }: CommandOf<'UPGRADE'>): ExpectedState {
    const fault = this.#mayAgree() ? this.upgradeFault : 'INVALID_STATE';
    if (fault) return refused(fault);
    this.moveUp('DLX', amountPerNight!);
    return DONE;
  }

  undoComp(): ExpectedState {
    if (!this.#mayAgree() || this.given.size === 0) return refused('INVALID_STATE');
    this.chargeAgain();
    this.#settlePayment();
    return DONE;
  }

  #mayAgree(): boolean {
    return this.#is('PENDING', 'CONFIRMED', 'CHECKED_IN') && !this.leaving && this.under === 0;
  }

  cancel({ refundRequested }: { refundRequested: boolean }): ExpectedState {
    if (!this.#is('PENDING', 'CONFIRMED')) return refused('INVALID_STATE');
    this.#end('CANCELLED', this.#costsToCancel(), refundRequested);
    return DONE;
  }

  #costsToCancel(): number {
    const { hours = this.policies.freeCancellationHours } = PLANS[this.stay.rateCode]!;
    if (this.status === 'PENDING') return this.least;
    const isFree = hours !== null && this.now < this.arrival - hours * HOUR;
    return isFree ? this.least : Math.max(this.least, this.lateCost(hours));
  }

  noShow(): ExpectedState {
    if (this.status !== 'CONFIRMED') return refused('INVALID_STATE');
    if (this.today < this.stay.checkIn) return refused('TOO_EARLY');
    this.#end('NO_SHOW', Math.max(this.least, this.lateCost(PLANS[this.stay.rateCode]!.hours)), true);
    return DONE;
  }

  walk(): ExpectedState {
    if (this.status !== 'CONFIRMED' || this.today !== this.stay.checkIn) return refused('INVALID_STATE');
    this.least = 0;
    this.#end('CANCELLED', 0, true);
    return DONE;
  }

  /** Reinstated until the roll after next, with its rooms; refunds are owed again. */
  reinstate({ pendingPaymentId, extraStock }: CommandOf<'REINSTATE'>): ExpectedState {
    if (!this.#is('CANCELLED', 'NO_SHOW')) return refused('INVALID_STATE');
    const { checkIn, checkOut, roomType } = this.stay;
    const { on, credited, posted } = this.ended!;
    if (this.today >= checkOut || this.today > on + 1) return refused('INVALID_STATE');
    const left = daysBetween(Math.max(checkIn, this.today), checkOut);
    if (left.some((day) => this.free(roomType, day) < 1)) return refused('ROOM_NOT_AVAILABLE');
    if (this.lacksBeds(this.stay, extraStock, posted)) return refused('EXTRA_NOT_AVAILABLE');
    this.least = Math.max(this.least, this.endRetains);
    this.ended = undefined;
    this.penalty = 0;
    this.credited = credited;
    this.posted = posted;
    this.owing = undefined;
    this.dropped = 0;
    const { holdDurationSeconds } = this.policies;
    this.status = this.isGuaranteed() ? 'CONFIRMED' : 'PENDING';
    if (this.status === 'CONFIRMED') return DONE;
    this.until = this.now + holdDurationSeconds * 1_000;
    const amount = this.total - this.paid;
    this.book.push({ id: pendingPaymentId, amount, card: false, state: 'awaited', back: 0 });
    return DONE;
  }

  waive({ amount }: { amount?: number }): ExpectedState {
    if (!this.#is('CANCELLED', 'NO_SHOW')) return refused('INVALID_STATE');
    const left = Math.min(this.total, this.paid);
    const owed = this.owing?.state === 'lost' ? this.owing.amount - this.dropped : 0;
    const claim = Math.max(0, this.balance);
    const all = left + owed + claim;
    if (all <= 0) return refused('INVALID_STATE');
    if ((amount ?? all) > all) return refused('REFUND_EXCEEDS_PAID');
    const dropped = Math.min(owed, amount ?? owed);
    this.dropped += dropped;
    if (this.dropped === this.owing?.amount) this.owing = undefined;
    const ofClaim = Math.min(claim, (amount ?? all) - dropped);
    this.dropPenalty(ofClaim);
    const back = (amount ?? all) - dropped - ofClaim;
    this.penalty -= back;
    this.least = Math.min(this.least, this.endRetains);
    this.ended!.refund += back;
    this.sendBack(back);
    return DONE;
  }

  giveRefund({ amount, goodwill }: { amount: number; goodwill?: boolean }): ExpectedState {
    if (this.leaving) return refused('INVALID_STATE');
    const isOpen = this.#is('PENDING', 'CONFIRMED', 'CHECKED_IN');
    const beyond = Math.max(0, amount - Math.max(0, this.paid - this.total));
    const credit = isOpen ? (goodwill ? amount : 0) : beyond;
    if (amount > this.paid || credit > this.total) return refused('REFUND_EXCEEDS_PAID');
    if (this.ended) {
      this.penalty -= credit;
      if (credit > 0) this.least = Math.min(this.least, this.endRetains);
      this.ended.refund += amount;
      // More than what was retained came back by a dispute that was won.
      this.ended.before += amount - credit;
    } else this.credited += credit;
    const before = this.beforeRefund(isOpen, credit);
    this.sendBack(amount);
    if (this.backing === 'ACCOUNT' && !this.ended)
      this.creditedToAccount += creditOfAccount(credit, this.book, before);
    this.#settlePayment();
    return DONE;
  }

  post(command: CommandOf<'POST_CHARGE'>): ExpectedState {
    const { code, stock } = command;
    if (!this.#is('PENDING', 'CONFIRMED', 'CHECKED_IN') || this.leaving) return refused('INVALID_STATE');
    if (this.status !== 'CHECKED_IN' && code === undefined) return refused('INVALID_STATE');
    const fault = stock === undefined ? undefined : this.takeBeds(command);
    if (fault) return refused(fault);
    if (stock === undefined) this.postCharge(command);
    this.#settlePayment();
    return DONE;
  }

  takeBack({ postingId }: CommandOf<'VOID_POSTING'>): ExpectedState {
    if (!this.#is('PENDING', 'CONFIRMED', 'CHECKED_IN') || this.leaving) return refused('INVALID_STATE');
    const posting = this.posted.get(postingId);
    if (!posting) return refused('POSTING_NOT_FOUND');
    if (posting.isBack) return refused('INVALID_STATE');
    posting.isBack = true;
    this.#settlePayment();
    return DONE;
  }

  confirm(): ExpectedState {
    if (this.status !== 'PENDING' || !this.isGuaranteed()) return refused('INVALID_STATE');
    this.status = 'CONFIRMED';
    this.#stopWaiting();
    return DONE;
  }

  /** The model does not decide which room is ready, but a better one is of a better type. */
  checkIn(result: CommandResults['CHECK_IN'] | undefined): ExpectedState {
    if (this.status !== 'CONFIRMED' || this.today >= this.stay.checkOut) return refused('INVALID_STATE');
    if (this.today < this.stay.checkIn) return refused('TOO_EARLY');
    if (!result) return refused('NO_ROOM_READY');
    this.arrive(result.room.roomType);
    return DONE;
  }

  undoCheckIn(): ExpectedState {
    return this.undoArrival() ? DONE : refused('INVALID_STATE');
  }

  checkOut(command: CommandOf<'CHECK_OUT'>, hasCard: boolean): ExpectedState {
    if (this.status !== 'CHECKED_IN' || this.leaving || this.under > 0) return refused('INVALID_STATE');
    const { nights: sold, stay: booked, back, given, extras, forgone, isFree } = this;
    const before = { nights: sold, stay: booked, retained: this.retained, back, forgone, isFree };
    const known = [[...given], [...extras]] as const;
    if (this.overstays) this.#stayOn();
    const undo = (code: Code): ExpectedState => {
      Object.assign(this, before);
      for (const [day, night] of known[0]) given.set(day, night);
      for (const [day, extra] of known[1]) extras.set(day, extra);
      return refused(code);
    };
    // Calendar of the property, two hours ahead of UTC: its business date rolls later.
    const isDue = Math.floor((this.now + 2 * HOUR) / (24 * HOUR)) >= this.stay.checkOut;
    const checkOut = isDue ? this.stay.checkOut : Math.max(this.stay.checkIn + 1, this.today);
    const retained = this.#retainedBy(checkOut);
    const isEarly = checkOut < this.stay.checkOut;
    const least = isEarly ? Math.max(this.least, this.atMost(this.#costsToCancel())) : this.least;
    const nights = sumOf(this.nights.filter(({ day }) => day < checkOut).map(grossOf)) + sumOf(retained);
    if (least > nights) retained.push(least - nights);
    const extra = [...this.extra, ...command.charges.map(({ amount }) => amount)];
    const nightsStayed = Math.max(nights, least);
    const cost = nightsStayed + this.postingsUntil(checkOut);
    const due = cost - Math.min(this.credited, cost) + sumOf(extra);
    if (due < 0) return undo('VALIDATION_FAILED');
    const leaving = { by: command.paymentId, checkOut, extra, retained, ofStay: nightsStayed };
    const rest = due - this.paid - this.#ofAccount(due, nightsStayed);
    if (rest <= 0 || command.forced) this.#leave(leaving);
    else if (!hasCard) return undo('PAYMENT_METHOD_REQUIRED');
    else {
      this.leaving = leaving;
      this.book.push({ id: leaving.by, amount: rest, card: true, state: 'open', back: 0 });
    }
    return DONE;
  }

  /** Time passes: holds expire, guests do not arrive. */
  pass(milliseconds: number): void {
    this.now += milliseconds;
    if (this.until === undefined) return;
    if (this.now >= this.until + 100 || this.today >= this.stay.checkOut) this.#expire();
  }

  lapse(): ExpectedState {
    if (this.status !== 'PENDING') return refused('INVALID_STATE');
    if (!this.unconfirmed) return refused('TOO_EARLY');
    this.#expire();
    return DONE;
  }

  #is(...statuses: ReservationStatus[]): boolean {
    return this.status !== undefined && statuses.includes(this.status);
  }

  /** Part of a bill that an account takes over: the stay, no extras. */
  #ofAccount(bill: number, ofStay: number): number {
    const taken = this.accounted;
    return this.backing === 'ACCOUNT'
      ? Math.max(0, Math.min(bill - taken, ofStay - this.creditedToAccount - taken))
      : 0;
  }

  /** Amount still due from the guest when an account pays for the stay. */
  #ofGuest(): number {
    if (this.backing !== 'ACCOUNT') return Infinity;
    if (this.ended) return this.accounted - this.paid;
    return this.total - (this.stayed - this.creditedToAccount) - (this.paid - this.accounted);
  }

  #collect(entry: Entry): void {
    if (entry.state === 'captured') return;
    entry.state = 'captured';
    this.owing = undefined;
    this.penalty += entry.amount - this.dropped;
    this.paid += entry.amount;
    this.ended!.before += entry.amount;
    // Waivers made meanwhile may be refunded, or not.
    if (this.dropped > 0) this.ended!.asked = false;
  }

  #mayModify(command: CommandOf<'MODIFY'>): ExpectedState {
    const { stay: old, status } = this;
    if (!this.#is('PENDING', 'CONFIRMED', 'CHECKED_IN')) return refused('INVALID_STATE');
    if (this.leaving || this.under > 0) return refused('INVALID_STATE');
    const stay = changedBy(this.stay, command.stay);
    const inHouse = status === 'CHECKED_IN';
    const codes = new Set<Code>();
    const withoutDeparture = (of: Stay): string => JSON.stringify({ ...of, checkOut: 0, dayUse: undefined });
    const isChanged = withoutDeparture(stay) !== withoutDeparture(old);
    const isMoved = isChanged || stay.checkOut !== old.checkOut || stay.dayUse !== old.dayUse;
    if (stay.dayUse && !old.dayUse && (inHouse || old.rateCode !== 'OWN')) codes.add('VALIDATION_FAILED');
    if ((!old.dayUse || stay.checkIn !== old.checkIn) && this.isOver(stay)) codes.add('VALIDATION_FAILED');
    if (inHouse && isChanged) codes.add('INVALID_STATE');
    if (isMoved && stay.checkOut <= stay.checkIn) codes.add('VALIDATION_FAILED');
    if (isMoved && (inHouse ? stay.checkOut : stay.checkIn) < this.today) codes.add('VALIDATION_FAILED');
    const deadline = this.arrival - this.policies.modificationDeadlineHours * HOUR;
    const touched = isMoved || command.stay.adults !== undefined;
    if (!inHouse && touched && command.modifiedBy !== 'desk' && this.now > deadline)
      codes.add('MODIFICATION_DEADLINE');
    const givesUp = stay.checkIn > old.checkIn || stay.checkOut < old.checkOut;
    if (status === 'CONFIRMED' && givesUp && PLANS[old.rateCode]!.hours === null) codes.add('TERMS_FORBID_CHANGE');
    const shorter = inHouse && stay.checkOut < old.checkOut;
    if (isMoved && !shorter && stay.checkOut - stay.checkIn > MAX_LIFE_NIGHTS) codes.add('MAX_STAY');
    const isNew = (day: Day): boolean => day >= this.today && !this.has(stay.roomType, day);
    const wanted = daysBetween(stay.checkIn, stay.checkOut).filter(isNew);
    // The room of an overdue guest is available for that guest.
    const freeFor = (day: Day): number => this.free(stay.roomType, day) + (this.keeps(stay.roomType, day) ? 1 : 0);
    if (isMoved && wanted.some((day) => freeFor(day) < 1)) codes.add('ROOM_NOT_AVAILABLE');
    if (isMoved && this.lacksBeds(stay, command.extraStock)) codes.add('EXTRA_NOT_AVAILABLE');
    return codes;
  }

  #end(status: 'CANCELLED' | 'NO_SHOW', penalty: number, asked: boolean): void {
    const { claim } = this;
    const missing = penalty - this.paid - claim;
    if (missing > 0 && this.backing === 'ACCOUNT') this.chargeOnItsOwn(missing, 'captured');
    if (missing > 0 && this.backing === 'CARD') this.owing = this.chargeOnItsOwn(missing, 'open');
    this.penalty = Math.min(this.paid + claim, penalty);
    const before = Math.max(this.paid, this.penalty);
    const { today: on, now: at, credited } = this;
    this.credited = 0;
    const { posted } = this;
    this.posted = new Map();
    const refund = asked ? before - this.penalty : 0;
    this.ended = { refund, before, asked, on, at, credited, posted };
    this.status = status;
    this.sendBack(refund);
    this.#stopWaiting();
  }

  /** Refunds all but what a former end has retained; a payment that has just arrived too late is no part of it. */
  #expire(late?: Entry): void {
    if (late) late.state = 'closed';
    this.#end('CANCELLED', this.least, true);
    if (late) late.state = 'captured';
  }

  #stopWaiting(): void {
    this.until = undefined;
    for (const entry of this.book) if (entry.state === 'awaited') entry.state = 'closed';
  }

  #settlePayment(): void {
    if (this.status !== 'PENDING') return;
    if (this.isGuaranteed()) {
      if (this.policies.autoConfirmation) this.status = 'CONFIRMED';
      this.#stopWaiting();
    }
    for (const entry of this.book) if (entry.state === 'awaited') entry.amount = this.total - this.paid;
  }

  /** The first of all nights given back by a guest who leaves on a day, whenever they were given back. */
  #retainedBy(leaves: Day): number[] {
    const back = [...this.nights, ...this.back].filter(({ day }) => day >= leaves);
    const inOrder = back.toSorted((one, other) => one.day - other.day);
    const isPaidInAnyCase = PLANS[this.stay.rateCode]!.hours === null;
    return (isPaidInAnyCase ? inOrder : inOrder.slice(0, this.policies.earlyDepartureNights)).map(grossOf);
  }

  #leave({ checkOut, extra, retained, ofStay }: Leaving): void {
    this.nights = this.nights.filter(({ day }) => day < checkOut);
    this.stay = { ...this.stay, checkOut };
    this.extra = extra;
    this.retained = retained;
    this.least = 0;
    this.leaving = undefined;
    this.status = 'CHECKED_OUT';
    // Credits of the desk come on top of good will, and are not cut by it.
    this.credited = Math.min(
      this.credited,
      sumOf(this.nights.map(grossOf)) + sumOf(retained) + this.postingsUntil(this.stay.checkOut),
    );
    const account = this.#ofAccount(this.total, ofStay);
    // What the account takes over, others have overpaid.
    this.sendBack(Math.max(0, this.paid + account - this.total), account > 0);
    if (account > 0) this.chargeOnItsOwn(account, 'captured');
  }
}
