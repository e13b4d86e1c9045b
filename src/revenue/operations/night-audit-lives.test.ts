import fc from 'fast-check';
import t from 'tap';

import type { Command } from '../../kernel/rules/commands.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { businessDate, endOfBusinessDay } from '../../kernel/rules/property-time.ts';
import { billedCharges } from '../../money/rules/folio.ts';
import type { Payment } from '../../money/rules/payment.ts';
import { penaltyParts } from '../../money/rules/penalty.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { Stored } from '../../testing/actors/store-conformance.ts';
import { withArchive } from '../../testing/archive.ts';
import {
  cancelCommand,
  checkInCommand,
  checkOutCommand,
  DAY,
  endPaymentCommand,
  envelope,
  freshId,
  modifyCommand,
  noShowCommand,
  NOW,
  paid,
  plainRoom,
  startBookingCommand,
  startPaymentCommand,
} from '../../testing/property-world.ts';
import type { Report } from '../ports.ts';
import { databaseAnalytics } from '../storage/analytics.ts';
import { databaseOtbByDay } from '../storage/otb-by-day.ts';
import { nightAudit } from './night-audit.ts';

const world = await withArchive(t);
const analytics = databaseAnalytics(world.database);
const dayBooks = databaseOtbByDay(world.database);

const MINUTE = 60_000;
const ROOMS = Array.from({ length: 6 }, (_, n) => `${101 + n}`);
const HOURS = [0, 3, 5, 9, 11];
const MOVES = [
  ...(['buy', 'buy', 'buy', 'slow', 'confirm', 'pay', 'paid', 'paid', 'arrive', 'arrive', 'arrive'] as const),
  ...(['leave', 'leave', 'extend', 'shorten', 'cancel', 'missed', 'waive', 'refund', 'settle', 'payOut'] as const),
  ...(['hour', 'minutes', 'hours', 'hours', 'roll', 'roll', 'roll', 'audit', 'audit', 'weeks'] as const),
];
type Move = { what: (typeof MOVES)[number]; a: number; b: number };

const lives = fc.record({
  hour: fc.constantFrom(...HOURS),
  moves: fc.array(fc.record({ what: fc.constantFrom(...MOVES), a: fc.nat(9_999), b: fc.nat(9_999) }), {
    minLength: 60,
    maxLength: 110,
    size: 'max',
  }),
});

type Figures = Record<'rooms' | 'extras' | 'penalties' | 'taxes' | 'payments' | 'refunds', number>;

/** A property with random bookings, payments, changes and departures at any hour, and audits now and then. */
class PropertyLife {
  readonly seen = new Map<string, number>();
  readonly #property: Stored;
  /** Charges and bookings that the provider has ended and that are not recorded yet. */
  readonly #late: { id: string; payment: Payment; holdId?: string }[] = [];
  readonly #ids: string[] = [];
  readonly #made = new Map<number, Report['content']>();

  constructor(property: Stored) {
    this.#property = property;
  }

  static async opened(hour: number): Promise<PropertyLife> {
    const property = await Stored.property(world.store, 'acme', NOW);
    const life = new PropertyLife(property);
    const rooms = ROOMS.map((number, n) => plainRoom(number, n > 3 ? { roomType: 'DLX' } : {}));
    property.scene.accept({ type: 'PUT_ROOMS', rooms, mode: 'create' });
    life.#setHour(hour);
    return life;
  }

