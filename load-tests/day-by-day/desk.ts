import { type Day, dayOf } from '../../src/kernel/rules/dates.ts';
import type { Minor } from '../../src/kernel/rules/money.ts';
import type { Answer } from '../client/http.ts';
import { callUntilDecided } from '../client/retry.ts';
import { get } from '../replay/audit.ts';
import type { Target } from '../replay/property.ts';
import { isForeseen, Tally } from '../replay/tally.ts';
import type * as answers from './answers.ts';
import { centsOf } from './findings.ts';
import { type Account, Ledger } from './ledger.ts';
import { finalCharges, DAY_KINDS, type DayEvent, type DayKind, mannerOf } from './life.ts';
import { dueFor, requestOf } from './requests.ts';

/** Plays events of a simulated day and enters each answer into the client's own ledger. */
export class Desk {
  readonly ledger = new Ledger();
  readonly tally = new Tally<DayKind>(DAY_KINDS);
  readonly #target: Target;
  readonly #runId: string;

  /** @param runId makes the idempotency keys of this run unique */
  constructor(target: Target, runId: string) {
    this.#target = target;
    this.#runId = runId;
  }

  /** @param key of the event within the run @throws Error when the service is unreachable */
  async play(event: DayEvent, today: Day, key: string): Promise<void> {
    const account = this.ledger.accounts.get(event.planned.booking.row);
    const request = requestOf(event, account, this.#target.propertyId);
    if (!request) {
      this.tally.passedOver += 1;
      return;
    }
    const stay = account && event.kind === 'checkOut' ? await this.#costOfStay(account, today) : undefined;
    const { method, path, body, success } = request;
    const answer = await callUntilDecided(
      this.#target.client,
      {
        method,
        url: `${this.#target.reservationUrl}${path}`,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: { 'idempotency-key': `${this.#runId}-${key}` },
      },
      (reason) => this.tally.repetition(reason),
    );
    if (answer.status !== success) {
      this.tally.rejection(event, answer, (code) => mayRefuse(event, answer.status, code));
      return;
    }
    this.tally.accepted(event.kind, answer.ms);
    this.#enter(event, account, today, answer, stay);
  }

  /** Price of the slept nights of a guest who leaves early; `undefined` for a departure as booked. */
  async #costOfStay({ reservationId, checkIn, checkOut }: Account, today: Day): Promise<Minor | undefined> {
    const leaves = Math.max(checkIn + 1, today);
    if (leaves >= checkOut) return undefined;
    const url = `${this.#target.reservationUrl}/api/v1/reservations/${reservationId}`;
    const { financial, stayDetails } = await get<answers.Whole>(this.#target, url);
    const stayed = financial.breakdown.filter(({ date }) => dayOf(date) < leaves);
    const fees = centsOf(financial.fees) / stayDetails.nights;
    return stayed.reduce((sum, { roomRate, taxes }) => sum + centsOf(roomRate) + centsOf(taxes) + fees, 0);
  }

  #enter(
    event: DayEvent,
    account: Account | undefined,
    today: Day,
    { text, status }: Answer,
    stay: Minor | undefined,
  ): void {
    const { ledger } = this;
    const { booking, foreseen } = event.planned;
    if (event.kind === 'create') {
      ledger.created(booking.row, JSON.parse(text));
      const wanted = mannerOf(booking) === 'CARD' ? 'CONFIRMED' : 'PENDING';
      ledger.findings.same(`row ${booking.row} status`, ledger.accounts.get(booking.row)?.status, wanted);
      if (foreseen.size > 0) this.tally.surprise(event, status, 'ACCEPTED', `expected ${[...foreseen].join(' or ')}`);
      return;
    }
    if (!account) return;
    switch (event.kind) {
      case 'amend':
        return ledger.amended(account, JSON.parse(text));
      case 'cancel':
        return ledger.ended(account, JSON.parse(text), { ...event, freely: isFree(account, today) });
      case 'noShow':
        return ledger.ended(account, JSON.parse(text), { refundRequested: true, freely: false });
      case 'pay':
        return ledger.paid(account, dueFor(event.purpose, account) ?? 0, JSON.parse(text));
      case 'checkIn':
        return ledger.checkedIn(account, JSON.parse(text));
      case 'checkOut': {
        const charges = finalCharges(booking).reduce((sum, { amount }) => sum + amount, 0);
        const forced = mannerOf(booking) === 'OWED';
        return ledger.left(account, { forced, charges, stay }, JSON.parse(text));
      }
    }
  }
}

/** A lack of rooms may reject a sale or let a guest wait; everything else must follow from the file. */
function mayRefuse(event: DayEvent, status: number, code: string): boolean {
  if (event.kind === 'create' || event.kind === 'amend') return isForeseen(event, status, code);
  return event.kind === 'checkIn' && code === 'NO_ROOM_READY';
}

/** STANDARD is free until 48 hours before check-in; on the two days in between the hour decides. */
function isFree({ status, rateCode, checkIn }: Account, today: Day): boolean | undefined {
  if (status === 'PENDING') return true;
  if (rateCode === 'NRF') return false;
  if (today <= checkIn - 3) return true;
  return today >= checkIn - 1 ? false : undefined;
}
