import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { type Instant, instantAt } from '../../../src/kernel/rules/property-time.ts';
import { pause } from '../../../test/blackbox/waiting.ts';
import { Desk } from '../../day-by-day/desk.ts';
import { cleanRooms } from '../../day-by-day/housekeeping.ts';
import { type DayEvent, simulatedDays, type SimulatedDay } from '../../day-by-day/life.ts';
import { madeUpBookings } from '../../day-by-day/made-up.ts';
import { auditMoney } from '../../day-by-day/money-audit.ts';
import { auditProperty } from '../../replay/audit.ts';
import { playInOrder } from '../../replay/in-order.ts';
import { type Plan, planReplay } from '../../replay/plan.ts';
import { createHotel, type Target, TIMEZONE } from '../../replay/property.ts';

/** Fees besides taxes, so that every part of a total occurs; rooms may be held by bookings without a card. */
const POLICIES = { feePerNight: 1.5, feePerPersonNight: 0.75, depositPercent: 30, maxHeldPercent: 100 };
const BOOKINGS_OF_A_DAY = 40;
const AT_ONCE = 4;
/** A day of the hotel: guests leave before the check-out time, the last ones arrive in the evening. */
const HOURS = { morning: '10:00', first: '11:00', afternoon: '14:30', evening: '21:30' } as const;
/** What is done in the background after a mishap may be a round late: an audit that differs is made again. */
const AUDIT_TRIES = 12;
const AUDIT_AGAIN_MS = 5_000;

/** A business day that has closed. */
export type ClosedDay = {
  propertyId: string;
  day: string;
  cents: number;
  findings: number;
  cells: number;
  violations: number;
  oversold: number;
  comparedAmounts: number;
  comparedCells: number;
  /** Audits until nothing differed. */
  tries: number;
  first: readonly string[];
};

type Due = { at: Instant; event: DayEvent };

/** The moment at which a day of the hotels begins. */
export const morningOf = (day: Day): Instant => instantAt(day, HOURS.morning, TIMEZONE);

/** A hotel whose guests come at their hours, with books of its own that the service's are compared with. */
export class LivingHotel {
  readonly desk: Desk;
  readonly target: Target;
  readonly #plan: Plan;
  readonly #days: ReadonlyMap<Day, SimulatedDay>;
  #due: Due[] = [];
  #today: Day;
  #sent = 0;

  private constructor(target: Target, plan: Plan, today: Day) {
    this.target = target;
    this.desk = new Desk(target, target.propertyId);
    this.#plan = plan;
    this.#days = new Map(simulatedDays(plan).map((one) => [one.day, one]));
    this.#today = today;
  }

  /** @param days that guests are planned for */
  static async open(target: Target, today: Day, days: number): Promise<LivingHotel> {
    const plan = planReplay(madeUpBookings(days * BOOKINGS_OF_A_DAY, days), today);
    await createHotel(plan, target, POLICIES);
    return new LivingHotel(target, plan, today);
  }

  /** Guests leave, rooms are cleaned, and the others get their hours. */
  async beginDay(day: Day): Promise<void> {
    this.#today = day;
    const { departures = [], others = [] } = this.#days.get(day) ?? {};
    await this.#play(departures);
    await cleanRooms(this.target);
    this.#due = scheduled(day, others);
  }

  /** Everything that is due by a moment. */
  async workUntil(now: Instant): Promise<void> {
    const events = this.#due.filter(({ at }) => at <= now).map(({ event }) => event);
    this.#due = this.#due.filter(({ at }) => at > now);
    await this.#play(events);
  }

  /** Closes the day before `today`: what the service says is compared with the own books, to the cent and the cell. */
  async close(today: Day): Promise<ClosedDay> {
    await this.workUntil(Infinity);
    this.desk.ledger.rolled(today);
    for (let tries = 1; ; tries += 1) {
      const closed = await this.#audit(today, tries);
      const isClean = closed.cents + closed.findings + closed.cells + closed.violations + closed.oversold === 0;
      if (isClean || tries === AUDIT_TRIES) return closed;
      await pause(AUDIT_AGAIN_MS);
    }
  }

  async #audit(today: Day, tries: number): Promise<ClosedDay> {
    const { ledger } = this.desk;
    const { findings } = ledger;
    // What answers differed by while the day went on, and what the audit finds, once.
    const before = { cents: findings.cents, count: findings.count, first: [...findings.first] };
    const compared = findings.compared;
    const money = await auditMoney(ledger, this.target);
    const rooms = await auditProperty(this.#plan, today, this.target, ledger.cells());
    const closed = {
      propertyId: this.target.propertyId,
      day: formatDay(today - 1),
      cents: money.cents,
      findings: money.findings.count,
      cells: rooms.differences.length,
      violations: rooms.violations.length,
      oversold: rooms.oversold.length,
      comparedAmounts: findings.compared - compared,
      comparedCells: rooms.cells,
      tries,
      first: [
        ...money.findings.first,
        ...[...rooms.differences, ...rooms.violations, ...rooms.oversold].map((one) => JSON.stringify(one)),
      ].slice(0, 5),
    };
    Object.assign(findings, { cents: before.cents, count: before.count });
    findings.first.splice(0, Infinity, ...before.first);
    return closed;
  }

  async #play(events: readonly DayEvent[]): Promise<void> {
    await playInOrder(events, AT_ONCE, (event) => this.desk.play(event, this.#today, String(++this.#sent)));
  }
}

/**
 * Hours for the events of a day, evenly. Those of one booking come together, since an unpaid one is held for a quarter
 * of an hour; what ends a booking comes before guests may arrive.
 */
export function scheduled(day: Day, events: readonly DayEvent[]): { at: Instant; event: DayEvent }[] {
  const bookings = [...Map.groupBy(events, ({ planned }) => planned.booking.row).values()];
  const at = (hour: string): Instant => instantAt(day, hour, TIMEZONE);
  const isEarly = (all: readonly DayEvent[]): boolean =>
    all.some(({ kind }) => kind === 'cancel' || kind === 'noShow');
  const spread = (all: readonly (readonly DayEvent[])[], until: Instant): Due[] =>
    all.flatMap((one, n) =>
      one.map((event) => ({ at: at(HOURS.first) + ((until - at(HOURS.first)) * n) / all.length, event })),
    );
  return [
    ...spread(bookings.filter(isEarly), at(HOURS.afternoon)),
    ...spread(
      bookings.filter((all) => !isEarly(all)),
      at(HOURS.evening),
    ),
  ].toSorted((one, other) => one.at - other.at);
}
