/** What a message says of nights of a line; both days inclusive. */
export type Value = {
  externalRoom: string;
  externalRate: string;
  from: string;
  to: string;
  availability?: number;
  rate?: number;
  currency?: string;
  /** Those that have changed. */
  restrictions?: {
    closed?: boolean;
    closedToArrival?: boolean;
    closedToDeparture?: boolean;
    minStay?: number;
    maxStay?: number | null;
  };
};
type Night = Pick<Value, 'availability' | 'rate' | 'currency' | 'restrictions'>;

const DAY_MS = 86_400_000;
/** Longest range of nights that is taken. */
const MAX_NIGHTS = 1_000;

/** Dates from the first to the last one; none for what is no range. */
function datesOf(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (!(count >= 1 && count <= MAX_NIGHTS)) return [];
  return Array.from({ length: count }, (_, n) => new Date(Date.parse(from) + n * DAY_MS).toISOString().slice(0, 10));
}

/** Nights of the lines that a channel sells. A real one has a database in its place. */
export class Nights {
  readonly #lines: ReadonlySet<string>;
  readonly #nights = new Map<string, Night>();

  /** @param lines `room/rate`, as the channel calls them */
  constructor(lines: readonly string[]) {
    this.#lines = new Set(lines);
  }

  /**
   * Stores the values of a message: only members that a value has, so that others stay as they are. A value that comes
   * twice changes nothing.
   * @returns those that it does not take, by their place in the message
   */
  take(values: readonly Value[]): { index: number; reason: string }[] {
    return values.flatMap((value, index) => {
      const { externalRoom, externalRate, availability, rate, currency, restrictions } = value;
      const line = `${externalRoom}/${externalRate}`;
      if (!this.#lines.has(line)) return { index, reason: 'UNKNOWN_LINE' };
      const dates = datesOf(value.from, value.to);
      if (dates.length === 0) return { index, reason: 'NO_DATES' };
      for (const date of dates) {
        const night = this.#nights.get(`${line} ${date}`);
        this.#nights.set(`${line} ${date}`, {
          ...night,
          ...(availability !== undefined && { availability }),
          ...(rate !== undefined && { rate, currency }),
          ...(restrictions && { restrictions: { ...night?.restrictions, ...restrictions } }),
        });
      }
      return [];
    });
  }

  of(line: string, date: string): Night {
    return this.#nights.get(`${line} ${date}`) ?? {};
  }

  /** Everything that it has of some nights, in the form in which it was sent. */
  between(from: string, to: string): Value[] {
    return [...this.#lines].flatMap((line) => {
      const [externalRoom = '', externalRate = ''] = line.split('/');
      return datesOf(from, to).flatMap((date) => {
        const night = this.#nights.get(`${line} ${date}`);
        return night ? { externalRoom, externalRate, from: date, to: date, ...night } : [];
      });
    });
  }
}
