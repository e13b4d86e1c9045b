import type { CommandOf } from '../../kernel/rules/commands.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { Code } from '../../kernel/rules/domain-error.ts';
import type { ExtraStock } from '../../money/rules/extra.ts';
import type { Night } from '../../money/rules/night.ts';
import type { Policies } from '../../properties/rules/property.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import type { ReservationStatus } from '../../stay/rules/reservation.ts';
import { DAY } from '../property-world.ts';
import {
  ARRIVAL,
  DAY_END,
  DAY_USE,
  type Entry,
  type LifeCharges,
  type LifePromise,
  type Leaving,
  DEPARTURE,
  HOUR,
  ofGuests,
  PLANS,
  ROLL,
  ROOMS,
  withTaxes,
} from './life-prices.ts';
import {
  bedsOn,
  daysBetween,
  grossOf,
  halfEven,
  type LifePosting,
  movedBeds,
  postedUntil,
  sumOf,
} from './life-sums.ts';

/** State of the model, and its rooms. */
export class LifeState {
  now: number;
  readonly policies: Policies;
  /** Tax and fees of now, and of each night when it was sold. */
  charging: LifeCharges;
  readonly charges = new Map<Day, LifeCharges>();
  readonly base: Record<string, number> = { STD: 10_000, DLX: 15_000 };
  readonly blocked = new Map<string, number>();
  status: ReservationStatus | undefined;
  stay!: Stay;
  nights: Night[] = [];
  /** Prices of its nights, with included taxes. */
  readonly prices = new Map<Day, number>();
  /** Base rates of nights when they were booked, where what the guests add may change. */
  readonly bases = new Map<Day, number>();
  extra: number[] = [];
  /** Postings, and whether they were reversed; cleared with a stay that does not take place. */
  posted = new Map<string, LifePosting>();
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

  /** Price of the night, at which who has booked the day stays on. */
  nightRate?: number;
  /** Business date of the check-in. */
  arrivedOn?: Day;

  /** What an upgrade has added to nights. */
  readonly extras = new Map<Day, { price: number; rate: number; taxes: number }>();
  /** Complimentary nights as they were sold; with all of them the stay is free as a whole, and needs no guarantee. */
  readonly given = new Map<Day, Night>();
  isFree = false;
  /** What of the least it costs was given up with them. */
  forgone = 0;

  /** Day up to which its departure was checked. */
  ticked: Day;

