import type { Day } from '../../kernel/rules/dates.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Policies } from '../../properties/rules/property.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { ReservationStatus } from '../../stay/rules/reservation.ts';
import { DAY } from '../property-world.ts';
import { type Entry, type Leaving, DEPARTURE, HOUR, ROLL, ROOMS } from './life-prices.ts';

/** State of the model, and its rooms. */
export class LifeState {
  now: number;
  readonly policies: Policies;
  readonly base: Record<string, number> = { STD: 10_000, DLX: 15_000 };
  readonly blocked = new Map<string, number>();
  status: ReservationStatus | undefined;
  stay!: Stay;
  nights: Night[] = [];
  /** Prices of its nights, with included taxes. */
  readonly prices = new Map<Day, number>();
  extra: number[] = [];
  /** Postings, and whether they were reversed; cleared with a stay that does not take place. */
  posted = new Map<string, { amount: number; isBack: boolean }>();
  /** Nights given back by a guest in house, and the retained amounts. */
  back: Night[] = [];
  retained: number[] = [];
  paid = 0;
  book: Entry[] = [];
  penalty = 0;
  /** Minimum price of the stay, from earlier changes. */
  least = 0;
  /** Goodwill, limited to the price of the stay, also of a finished one. */
  credited = 0;
  /** Part of it by which the account of a company has less to pay. */
  creditedToAccount = 0;
  /** Refunds that no card accepted, and those paid out by hand. */
  readonly byHand = new Set<string>();
  readonly paidOut = new Set<string>();
  /** Refund of a cancel or a no-show, and the amount paid before it. */
  ended:
    | {
        refund: number;
        before: number;
        asked: boolean;
        on: Day;
        at: number;
        credited: number;
        posted: LifeState['posted'];
      }
    | undefined;
  /** Expiry of the hold on its rooms; booked when there is none. */
  until: number | undefined;
  leaving: Leaving | undefined;
  /** Payer of what the guest has not paid: an accepted card, or an account. */
  backing: 'CARD' | 'ACCOUNT' | undefined;
  /** Part of a penalty still to be charged to the card. */
  owing: Entry | undefined;
  /** Waived part of that. */
  dropped = 0;
  /** Prices of overstayed nights at the time of posting; the last one is tonight. */
  readonly overdue = new Map<Day, number>();

  /** Day up to which its departure was checked. */
  ticked: Day;

  constructor(policies: Policies, now: number) {
    this.policies = policies;
    this.now = now;
    this.ticked = this.today;
  }

  get today(): Day {
    return Math.max(DAY, Math.floor((this.now - ROLL) / (24 * HOUR)));
  }

  /** Its own rooms, booked or held, of each night from today on. */
  has(type: string, day: Day): boolean {
    const over = this.status === 'CANCELLED' || this.status === 'NO_SHOW' || this.status === 'CHECKED_OUT';
    if (this.status === undefined || over) return false;
    return this.stay.roomType === type && day >= this.stay.checkIn && day < this.stay.checkOut;
  }

  free(type: string, day: Day): number {
    const own = (this.has(type, day) ? 1 : 0) + (this.keeps(type, day) ? 1 : 0);
    return ROOMS[type]! - (this.blocked.get(`${type} ${day}`) ?? 0) - own;
  }

  /** The guest is overdue, and the room is not available to others tonight. */
  keeps(type: string, day: Day): boolean {
    const isHere = this.status === 'CHECKED_IN' && this.stay.roomType === type;
    return isHere && day === this.today && this.stay.checkOut <= day && this.overdue.has(day);
  }

  /** The property checks its clock. */
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

  get missed(): boolean {
    return this.status === 'CONFIRMED' && this.stay.checkIn < this.today;
  }

  /** Paid, never confirmed, and the arrival night is over. */
  get unconfirmed(): boolean {
    return this.status === 'PENDING' && this.until === undefined && this.stay.checkIn < this.today;
  }

  /** In house, and the night after the planned departure is over. */
  get overstays(): boolean {
    return this.status === 'CHECKED_IN' && this.stay.checkOut < this.today;
  }
}
