/** What a channel stores of a night of a line: amounts in minor units, a longest stay of 0 is no limit. */
export type StoredNight = {
  availability?: number;
  rate?: number;
  closed?: boolean;
  closedToArrival?: boolean;
  closedToDeparture?: boolean;
  minStay?: number;
  maxStay?: number;
};

/** One value of a message, both days inclusive, as numbers of days since 1970. */
export type ReadValue = {
  /** Place in the message: index of generic-json, `LocatorID` of OTA. */
  place: number;
  room: string;
  rate: string;
  from: number;
  to: number;
  members: StoredNight;
  /** Why it is not taken. */
  fault?: string;
};

export type ReadMessage = { messageId: string; propertyId: string; values: ReadValue[] };

/** What a strict reader makes of a body: the message, or a code that says why there is none; and what it objects to. */
export type ReadBody = { violations: string[] } & ({ message: ReadMessage } | { fault: string });

/** What the channel knows: lines are `room/rate`. */
export type Catalogue = { lines: readonly string[]; currency: string };

const DAY_MS = 86_400_000;

/** Days since 1970; `undefined` for what is no date. */
export function dayIn(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.parse(text) / DAY_MS;
  return Number.isInteger(day) && dateOf(day) === text ? day : undefined;
}

export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Minor units of a decimal text; `undefined` for more than two places, no number, or less than nothing. */
export const minorIn = (text: string): number | undefined =>
  /^\d{1,9}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : undefined;

/** Longest that a channel looks ahead, in nights. */
const MAX_NIGHTS = 760;

/** What of a value no channel takes, whatever its protocol. */
export function faultOf({ room, rate, from, to }: ReadValue, { lines }: Catalogue): string | undefined {
  if (!lines.includes(`${room}/${rate}`)) return 'UNKNOWN_LINE';
  if (from > to) return 'DATES_REVERSED';
  return to - from >= MAX_NIGHTS ? 'TOO_FAR' : undefined;
}

/**
 * What the certification lists object to in a message that can be read: a night that is there twice with the same
 * member, and nights in a row with the same value that are not one value.
 */
export function composition(values: readonly ReadValue[]): string[] {
  const violations: string[] = [];
  const seen = new Set<string>();
  const ends = new Map<string, string>();
  for (const { room, rate, from, to, members } of values) {
    const same = JSON.stringify(members);
    const kind = Object.keys(members).join();
    if (ends.get(`${room}/${rate}/${kind}/${from - 1}`) === same)
      violations.push(`NOT_BUNDLED ${room}/${rate} ${dateOf(from)}`);
    ends.set(`${room}/${rate}/${kind}/${to}`, same);
    for (let day = from; day <= Math.min(to, from + MAX_NIGHTS); day += 1)
      for (const member of Object.keys(members)) {
        const cell = `${room}/${rate}/${day}/${member}`;
        if (seen.has(cell)) violations.push(`TWICE ${room}/${rate} ${dateOf(day)} ${member}`);
        seen.add(cell);
      }
  }
  return violations;
}