  constructor(policies: Policies, now: number) {
    this.policies = policies;
    this.charging = policies;
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

  /** What its postings come to when it ends on a day. */
  postingsUntil(checkOut: Day): number {
    return postedUntil(this.posted.values(), checkOut);
  }

  /** Extra beds that it has on a night; tonight also when the guest is overdue. */
  beds(day: Day): number {
    const { roomType, checkOut } = this.stay;
    if (!this.has(roomType, this.stay.checkIn)) return 0;
    const last = this.keeps(roomType, day) ? checkOut - 1 : day;
    return bedsOn(this.posted.values(), last, checkOut);
  }

  /** Whether a stay with other dates has a night to come for which beds are missing. */
  lacksBeds(stay: Stay, { BED: stock }: ExtraStock, posted = this.movedTo(stay)): boolean {
    return daysBetween(Math.max(this.today, stay.checkIn), stay.checkOut).some((day) => {
      const wanted = bedsOn(posted.values(), day, stay.checkOut);
      return wanted > this.beds(day) && wanted > stock!;
    });
  }

  /** Its postings when it has other dates: beds are of the whole stay, in house of the nights since they were posted. */
  movedTo({ checkIn }: Stay): LifeState['posted'] {
    return this.status === 'CHECKED_IN' ? this.posted : movedBeds(this.posted, checkIn);
  }

  /** Takes beds for the nights that are left. @returns the error where that is not possible */
  takeBeds({ postingId, unitAmount, quantity, stock }: CommandOf<'POST_CHARGE'>): Code | undefined {
    const from = Math.max(this.today, this.stay.checkIn);
    if (from >= this.stay.checkOut) return 'INVALID_STATE';
    const posting = { amount: unitAmount, isBack: false, beds: { pieces: quantity, from } };
    const posted = new Map(this.posted).set(postingId, posting);
    if (this.lacksBeds(this.stay, { BED: stock! }, posted)) return 'EXTRA_NOT_AVAILABLE';
    this.posted = posted;
    return undefined;
  }

  free(type: string, day: Day): number {
    const own = (this.has(type, day) ? 1 : 0) + (this.keeps(type, day) ? 1 : 0);
    return ROOMS[type]! - (this.blocked.get(`${type} ${day}`) ?? 0) - own;
  }

  /** Nights cost nothing from now on. @returns whether any of them did before */
  makeFree(days: readonly Day[]): boolean {
    const fresh = this.nights.filter(({ day }) => days.includes(day) && !this.given.has(day));
    for (const night of fresh) this.given.set(night.day, night);
    this.nights = this.nights.map((night) => this.charged(night));
    const given = Math.min(this.least, sumOf(fresh.map(grossOf)));
    this.forgone += given;
    this.least -= given;
    this.isFree = this.nights.every(({ day }) => this.given.has(day));
    return fresh.length > 0;
  }

  /** The nights that are left move to another type; what was agreed comes on top of what they cost. */
  moveUp(roomType: string, amount: number): void {
    const from = Math.max(this.stay.checkIn, this.today);
    const raised = (night: Night): Night => {
      if (night.day < from || amount === 0) return night;
      const plain = withTaxes(this.policies.taxes, this.stay, {
        day: night.day,
        rate: amount,
        taxes: halfEven(amount * this.charges.get(night.day)!.taxPercent, 100),
        fees: 0,
      });
      this.extras.set(night.day, { price: amount, rate: plain.rate, taxes: plain.taxes });
      return { ...night, rate: night.rate + plain.rate, taxes: night.taxes + plain.taxes };
    };
    for (const [day, night] of this.given) this.given.set(day, raised(night));
    this.nights = this.nights.map((night) => (this.given.has(night.day) ? night : raised(night)));
    this.stay = { ...this.stay, roomType };
  }

  /** Why what is left of the stay cannot move to DLX, the better of the two types. */
  postCharge({ postingId, unitAmount, quantity, code }: CommandOf<'POST_CHARGE'>): void {
    this.posted.set(postingId, { amount: unitAmount * quantity, isBack: false, isGuestCharge: code === undefined });
  }

  arrive(roomType: string): void {
    this.status = 'CHECKED_IN';
    this.arrivedOn = this.today;
    if (this.stay.dayUse && this.stay.checkIn === this.today) this.nightRate = this.base[this.stay.roomType]!;
    this.stay = { ...this.stay, roomType };
  }

  /** On the day of the check-in, without charges that only a guest in house may have. @returns whether it may be */
  undoArrival(): boolean {
    const stands = [...this.posted.values()].some(({ isGuestCharge, isBack }) => isGuestCharge && !isBack);
    if (this.status !== 'CHECKED_IN' || this.leaving || this.today > this.arrivedOn! || stands) return false;
    this.status = 'CONFIRMED';
    this.nightRate = undefined;
    return true;
  }

  get upgradeFault(): Code | undefined {
    const left = daysBetween(Math.max(this.stay.checkIn, this.today), this.stay.checkOut);
    if (left.length === 0 || this.status === 'PENDING') return 'INVALID_STATE';
    if (this.stay.roomType === 'DLX') return 'WRONG_ROOM_TYPE';
    return left.some((day) => this.free('DLX', day) < 1) ? 'ROOM_NOT_AVAILABLE' : undefined;
  }

  /** What the last night was sold at: who stays on pays that, where nothing else is known. */
  get lastPrice(): number | undefined {
    const last = this.nights.at(-1)!.day;
    const price = this.prices.get(last);
    return price === undefined ? undefined : price + (this.extras.get(last)?.price ?? 0);
  }

  /** The day of day use has ended. */
  isOver({ dayUse, checkIn }: Stay): boolean {
    return dayUse === true && this.now >= checkIn * 24 * HOUR + DAY_END;
  }

  get arrival(): number {
    return this.stay.checkIn * 24 * HOUR + ARRIVAL;
  }

  /** A night as it is sold, with what an upgrade has added to it. */
  withExtra(night: Night): Night {
    const { rate = 0, taxes = 0 } = this.extras.get(night.day) ?? {};
    return { ...night, rate: night.rate + rate, taxes: night.taxes + taxes };
  }

  chargeAgain(): void {
    this.nights = this.nights.map((night) => this.given.get(night.day) ?? night);
    this.least += this.forgone;
    this.given.clear();
    this.forgone = 0;
    this.isFree = false;
  }

  charged(night: Night): Night {
    return this.given.has(night.day) ? { day: night.day, rate: 0, taxes: 0, fees: 0 } : night;
  }

  /** A changed stay, whose nights are given as they are sold: those that were free before stay so. */
  freeAfter(remaining: ReadonlySet<Day>): void {
    for (const day of this.given.keys()) if (!remaining.has(day)) this.given.delete(day);
    for (const day of this.extras.keys()) if (!remaining.has(day)) this.extras.delete(day);
    for (const night of this.nights) if (this.given.has(night.day)) this.given.set(night.day, night);
    this.nights = this.nights.map((night) => this.charged(night));
    this.isFree &&= this.nights.every(({ day }) => this.given.has(day));
    if (this.given.size === 0) this.forgone = 0;
  }

  /** The guest is overdue, and the room is not available to others tonight. */
  keeps(type: string, day: Day): boolean {
    const isHere = this.status === 'CHECKED_IN' && this.stay.roomType === type;
    return isHere && day === this.today && this.stay.checkOut <= day && this.overdue.has(day);
  }

  price(stay: Stay, day: Day, rate?: number, promised: Partial<LifePromise> = {}): Night {
    const { roomType, adults, children, rateCode } = stay;
    const { base = this.base[roomType]!, charging = this.charging } = promised;
    const given = rate ?? (stay.dayUse ? DAY_USE[roomType]! : undefined);
    const sold = given ?? base + ofGuests(stay) + halfEven(base * PLANS[rateCode]!.percent, 100);
    if (given !== undefined) this.bases.delete(day);
    else if (PLANS[rateCode]!.guests) this.bases.set(day, base);
    const fees = charging.feePerNight + charging.feePerPersonNight * (adults + children);
    this.prices.set(day, sold);
    this.charges.set(day, charging);
    return withTaxes(this.policies.taxes, stay, {
      day,
      rate: sold,
      taxes: halfEven(sold * charging.taxPercent, 100),
      fees,
    });
  }

  /** A booked night for other guests or other nights around it; only more guests or another stay make it dearer. */
  priceAgain(before: Stay, stay: Stay, old: Night): Night {
    const { day } = old;
    const sold = this.prices.get(day)!;
    const base = this.bases.get(day);
    const isShorter = stay.checkOut - stay.checkIn < before.checkOut - before.checkIn;
    const mayRise = isShorter || stay.checkIn < before.checkIn || stay.adults > before.adults;
    const wanted = base === undefined ? sold : base + ofGuests(stay);
    // A party that became smaller earlier pays less than its own price: only other guests change that.
    const isDearer = base !== undefined && ofGuests(stay) > ofGuests(before);
    const price = mayRise && isDearer ? wanted : Math.min(wanted, sold);
    const again = this.withExtra(this.price(stay, day, price, { charging: this.charges.get(day)! }));
    if (base !== undefined) this.bases.set(day, base);
    return again;
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
    if (this.status !== 'CHECKED_IN') return false;
    const { dayUse, checkIn, checkOut } = this.stay;
    return (dayUse ? checkIn : checkOut) < this.today;
  }
}
