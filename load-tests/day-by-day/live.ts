import type { Day } from '../../src/kernel/rules/dates.ts';
import { auditProperty, type AuditReport } from '../replay/audit.ts';
import { playInOrder } from '../replay/in-order.ts';
import type { Plan } from '../replay/plan.ts';
import { createHotel, type Target } from '../replay/property.ts';
import { goToMorning } from './clock.ts';
import { Desk } from './desk.ts';
import { cleanRooms } from './housekeeping.ts';
import { type SimulatedDay, simulatedDays, type DayEvent } from './life.ts';
import { auditMoney, type MoneyReport } from './money-audit.ts';

/**
 * Fees besides taxes, so that every part of a total occurs; a third as deposit holds the rooms of a booking without a
 * card. A real group has no card at first, and arrives on one day.
 */
const POLICIES = { feePerNight: 1.5, feePerPersonNight: 0.75, depositPercent: 30, maxHeldPercent: 100 };

export type DayByDayOptions = {
  concurrency: number;
  /** Makes the idempotency keys of this run unique. */
  runId: string;
  /** Moves the clock, which no tenant may do. */
  operatorToken: string;
  /** Number of days; all by default. */
  days?: number;
  /** Called after each event with the number of finished and of all events. */
  progress?: (over: number, of: number) => void;
};

export type DayByDayResult = {
  desk: Desk;
  days: number;
  roomsCleaned: number;
  /** No-shows and expiries that came with a new day. */
  noShows: number;
  expired: number;
  /** Duration of the days, without the audits. */
  seconds: number;
  /** Part of it for moving the clock, including all due work. */
  clockSeconds: number;
  audit: AuditReport;
  money: MoneyReport;
};

/**
 * Creates the hotel of a plan and plays its bookings day by day on the development clock: departures, cleaning,
 * bookings, changes and cancellations, arrivals. Then rooms and money are audited.
 * @throws Error when the service is unreachable, or has no development clock
 */
export async function live(plan: Plan, target: Target, options: DayByDayOptions): Promise<DayByDayResult> {
  const days = simulatedDays(plan, options.days);
  const desk = new Desk(target, options.runId);
  await createHotel(plan, target, POLICIES);
  const of = days.reduce((sum, { departures, others }) => sum + departures.length + others.length, 0);
  const sums = { roomsCleaned: 0, noShows: 0, expired: 0, clockSeconds: 0 };
  let over = 0;
  const play = (day: Day, events: readonly DayEvent[]): Promise<void> =>
    playInOrder(events, options.concurrency, async (event) => {
      over += 1;
      await desk.play(event, day, String(over));
      options.progress?.(over, of);
    });
  const goTo = async (day: Day): Promise<void> => {
    const began = performance.now();
    await goToMorning(target, day, options.operatorToken);
    sums.clockSeconds += (performance.now() - began) / 1000;
    const { noShows, expired } = desk.ledger.rolled(day);
    sums.noShows += noShows;
    sums.expired += expired;
  };
  const started = performance.now();
  for (const { day, departures, others } of days) {
    if (day > plan.firstNight) await goTo(day);
    await play(day, departures);
    sums.roomsCleaned += await cleanRooms(target);
    await play(day, others);
  }
  // One day more: no-shows and unpaid reservations of the last one are known on the next.
  const today = lastOf(days, plan.firstNight) + 1;
  await goTo(today);
  const seconds = (performance.now() - started) / 1000;
  const money = await auditMoney(desk.ledger, target);
  const audit = await auditProperty(plan, today, target, desk.ledger.cells());
  return { desk, days: days.length, ...sums, seconds, audit, money };
}

function lastOf(days: readonly SimulatedDay[], first: Day): Day {
  return days.at(-1)?.day ?? first;
}