  get #scene() {
    return this.#property.scene;
  }

  get #all(): Reservation[] {
    return this.#ids.flatMap((id) => this.#scene.state.reservations.get(id) ?? []);
  }

  #clock() {
    const { timezone, policies } = this.#scene.state.property!.metadata;
    return { timezone, nightAuditHour: policies.nightAuditHour };
  }

  /** Sends a command; a rejected one changes nothing. */
  #try(command: Command): boolean {
    const outcome = this.#scene.batch(envelope(command)).outcomes[0]!;
    if (outcome.kind === 'fault') throw outcome.error;
    if (outcome.kind === 'refused') return false;
    this.count(command.type);
    return true;
  }

  #setHour(nightAuditHour: number): void {
    const property = this.#scene.state.property!;
    const { metadata } = property;
    const policies = { ...metadata.policies, nightAuditHour };
    this.#try({ type: 'UPDATE_PROPERTY', property: { ...property, metadata: { ...metadata, policies } } });
  }

  /** Moves to some minutes before or after the end of the business date, and ticks only then. */
  #roll(minutes: number): void {
    const { scene } = this.#property;
    const end = endOfBusinessDay(businessDate(scene.now, this.#clock()), this.#clock());
    scene.pass(Math.max(0, end + minutes * MINUTE - scene.now));
    if (minutes >= 0) this.#tick();
  }

  #tick(): void {
    if (businessDate(this.#scene.now, this.#clock()) > this.#scene.state.today) this.#scene.accept({ type: 'TICK' });
  }

  async play({ what, a, b }: Move): Promise<void> {
    const { scene } = this.#property;
    const all = this.#all;
    const some = (...statuses: Reservation['status'][]) => {
      const fit = all.filter(({ status }) => statuses.includes(status));
      return fit[a % (fit.length || 1)];
    };
    const by = { reason: 'noise', by: 'boss' };
    switch (what) {
      case 'buy':
      case 'slow':
        return this.#book(what === 'slow', a, b);
      case 'confirm':
      case 'paid':
        return this.#recordLate(a);
      case 'pay': {
        const it = some('PENDING', 'CONFIRMED', 'CHECKED_IN');
        if (it) this.#startPayment(it.id, b);
        return;
      }
      case 'arrive': {
        const it = some('CONFIRMED');
        if (it) this.#try(checkInCommand(it.id, { at: scene.now }));
        return;
      }
      case 'leave': {
        const it = some('CHECKED_IN');
        if (it) this.#leave(it.id, b);
        return;
      }
      case 'extend':
      case 'shorten': {
        const it = some('CHECKED_IN', 'CONFIRMED');
        const checkOut = it && it.stay.checkOut + (what === 'extend' ? 1 + (b % 3) : -1 - (b % 2));
        if (it && checkOut! > it.stay.checkIn) this.#try(modifyCommand(it.id, { checkOut }));
        return;
      }
      case 'cancel': {
        const it = some('CONFIRMED');
        if (it) this.#try(cancelCommand(it.id, { refundRequested: b % 3 > 0 }));
        return;
      }
      case 'missed': {
        const it = some('CONFIRMED');
        if (it) this.#try(noShowCommand(it.id));
        return;
      }
      case 'waive': {
        const it = some('CANCELLED', 'NO_SHOW');
        const amount = b % 2 ? 1 + (b % 4_000) : undefined;
        if (it) this.#try({ type: 'WAIVE_PENALTY', reservationId: it.id, refundId: freshId(), amount, ...by });
        return;
      }
      case 'refund': {
        const it = all[a % (all.length || 1)];
        const refund = { amount: 1 + (b % 5_000), goodwill: b % 2 === 0 };
        if (it) this.#try({ type: 'GIVE_REFUND', reservationId: it.id, refundId: freshId(), ...refund, ...by });
        return;
      }
      case 'settle':
        return this.#settle(a, b);
      case 'payOut':
        return this.#payOut();
      case 'hour':
        return this.#setHour(HOURS[a % HOURS.length]!);
      case 'minutes':
      case 'hours':
        scene.pass((1 + (a % (what === 'hours' ? 600 : 20))) * MINUTE);
        if (b % 3) this.#tick();
        return;
      case 'weeks':
        // The service is down.
        if (b % 8 === 0) scene.pass((1 + (a % 12)) * 24 * 60 * MINUTE);
        return this.#tick();
      case 'roll':
        return this.#roll((b % 40) - 10);
      case 'audit':
        this.#tick();
        return this.audit(b % 4 === 0);
    }
  }

  #book(isSlow: boolean, a: number, b: number): void {
    const { scene } = this.#property;
    const checkIn = scene.state.today + [0, 0, 0, 1, 3][a % 5]!;
    const rateCode = ['BAR', 'FLEX', 'NRF'][b % 3]!;
    const stay = { roomType: b % 4 ? 'STD' : 'DLX', checkIn, checkOut: checkIn + 1 + (a % 4), rateCode };
    const billing = { method: 'CREDIT_CARD' as const, card: 'sealed' };
    const command = startBookingCommand({ stay, billing });
    const started = scene.batch(envelope(command)).outcomes[0]!;
    if (started.kind !== 'accepted') return;
    const { attempt } = started.decision.result as { attempt: Payment };
    const payment = paid(attempt, scene.now);
    const id = command.booking.reservationId;
    if (isSlow) this.#late.push({ id, payment, holdId: command.holdId });
    else if (this.#try({ type: 'CONFIRM_BOOKING', holdId: command.holdId, payment })) this.#ids.push(id);
  }

  /** The provider has charged, and its answer is pending. */
  #startPayment(id: string, b: number): void {
    const outcome = this.#scene.batch(envelope(startPaymentCommand(id, b % 2 ? { method: 'CREDIT_CARD' } : {})));
    const [started] = outcome.outcomes;
    if (started?.kind !== 'accepted') return;
    const { attempt } = started.decision.result as { attempt: Payment };
    this.#late.push({ id, payment: paid(attempt, this.#scene.now) });
  }

  #recordLate(a: number): void {
    const [one] = this.#late.splice(a % (this.#late.length || 1), 1);
    if (!one) return;
    const { id, payment, holdId } = one;
    if (holdId === undefined) {
      if (this.#scene.state.reservations.get(id)) this.#try(endPaymentCommand(id, payment));
    } else if (this.#try({ type: 'CONFIRM_BOOKING', holdId, payment })) this.#ids.push(id);
  }

  #leave(id: string, b: number): void {
    const charges = b % 2 ? [{ description: 'Minibar', amount: 1 + (b % 2_000) }] : [];
    const { scene } = this.#property;
    const command = checkOutCommand(id, { at: scene.now, charges, forced: b % 3 === 0 });
    const left = scene.batch(envelope(command)).outcomes[0]!;
    if (left.kind === 'fault') throw left.error;
    if (left.kind === 'refused') return;
    this.count('CHECK_OUT');
    const { attempt } = left.decision.result as { attempt?: Payment };
    if (attempt) this.#late.push({ id, payment: paid(attempt, scene.now) });
  }

  #open(status: Payment['status']) {
    return this.#all.flatMap(({ id, payments }) =>
      payments.filter((one) => one.type === 'REFUND' && one.status === status).map((payment) => ({ id, payment })),
    );
  }

  #settle(a: number, b: number): void {
    const open = this.#open('PROCESSING');
    const one = open[a % (open.length || 1)];
    if (!one) return;
    const payment = paid(one.payment, Math.max(one.payment.createdAt, this.#scene.now - (b % 900) * MINUTE));
    this.#try({ type: 'SETTLE_REFUND', reservationId: one.id, payment });
  }

  #payOut(): void {
    const [one] = this.#open('PENDING');
    if (!one) return;
    const refundId = one.payment.paymentId;
    this.#try({ type: 'PAY_OUT_REFUND', reservationId: one.id, refundId, method: 'CASH', by: 'desk' });
  }

  /** Makes all due audits, after no-shows are marked and overstays are posted; `isSlow` leaves the newest for later. */
  async audit(isSlow = false): Promise<void> {
    const { scene } = this.#property;
    const { today } = scene.state;
    for (const { id, status, stay } of this.#all)
      if (status === 'CONFIRMED' && stay.checkIn < today) scene.accept(noShowCommand(id));
    for (const { id, status, stay } of this.#all)
      if (status === 'CHECKED_IN' && stay.checkOut < today) this.#try({ type: 'OVERSTAY', reservationId: id });
    // Nights of a guest whose check-out is in progress are unknown: audits wait.
    if (this.#all.some(({ leaving, stay }) => leaving && stay.checkOut < today)) return;
    for (const outcome of await this.#property.write()) if (outcome !== 'committed') throw new Error(outcome);
    const services = { ...world.servicesOf({ scene } as never), analytics, dayBooks };
    const to = this.#property.to;
    for (let rolled = DAY + 1; rolled <= today - Number(isSlow); rolled++) {
      if (this.#made.has(rolled - 1)) continue;
      await nightAudit(services, to, rolled);
      const report = await this.#report(rolled - 1);
      if (!report) throw new Error(`${rolled - 1 - DAY} has no report`);
      this.#made.set(rolled - 1, report);
    }
  }

  count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  async #report(date: number): Promise<Report['content'] | undefined> {
    const { tenantId, propertyId } = this.#property.to;
    return (await analytics.list(tenantId, { propertyId, from: date, to: date }, 1)).items[0]?.content;
  }

  /** All guests leave, all payments arrive, and the last day is closed. */
  async end(): Promise<void> {
    const { scene } = this.#property;
    while (this.#late.length > 0) this.#recordLate(0);
    const pending = this.#all.filter(({ status }) => status === 'PENDING');
    for (const { id } of pending) this.#try(cancelCommand(id));
    for (const { id, status } of this.#all) {
      if (status === 'CHECKED_IN') this.#try(checkOutCommand(id, { at: scene.now, forced: true }));
      if (status === 'CONFIRMED') this.#try(cancelCommand(id));
    }
    for (const { id, payment } of this.#open('PROCESSING'))
      scene.accept({ type: 'SETTLE_REFUND', reservationId: id, payment: paid(payment, payment.createdAt) });
    while (this.#open('PENDING').length > 0) this.#payOut();
    scene.pass(10 * 60 * MINUTE);
    for (let more = 0; more < 3; more++) {
      this.#roll(5);
      await this.audit();
    }
  }

  /** Compares the audits with the final reservations. */
  async compare(): Promise<{ days: number }> {
    const services = { ...world.servicesOf({ scene: this.#scene } as never), analytics, dayBooks };
    const audited = zero();
    for (const [date, made] of this.#made) {
      await nightAudit(services, this.#property.to, date + 1);
      same(`the audit of ${date - DAY} as it was made`, await this.#report(date), made);
      const { revenue, money, late = [] } = made;
      for (const one of late) this.count(one.penalties ? 'late penalty' : 'late stay');
      add(audited, {
        rooms: revenue.rooms,
        extras: revenue.additionalCharges,
        penalties: revenue.penalties ?? 0,
        taxes: revenue.taxes,
        payments: money.paid,
        refunds: money.refunds.amount,
      });
    }
    const posted = zero();
    for (const one of this.#all) add(posted, figuresOf(one));
    same('all audits', audited, posted);
    return { days: this.#made.size };
  }
}

/** Figures of a finished reservation, computed from its bill and its payments. */
function figuresOf(one: Reservation): Figures {
  const { status, nights, cancellation, payments } = one;
  const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);
  const moved = (type: Payment['type']) =>
    sum(payments.filter((each) => each.type === type && each.status === 'COMPLETED').map(({ amount }) => amount));
  const money = { payments: moved('CHARGE'), refunds: moved('REFUND') };
  if (cancellation) {
    const { revenue, taxes } = penaltyParts(cancellation.penalty, nights, one.currency);
    return { rooms: 0, extras: 0, penalties: revenue, taxes, ...money };
  }
  if (status !== 'CHECKED_OUT') throw new Error(`a reservation is ${status} in the end`);
  const of = (member: 'rate' | 'taxes' | 'fees') => sum(nights.map((night) => night[member]));
  const charges = billedCharges(one);
  const chargeTaxes = sum(charges.map(({ taxes = 0 }) => taxes));
  const retained = charges.filter(({ code }) => code === 'RETAINED' || code === 'EARLY_DEPARTURE');
  const penalties = sum(retained.map(({ amount, taxes = 0 }) => amount - taxes));
  const extras = of('fees') + sum(charges.map(({ amount }) => amount)) - chargeTaxes - penalties;
  return { rooms: of('rate'), extras, penalties, taxes: of('taxes') + chargeTaxes, ...money };
}

const zero = (): Figures => ({ rooms: 0, extras: 0, penalties: 0, taxes: 0, payments: 0, refunds: 0 });

function add(sums: Figures, more: Figures): void {
  for (const name of Object.keys(sums) as (keyof Figures)[]) sums[name] += more[name];
}

function same(what: string, found: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${what}: ${one} instead of ${other}`);
}

t.test('whenever it is recorded, every cent is in one night audit, and an audit never changes', async (t) => {
  const seen = new Map<string, number>();
  let days = 0;
  await fc.assert(
    fc.asyncProperty(lives, async ({ hour, moves }) => {
      const life = await PropertyLife.opened(hour);
      try {
        for (const move of moves) await life.play(move);
        await life.end();
      } catch (error) {
        if (error instanceof DomainError) throw new Error(`${error.code} ${error.message}`, { cause: error });
        throw error;
      }
      days += (await life.compare()).days;
      for (const [type, count] of life.seen) seen.set(type, (seen.get(type) ?? 0) + count);
    }),
    { numRuns: Number(process.env.LIVES ?? 20), endOnFailure: process.env.LIVES === undefined },
  );
  if (process.env.LIVES) t.comment([...seen].join(' '));
  for (const type of ['CHECK_IN', 'CHECK_OUT', 'NO_SHOW', 'WAIVE_PENALTY', 'GIVE_REFUND', 'END_PAYMENT', 'CANCEL'])
    t.ok(seen.get(type)! > 0, `${type} ${seen.get(type)}`);
  t.ok(days > 100, `${days} days`);
});
