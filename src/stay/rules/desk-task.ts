import type { Day } from '../../kernel/rules/dates.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import { endOfBusinessDay, instantAt, localTime, type PropertyClock } from '../../kernel/rules/property-time.ts';
import { departureOf } from '../../kernel/rules/stay-days.ts';
import { claimOf, isClaimOpen } from '../../money/rules/chargeback.ts';
import type { Property } from '../../properties/rules/property.ts';
import { type ClockReading, isMarkedByClock, marksByClock, nightsAreOver } from './arrival.ts';
import { amountDue, type AmountDue, MAX_TRIES } from './collecting.ts';
import type { Reservation } from './reservation.ts';

/** Kinds of tasks of the front desk. */
export const DESK_TASK_KINDS = [
  'ARRIVAL_NOT_MARKED',
  'OVERSTAY_NOT_POSTED',
  'PAYMENT_FAILED',
  'PAYMENT_NOT_TRIED',
  'CHARGEBACK',
  'OVERBOOKED',
  'CHANNEL_BOOKING',
] as const;

/** A question that only a person can answer; it is open as long as the state of the reservation raises it. */
export type DeskTask = {
  kind: Exclude<(typeof DESK_TASK_KINDS)[number], 'CHANNEL_BOOKING'>;
  reservation: Reservation;
  /** Whether a night is left to check in for. */
  mayArrive: boolean;
  /** Of a chargeback: what of it nobody has paid again. */
  claim?: Minor;
  /** Of a payment: what is due, and on how many more days it is tried before the stay is cancelled. */
  payment?: Pick<AmountDue, 'amount' | 'triesLeft'>;
};

/** What a channel has sold or changed and the property could not take: somebody has to enter it, or call the channel. */
export type ChannelTask = {
  kind: 'CHANNEL_BOOKING';
  channelCode: string;
  name: string;
  externalId: string;
  externalRoom?: string;
  checkIn?: Day;
  checkOut?: Day;
  reason?: string;
  reservationId?: ReservationId;
};

type Today = {
  metadata: Property['metadata'];
  clock: PropertyClock;
  reading: ClockReading;
  businessDate: Day;
  /** Whether more rooms of a type are sold for a night than there are. */
  isOversold(roomType: string, day: Day): boolean;
};

/**
 * The task that a reservation gives the desk; `undefined` when there is none, or the clock is about to do it. A
 * chargeback that nobody has closed waits for the others: they are of today.
 */
export function deskTaskOf(reservation: Reservation, today: Today): DeskTask | undefined {
  const task = taskOfToday(reservation, today);
  if (task) return task;
  const { status, stay } = reservation;
  const mayArrive = status === 'CONFIRMED' && !nightsAreOver(stay, today.businessDate);
  if (isOverbooked(reservation, today)) return { kind: 'OVERBOOKED', reservation, mayArrive };
  if (!isClaimOpen(reservation)) return undefined;
  return { kind: 'CHARGEBACK', reservation, mayArrive, claim: claimOf(reservation) };
}

/** Whether a channel sold a night that is still oversold: the guest needs another room, or another hotel. */
function isOverbooked({ status, stay, source: { overbooked = [] } }: Reservation, today: Today): boolean {
  if (status !== 'CONFIRMED') return false;
  return overbooked.some((day) => day >= today.businessDate && today.isOversold(stay.roomType, day));
}

function taskOfToday(reservation: Reservation, today: Today): DeskTask | undefined {
  const { status, stay } = reservation;
  const { businessDate } = today;
  const task = (kind: DeskTask['kind'], payment?: DeskTask['payment']): DeskTask => ({
    kind,
    reservation,
    ...(payment && { payment: { amount: payment.amount, triesLeft: payment.triesLeft } }),
    mayArrive: status === 'CONFIRMED' && !nightsAreOver(stay, businessDate),
  });
  if (status === 'CHECKED_IN') return isOverstayNotPosted(stay, today) ? task('OVERSTAY_NOT_POSTED') : undefined;
  if (status !== 'CONFIRMED') return undefined;
  const isUnmarked = stay.checkIn < businessDate && !isMarkedByClock(reservation, today.clock, today.reading);
  if (isUnmarked) return task('ARRIVAL_NOT_MARKED');
  const { metadata, reading } = today;
  const due = amountDue(reservation, metadata, { today: businessDate, now: reading.now });
  if (!due) return undefined;
  if (isNotTried(due, metadata, reading)) return task('PAYMENT_NOT_TRIED', due);
  return due.triesLeft < MAX_TRIES ? task('PAYMENT_FAILED', due) : undefined;
}

/** How long after its hour the job of the day has tried whatever is due. */
const TRIED_WITHIN_MS = 3_600_000;

/** Whether what is due has not been tried today for a fault of ours: a charge that was tried is paid, or has failed. */
function isNotTried(
  { hasFailedToday }: AmountDue,
  { timezone, policies }: Property['metadata'],
  { now, putForwardAt = -Infinity }: ClockReading,
): boolean {
  const hour = `${String(policies.autoAssignHour).padStart(2, '0')}:00`;
  const tried = instantAt(localTime(now, timezone).day, hour, timezone);
  return !hasFailedToday && now - Math.max(tried, putForwardAt) > TRIED_WITHIN_MS;
}

/** Whether the guest should have left before the date, and the clock has failed to post the nights since. */
function isOverstayNotPosted(stay: Reservation['stay'], { clock, reading, businessDate }: Today): boolean {
  return departureOf(stay) < businessDate && !marksByClock(endOfBusinessDay(businessDate - 1, clock), reading);
}
