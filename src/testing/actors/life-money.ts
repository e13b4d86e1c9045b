import type { CommandOf } from '../../kernel/rules/commands.ts';
import type { BeforeRefund } from './life-credit.ts';
import { type Entry, NEW_CHARGE, PLANS } from './life-prices.ts';
import { LifeState } from './life-state.ts';
import { DONE, type ExpectedState, grossOf, halfEven, refused, sumOf } from './life-sums.ts';

/** What a card issuer has taken back; `place`: how many charges there were by then. */
type Dispute = { entry: Entry; amount: number; place: number; closed: boolean; writtenOff: boolean; won?: true };

/** What a stay owes by its plan, and because a charge was taken back, in plain sums. */
export abstract class LifeMoney extends LifeState {
  readonly disputes: Dispute[] = [];
  readonly wins: { of: Entry; amount: number }[] = [];

  abstract get total(): number;

  /** What the nights cost, and what was retained of those given back. */
  protected get stayed(): number {
    return Math.max(sumOf(this.nights.map(grossOf)) + sumOf(this.retained), this.least);
  }

  /** What an account has paid. */
  protected get accounted(): number {
    return sumOf(this.book.map(({ account, amount, back }) => (account ? amount - back : 0)));
  }

  /** @param credit counted by an open stay and one that took place */
  protected beforeRefund(isOpen: boolean, credit: number): BeforeRefund {
    const total = this.total + (this.ended ? 0 : credit);
    const ofAccount = this.stayed - this.creditedToAccount;
    const back = this.book.map((entry) => entry.back);
    return { isOpen, total, paid: this.paid, ofAccount, byAccount: this.accounted, back };
  }

  get balance(): number {
    return this.total - this.paid;
  }

