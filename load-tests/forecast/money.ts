import type { Day } from '../../src/kernel/rules/dates.ts';
import { sum } from '../../src/kernel/rules/figures.ts';
import { type Minor, negated } from '../../src/kernel/rules/money.ts';
import type { RateNight } from '../../src/rates/rules/queries.ts';
import type { DemandForecast } from '../../src/revenue/rules/forecast/demand-forecast.ts';
import { ratesToCome, revenueOfNight } from '../../src/revenue/rules/forecast/night-revenue.ts';
import { OnTheBooks } from '../../src/revenue/rules/forecast/on-the-books.ts';
import type { RealBooking } from '../replay/bookings.ts';

/** Days of sale, and nights on each side, whose bookings say what a night costs today. */
const SEEN = { days: 28, around: 7, leastRoomNights: 5 };
/** Days back to the same weekday of the year before. */
const YEAR_OF_WEEKS = 364;
const YEAR = 365;
/** Nights over which the service reads prices beside each other. */
const READ_NIGHTS = 90;

/** Rooms of a type by night: on the books, and as they were booked, cancelled later or not. */
type TypeBooks = { stayed: OnTheBooks; booked: OnTheBooks; paid: OnTheBooks };

/**
 * Revenue of the nights of a file as it was known at the end of each day. The file has what each booking paid a night
 * in the end, and no price list: what a room type costs on a day is what its bookings of the last four weeks pay for
 * the nights around.
 */
export class MoneyOfStays {
  /** Room revenue on the books. */
  readonly revenue: OnTheBooks;
  /** What guests who arrived have paid. */
  readonly earned: ReadonlyMap<Day, Minor>;
  readonly #rooms: OnTheBooks;
  readonly #types: ReadonlyMap<string, TypeBooks>;
  #rates: { moment: Day; until: Day; byNight: Map<Day, Minor> } | undefined;

  /** @param rooms on the books, of the same bookings */
  constructor(bookings: readonly RealBooking[], rooms: OnTheBooks, lastNight: Day) {
    const earned = new Map<Day, Minor>();
    const revenue = new OnTheBooks([], lastNight);
    const types = new Map<string, TypeBooks>();
    for (const { roomType, arrival, nights, leadDays, adr, outcome, outcomeDay } of byBookingDay(bookings)) {
      const moment = arrival - leadDays;
      const type = types.get(roomType) ?? emptyType();
      types.set(roomType, type);
      for (let night = arrival; night < Math.min(arrival + nights, lastNight + 1); night += 1) {
        revenue.add({ moment, night, rooms: adr });
        type.booked.add({ moment, night, rooms: 1 });
        type.paid.add({ moment, night, rooms: adr });
        type.stayed.add({ moment, night, rooms: 1 });
        if (outcome === 'Check-Out') earned.set(night, (earned.get(night) ?? 0) + adr);
        else {
          const gone = Math.max(moment, outcomeDay);
          revenue.add({ moment: gone, night, rooms: negated(adr) });
          type.stayed.add({ moment: gone, night, rooms: -1 });
        }
      }
    }
    this.revenue = revenue;
    this.earned = earned;
    this.#types = types;
    this.#rooms = rooms;
  }

  /** What the service says of a night: rooms by its forecast, money by what is on the books and today's prices. */
  forecast(night: Day, moment: Day, forecast: DemandForecast): { adr: Minor; revenue: Minor } {
    const booked = this.#rooms.known(night, moment);
    const revenue = this.revenue.known(night, moment);
    const rateToCome = this.#ratesToCome(moment, night).get(night);
    return revenueOfNight(forecast, { booked, revenue, rateToCome }) ?? { adr: 0, revenue: 0 };
  }

  /** Mean rate of the rooms on the books; of the night a year before where there is none. */
  adrOnBooks(night: Day, moment: Day): Minor {
    const rooms = this.#rooms.known(night, moment);
    if (rooms > 0) return this.revenue.known(night, moment) / rooms;
    return this.adrOf(night - YEAR_OF_WEEKS, moment);
  }

  /** Mean rate of a night that is over, or of its rooms on the books. */
  adrOf(night: Day, moment: Day): Minor {
    const rooms = this.#rooms.known(night, moment);
    return rooms > 0 ? this.revenue.known(night, moment) / rooms : 0;
  }

  #ratesToCome(moment: Day, night: Day): Map<Day, Minor> {
    const until = Math.max(night, moment + READ_NIGHTS - 1);
    if (this.#rates?.moment !== moment || this.#rates.until < until) {
      const revenueOf = (of: Day): Minor => this.revenue.known(of, moment);
      this.#rates = { moment, until, byNight: ratesToCome(this.#rateNights(moment, until), revenueOf) };
    }
    return this.#rates.byNight;
  }

  #rateNights(moment: Day, until: Day): RateNight[] {
    return [...this.#types].flatMap(([roomType, books]) => {
      const past = Array.from({ length: YEAR }, (_, n) => books.stayed.known(moment - YEAR + n, moment));
      const total = past.reduce((one, other) => Math.max(one, other), 0);
      const nights: RateNight[] = [];
      for (let day = moment; day <= until; day += 1) {
        const booked = books.stayed.known(day, moment);
        const capacity = Math.max(total, booked);
        const rate = Math.round(seenPrice(books, day, moment));
        nights.push({ roomType, day, total: capacity, capacity, booked, rate, low: rate, high: rate, expected: 0 });
      }
      return nights;
    });
  }
}

const emptyType = (): TypeBooks => {
  return { stayed: new OnTheBooks([]), booked: new OnTheBooks([]), paid: new OnTheBooks([]) };
};

function byBookingDay(bookings: readonly RealBooking[]): RealBooking[] {
  return bookings.toSorted((one, other) => one.arrival - one.leadDays - (other.arrival - other.leadDays));
}

/** What a type costs for a night on a day, by its bookings until then; 0 where none says it. */
function seenPrice(books: TypeBooks, night: Day, moment: Day): Minor {
  return (
    meanPaid(books, night, moment, moment - SEEN.days) ??
    meanPaid(books, night, moment) ??
    meanPaid(books, night - YEAR_OF_WEEKS, moment) ??
    0
  );
}

/** Mean rate of what was booked after one day and until another for the nights around one. */
function meanPaid({ booked, paid }: TypeBooks, night: Day, until: Day, after = -Infinity): Minor | undefined {
  const around = Array.from({ length: 2 * SEEN.around + 1 }, (_, n) => night - SEEN.around + n);
  const rooms = sum(around, (one) => booked.known(one, until) - booked.known(one, after));
  if (rooms < SEEN.leastRoomNights) return undefined;
  return sum(around, (one) => paid.known(one, until) - paid.known(one, after)) / rooms;
}
