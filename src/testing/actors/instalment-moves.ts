import fc from 'fast-check';

import { DomainError } from '../../kernel/rules/domain-error.ts';
import { folioTotals } from '../../money/rules/folio.ts';
import type { Payment } from '../../money/rules/payment.ts';
import type { Instalment } from '../../rates/rules/plan-terms.ts';
import { deferredAt } from '../../stay/rules/collecting.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import {
  DAY,
  endPaymentCommand,
  freshId,
  modifyCommand,
  paid,
  plan,
  startBookingCommand,
} from '../property-world.ts';
import { goTo } from './guest-moves.ts';
import { Scene } from './scene.ts';

const DAY_MS = 86_400_000;
const ARRIVAL = DAY + 14;

const SCHEDULES: readonly Instalment[][] = [
  [
    { percent: 20, due: { at: 'BOOKING' } },
    { percent: 80, due: { daysBefore: 7 } },
  ],
  [
    { percent: 30, due: { at: 'BOOKING' } },
    { percent: 30, due: { daysBefore: 10 } },
    { percent: 40, due: { daysBefore: 3 } },
  ],
  [
    { percent: 50, due: { at: 'BOOKING' } },
    { percent: 50, due: { daysBefore: 0 } },
  ],
];

/** A booking that is paid by instalments, with what the daily job, the provider and the guest do. */
export const instalmentLives = fc.record({
  schedule: fc.nat(SCHEDULES.length - 1),
  moves: fc.array(
    fc.constantFrom('days', 'days', 'days', 'charge', 'charge', 'charge', 'pay', 'pay', 'fail', 'longer', 'dispute'),
    {
      minLength: 20,
      maxLength: 40,
      size: 'max',
    },
  ),
});

type InstalmentLife = typeof instalmentLives extends fc.Arbitrary<infer L> ? L : never;

/**
 * Plays a life of instalments against plain sums: what is charged and under way never exceeds the shares that are due
 * by the day, and where nothing else is announced it is exactly their unpaid part.
 * @returns how many charges were started
 * @throws Error where a share is charged twice, too early or not at all
 */
export function playInstalments({ schedule, moves }: InstalmentLife): number {
  const instalments = SCHEDULES[schedule]!;
  const scene = Scene.property();
  const own = plan({ code: 'OWN', guarantee: 'PREPAY', depositSchedule: instalments });
  scene.accept({ type: 'PUT_RATE_PLAN', plan: own, mode: 'create' });
  const id = bookedUnder(scene);
  let charges = 0;
  for (const move of moves) {
    const before = scene.state.reservations.get(id)!;
    if (before.status !== 'CONFIRMED') break;
    const open = before.payments.find(({ status }) => status === 'PROCESSING');
    if (move === 'days') goTo(scene, scene.now + 2 * DAY_MS);
    else if (move === 'longer') longer(scene, before);
    else if (move === 'dispute') dispute(scene, before);
    else if (move === 'charge') charges += charge(scene, before, instalments, open) ? 1 : 0;
    else if (open) end(scene, id, open, move === 'pay');
    const { status, payments, paid: captured } = scene.state.reservations.get(id)!;
    if (status === 'CONFIRMED')
      same('captured', captured, sumOf(payments, 'COMPLETED') - 2 * disputedOf(scene.state.reservations.get(id)!));
  }
  return charges;
}

function bookedUnder(scene: Scene): string {
  const stay = { rateCode: 'OWN', checkIn: ARRIVAL, checkOut: ARRIVAL + 2 };
  const command = startBookingCommand({ stay, billing: { card: 'sealed', isCardTaken: true } });
  const { attempt } = scene.accept(command);
  const { holdId } = command;
  return scene.accept({ type: 'CONFIRM_BOOKING', holdId, payment: paid(attempt, scene.now) }).reservation.id;
}

function charge(scene: Scene, before: Reservation, schedule: Instalment[], open: Payment | undefined): boolean {
  const ids = { paymentId: freshId(), cancellationId: freshId(), refundId: freshId() };
  const { attempt } = scene.accept({ type: 'CHARGE_DUE', reservationId: before.id, ...ids });
  const today = Math.floor(scene.now / DAY_MS);
  const due = schedule.filter((one) => !('daysBefore' in one.due) || ARRIVAL - one.due.daysBefore <= today);
  const percent = due.reduce((sum, one) => sum + one.percent, 0);
  const price = folioTotals(before).total - deferredAt(before, scene.now);
  const unpaid = (price * percent) / 100 - before.paid - disputedOf(before);
  if (attempt && open) throw new Error('a share is charged while a charge is under way');
  if (attempt && attempt.amount > unpaid) throw new Error(`${attempt.amount} is charged where ${unpaid} is due`);
  const charges = before.payments.filter(({ type }) => type === 'CHARGE');
  const last = charges.findLastIndex(({ status }) => status === 'COMPLETED');
  const hasFailed = charges.slice(last + 1).some(({ status }) => status === 'FAILED');
  const isExact = !open && !hasFailed;
  if (isExact) same('charged', attempt?.amount ?? 0, Math.max(0, unpaid));
  return attempt !== undefined;
}

/** What the card issuer has taken back: owed, and never charged by the job. */
const disputedOf = ({ payments }: Reservation): number =>
  payments.reduce((sum, { chargeback, amount }) => (chargeback ? sum + amount : sum), 0);

/** The card issuer takes the oldest charge back that it has not yet, once in a life. */
function dispute(scene: Scene, { id, payments }: Reservation): void {
  const charge = payments.find(({ type, status }) => type === 'CHARGE' && status === 'COMPLETED');
  if (!charge || payments.some(({ chargeback }) => chargeback)) return;
  const taken = { reservationId: id, paymentId: charge.paymentId, chargebackId: freshId() };
  scene.accept({ type: 'CHARGE_BACK', ...taken, reason: 'fraud', by: 'boss' });
}

/** One night more, where it can be had: what it adds is announced for a day of its own. */
function longer(scene: Scene, { id, stay }: Reservation): void {
  try {
    scene.accept(modifyCommand(id, { checkOut: stay.checkOut + 1 }));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

function end(scene: Scene, id: string, open: Payment, isPaid: boolean): void {
  const ended: Payment = isPaid ? paid(open, scene.now) : { ...open, status: 'FAILED' };
  scene.accept(endPaymentCommand(id, ended));
}

const sumOf = (payments: readonly Payment[], status: Payment['status']): number =>
  payments.reduce((sum, one) => sum + (one.status === status ? one.amount : 0), 0);

function same(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`);
}