  /** What was taken back and neither paid again by a later charge nor written off. */
  get claim(): number {
    const open = this.disputes.filter(({ writtenOff }) => !writtenOff);
    if (this.ended) return open.length > 0 ? Math.max(0, this.balance) : 0;
    let claim = 0;
    for (const [place, entry] of [...this.book, undefined].entries()) {
      claim += sumOf(open.flatMap((one) => (one.place === place ? one.amount : [])));
      if (entry?.state === 'captured')
        claim = Math.max(0, claim - (entry.amount - entry.back + this.#disputed(entry)));
    }
    return Math.max(0, Math.min(claim, this.balance));
  }

  #disputed(of: Entry): number {
    return sumOf(this.disputes.flatMap(({ entry, amount }) => (entry === of ? amount : [])));
  }

  protected dispute(command: CommandOf<'CHARGE_BACK'>): ExpectedState {
    const entry = this.book.find(({ id }) => id === command.paymentId);
    if (!entry) return refused('PAYMENT_NOT_FOUND');
    if (entry.state !== 'captured' || entry.account || entry.cash) return refused('INVALID_STATE');
    const left = Math.min(entry.amount - entry.back, this.paid);
    const more = command.inTotal === undefined ? undefined : Math.max(0, command.inTotal - this.#disputed(entry));
    const isNews = !this.disputes.some((one) => one.entry === entry);
    if (more === undefined ? left === 0 || (command.amount ?? left) > left : more > 0 && left === 0 && isNews)
      return refused('REFUND_EXCEEDS_PAID');
    const amount = more === undefined ? (command.amount ?? left) : Math.min(more, left);
    if (amount === 0) return DONE;
    this.paid -= amount;
    entry.back += amount;
    this.disputes.push({ entry, amount, place: this.book.length, closed: false, writtenOff: false });
    return DONE;
  }

  /** What the issuer has given back of a charge. */
  #won(of: Entry): number {
    return sumOf(this.wins.flatMap((win) => (win.of === of ? win.amount : [])));
  }

  protected winDispute(command: CommandOf<'WIN_CHARGEBACK'>): ExpectedState {
    const of = this.book.find(({ id }) => id === command.paymentId);
    if (!of) return refused('PAYMENT_NOT_FOUND');
    const own = this.disputes.filter(({ entry, writtenOff }) => entry === of && !writtenOff);
    const won = this.#won(of);
    const left = Math.max(0, sumOf(own.map(({ amount }) => amount)) - won);
    const { inTotal } = command;
    if (left === 0 && (inTotal === undefined || won === 0)) return refused('INVALID_STATE');
    const wanted = inTotal === undefined ? (command.amount ?? left) : Math.min(Math.max(0, inTotal - won), left);
    if (wanted > left) return refused('VALIDATION_FAILED');
    if (wanted === 0) return DONE;
    this.paid += wanted;
    this.wins.push({ of, amount: wanted });
    const came = { card: false, state: 'captured' as const, back: 0, at: this.now };
    this.book.push({ id: command.returnId, amount: wanted, ...came });
    if (wanted === left) for (const one of own) Object.assign(one, { closed: true, won: true });
    return DONE;
  }

  protected closeDispute({ paymentId, writeOff }: CommandOf<'CLOSE_CHARGEBACK'>): ExpectedState {
    if (!this.book.some(({ id }) => id === paymentId)) return refused('PAYMENT_NOT_FOUND');
    const own = this.disputes.filter(({ entry }) => entry.id === paymentId);
    const open = own.filter(({ closed, writtenOff, won }) => (writeOff ? !writtenOff && !won : !closed));
    if (open.length === 0 || (writeOff && this.leaving)) return refused('INVALID_STATE');
    const lost = writeOff ? Math.min(this.claim, sumOf(open.map(({ amount }) => amount))) : 0;
    for (const one of open) Object.assign(one, { closed: true, writtenOff: writeOff });
    if (this.ended) this.dropPenalty(lost);
    if (this.ended && lost > 0) this.least = Math.min(this.least, this.endRetains);
    else this.credited += lost;
    return DONE;
  }

  /** What an end keeps, or is to collect. */
  protected get endRetains(): number {
    return this.penalty + (this.owing ? this.owing.amount - this.dropped : 0);
  }

  /** Less is retained, and nothing goes back for it. */
  protected dropPenalty(amount: number): void {
    this.penalty -= amount;
    this.ended!.before -= amount;
  }

  /** Payment attempts in progress. */
  protected get under(): number {
    return sumOf(this.book.filter(({ state }) => state === 'open').map(({ amount }) => amount));
  }

  /** An account pays at once, and is credited instead of being refunded. */
  protected chargeOnItsOwn(amount: number, state: Entry['state']): Entry {
    const entry: Entry = {
      id: NEW_CHARGE,
      amount,
      card: true,
      state,
      back: 0,
      account: state === 'captured',
      at: this.now,
    };
    this.book.push(entry);
    if (state === 'captured') this.paid += amount;
    return entry;
  }

  protected deposit(): number {
    const { by } = PLANS[this.stay.rateCode]!;
    if (by === 'NONE' || (by === 'COMPANY' && this.backing)) return 0;
    if (this.isFree) return 0;
    if (by) return this.total;
    return this.policies.paymentRequired ? halfEven(this.total * this.policies.depositPercent, 100) : 0;
  }

  protected isGuaranteed(): boolean {
    return this.paid >= this.deposit() || (PLANS[this.stay.rateCode]!.by === 'CARD' && this.backing === 'CARD');
  }

  /** What of a penalty can be had: what is paid, and all of it where somebody stands behind the guest. */
  protected atMost(penalty: number): number {
    return this.backing ? penalty : Math.min(this.paid + this.claim, penalty);
  }

  protected lateCost(hours: number | null | undefined): number {
    return hours === null ? sumOf(this.nights.map(grossOf)) : grossOf(this.nights[0]!);
  }

  /** Money goes back, the newest first. */
  sendBack(amount: number, notToAccount = false): void {
    this.paid -= amount;
    for (const entry of this.book.toReversed()) {
      if (entry.state !== 'captured' || (notToAccount && entry.account)) continue;
      const part = Math.min(amount, entry.amount - entry.back);
      entry.back += part;
      amount -= part;
    }
    if (amount > 0) throw new Error('the model gives back more than it has');
  }
}
