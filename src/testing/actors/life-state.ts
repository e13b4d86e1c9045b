import type { Day } from '../../kernel/rules/dates.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Policies } from '../../properties/rules/property.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { ReservationStatus } from '../../stay/rules/reservation.ts';
import { DAY } from '../property-world.ts';
import { type Entry, type Leaving, DEPARTURE, HOUR, ROLL, ROOMS } from './life-prices.ts';

/** What a life is at a moment, and which rooms it has. */
export class LifeState {
  now: number;
  readonly policies: Policies;
  readonly base: Record<string, number> = { STD: 10_000, DLX: 15_000 };
  readonly blocked = new Map<string, number>();
  status: ReservationStatus | undefined;
  stay!: Stay;
  nights: Night[] = [];
  /** What its nights were sold at, with the taxes in it. */
  readonly prices = new Map<Day, number>();
  extra: number[] = [];
  /** What was posted, and whether it was taken back; it ends with a stay that does not take place. */
  posted = new Map<string, { amount: number; isBack: boolean }>();
  /** Nights given back by a guest in house, and what the property retains of them. */
  back: Night[] = [];
  retained: number[] = [];
  paid = 0;
  book: Entry[] = [];
  penalty = 0;
  /** What the stay costs at least, since a cancel before a change would have cost it. */
  least = 0;
  /** What was given up for good will, which counts up to what the stay costs, or of a stay that took place. */
  credited = 0;
  /** Refunds that no card took back, and those that were paid out by hand. */
  readonly byHand = new Set<string>();
  readonly paidOut = new Set<string>();
  /** What came back of a cancel or a no-show, and what had been paid before it. */
  ended:
    | { refund: number; before: number; asked: boolean; on: Day; credited: number; posted: LifeState['posted'] }
    | undefined;
  /** Until when its rooms are held; booked when there is none. */
  until: number | undefined;
  leaving: Leaving | undefined;
  /** Who pays what the guest has not: a card that was taken, or an account. */
  backing: 'CARD' | 'ACCOUNT' | undefined;
  /** What of a penalty the card is yet to pay. */
  owing: Entry | undefined;
  /** What of that was waived. */
  dropped = 0;
  /** What nights cost for which he has not left in time, as of when that was seen; the last one is tonight. */
  readonly overdue = new Map<Day, number>();

  /** Up to when its departure was looked at. */
  ticked: Day;

  constructor(policies: Policies, now: number) {
    this.policies = policies;
    this.now = now;
    this.ticked = this.today;
  }

  get today(): Day {
    return Math.max(DAY, Math.floor((this.now - ROLL) / (24 * HOUR)));
  }

  /** Rooms of each night from today on that are its own: booked, or held. */
  has(type: string, day: Day): boolean {
    const over = this.status === 'CANCELLED' || this.status === 'NO_SHOW' || this.status === 'CHECKED_OUT';
    if (this.status === undefined || over) return false;
    return this.stay.roomType === type && day >= this.stay.checkIn && day < this.stay.checkOut;
  }

  free(type: string, day: Day): number {
    const own = (this.has(type, day) ? 1 : 0) + (this.keeps(type, day) ? 1 : 0);
    return ROOMS[type]! - (this.blocked.get(`${type} ${day}`) ?? 0) - own;
  }

  /** He should have left, and his room is not there for others tonight. */
  keeps(type: string, day: Day): boolean {
    const isHere = this.status === 'CHECKED_IN' && this.stay.roomType === type;
    return isHere && day === this.today && this.stay.checkOut <= day && this.overdue.has(day);
  }

  /** The property looks at its clock. */
  tick(): void {
    const note = (day: Day): void => {
      if (!this.overdue.has(day)) this.overdue.set(day, this.base[this.stay.roomType]!);
    };
    const { today, status } = this;
    if (status === 'CHECKED_IN') {
      for (let day = Math.max(this.stay.checkOut, this.ticked); day < today; day++) note(day);
      const isLate = this.now >= today * 24 * HOUR + DEPARTURE;
      if (this.stay.checkOut < today || (isLate && this.stay.checkOut === today)) note(today);
    }
    this.ticked = today;
  }

  /** In house, and the night since his departure is over. */
  get overstays(): boolean {
    return this.status === 'CHECKED_IN' && this.stay.checkOut < this.today;
  }
}
