import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { ChargeRequest, PaymentGateway, TakenCard } from '../ports.ts';
import type { Charge } from '../rules/payment.ts';

/** Retention of attempts over a restart: far longer than a hold. */
const REMEMBER_MS = 86_400_000;

const SLOW_MS = 1_500;

/** Of the one card that all tokens stand for. */
const CARD_LAST_4 = '4242';

type Line = { at: Instant; id: string; charge: Charge };

/**
 * Payment provider for installations without one: deterministic by card token
 * (docs/reference/reservations.md#simulated-cards), idempotent by attempt, and with its own memory, as a real provider
 * has, so that payments are reconciled after a crash. `tok_declined` is declined, `tok_timeout` is charged but its
 * first answer is lost, `tok_slow` takes 1.5 s, any other token is charged.
 */
export class PaymentSimulator implements PaymentGateway, Disposable {
  readonly name = 'simulator';
  readonly hasRealCards = false;
  readonly #charges = new Map<string, Charge>();
  readonly #file: number;
  readonly #now: () => number;
  /** Whether the last line may be incomplete. */
  #isTorn = false;
  /** Read position in a shared ledger. */
  #readTo: number | undefined;

  /**
   * @param path file of the ledger; created when absent, and old attempts are dropped
   * @param isShared other nodes write to it too: a shared ledger is only appended to
   */
  constructor(path: string, now: () => number, isShared = false) {
    this.#now = now;
    if (isShared) {
      this.#file = openSync(path, 'a+', 0o600);
      this.#readTo = 0;
      return;
    }
    const recent = readLedger(path).filter(({ at }) => at > now() - REMEMBER_MS);
    for (const { id, charge } of recent) this.#charges.set(id, charge);
    writeFileSync(`${path}.new`, recent.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    this.#file = openSync(path, 'a', 0o600);
  }

  async charge({ attemptId, cardToken }: ChargeRequest): Promise<Charge> {
    this.#catchUp();
    const slow = cardToken === 'tok_slow' && !this.#charges.has(attemptId);
    if (slow) await new Promise((done) => setTimeout(done, SLOW_MS));
    // Read after the delay: another request may have made the same attempt meanwhile.
    this.#catchUp();
    const known = this.#charges.get(attemptId);
    if (known) return known;
    if (cardToken === 'tok_declined')
      return this.#book(attemptId, { outcome: 'DECLINED', reason: 'insufficient funds' });
    const charge = this.#bookMoney(attemptId, { cardLast4: CARD_LAST_4 });
    if (cardToken === 'tok_timeout')
      throw new DomainError('PARTNER_UNAVAILABLE', 'The payment provider did not answer in time.');
    return charge;
  }

  /** Declines the same cards as a charge. Nothing is charged, so nothing is stored. */
  async takeCard({ cardToken }: { cardToken: string }): Promise<TakenCard> {
    if (cardToken === 'tok_slow') await new Promise((done) => setTimeout(done, SLOW_MS));
    if (cardToken === 'tok_declined') return { outcome: 'DECLINED', reason: 'insufficient funds' };
    return { outcome: 'TAKEN', cardToken };
  }

  async find(attemptId: string): Promise<Charge | undefined> {
    this.#catchUp();
    return this.#charges.get(attemptId);
  }

  async refund({ refundId }: { refundId: string }): Promise<{ transactionId: string; processedAt: Instant }> {
    this.#catchUp();
    const known = this.#charges.get(refundId);
    const { transactionId, processedAt } = known?.outcome === 'CHARGED' ? known : this.#bookMoney(refundId);
    return { transactionId, processedAt };
  }

  [Symbol.dispose](): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  /** Reads lines that other nodes have appended; the first of two lines of an attempt counts. */
  #catchUp(): void {
    if (this.#readTo === undefined) return;
    const { size } = fstatSync(this.#file);
    if (size <= this.#readTo) return;
    const read = Buffer.alloc(size - this.#readTo);
    const bytes = readSync(this.#file, read, 0, read.length, this.#readTo);
    // An incomplete last line is read the next time.
    const end = read.subarray(0, bytes).lastIndexOf(0x0a) + 1;
    this.#readTo += end;
    for (const { id, charge } of linesOf(read.toString('utf8', 0, end)))
      if (!this.#charges.has(id)) this.#charges.set(id, charge);
  }

  #bookMoney(id: string, card: { cardLast4?: string } = {}): Extract<Charge, { outcome: 'CHARGED' }> {
    return this.#book(id, { outcome: 'CHARGED', transactionId: `sim_${id}`, processedAt: this.#now(), ...card });
  }

  #book<C extends Charge>(id: string, charge: C): C {
    const line: Line = { at: this.#now(), id, charge };
    this.#append(`${JSON.stringify(line)}\n`);
    this.#charges.set(id, charge);
    return charge;
  }

  /** @throws DomainError PARTNER_UNAVAILABLE where its disk takes nothing: the money has not moved then */
  #append(line: string): void {
    // A full disk takes the beginning of a line, which would spoil the next one too.
    const rest = Buffer.from(this.#isTorn ? `\n${line}` : line);
    this.#isTorn = true;
    try {
      for (let done = 0; done < rest.length;) done += writeSync(this.#file, rest, done);
    } catch {
      throw new DomainError('PARTNER_UNAVAILABLE', 'The payment provider takes no payments at the moment.');
    }
    this.#isTorn = false;
  }
}

/** A last line that a crash cut off is dropped: its answer was never sent. */
function readLedger(path: string): Line[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return linesOf(text);
}

function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line ? [JSON.parse(line) as Line] : [];
    } catch {
      return [];
    }
  });
}
