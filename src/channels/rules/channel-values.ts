import type { Day } from '../../kernel/rules/dates.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { PlanNight } from '../../rates/rules/queries.ts';
import type { ChannelLine, ChannelRestrictions, ChannelRun, ChannelValue } from './channel.ts';

/** Nights from the business date on that a channel is sent. */
export const CHANNEL_NIGHTS = 500;
/** Runs of one message: about 4 MB. */
const MAX_RUNS = 25_000;
/** Pause before a value that was not taken is sent again unchanged. */
const REJECTED_MS = 300_000;

const MEMBERS = ['availability', 'rate', 'restrictions'] as const;
type Member = (typeof MEMBERS)[number];
const LIMITS = [
  'closed',
  'closedToArrival',
  'closedToDeparture',
  'minStay',
  'maxStay',
] as const satisfies (keyof ChannelRestrictions)[];

/** A line with what may be sent of it. */
export type MappedLine = ChannelLine & {
  hasAvailability: boolean;
  hasRates: boolean;
  minRate?: Minor;
  maxRate?: Minor;
};

/** Values of nights. */
type NightValues = ReadonlyMap<Day, ChannelValue>;

/**
 * What a channel has of a line: what it has taken, and what it did not take, with the time of that. Of {@link DOUBTFUL}
 * values nobody knows: they were sent and not answered, or taken and perhaps lost.
 */
export type KnownLine = ChannelLine & {
  taken: NightValues;
  rejected: ReadonlyMap<Day, ChannelValue & { at: number }>;
};

/** The time of values that a channel may have or not. They are sent again, whatever is wanted by then. */
const DOUBTFUL = 0;

/** What a line should have: an absent member is not sent. */
export type WantedLine = { line: ChannelLine; nights: NightValues };

/** What a channel should have of a line by the state of the property. */
export function wantedNights(line: MappedLine, nights: readonly PlanNight[]): WantedLine {
  const { hasAvailability, hasRates, minRate = 0, maxRate = Infinity, ...of } = line;
  const wanted = new Map<Day, ChannelValue>();
  for (const { day, available, rate, maxStay, closed, closedToArrival, closedToDeparture, minStay } of nights) {
    const limits = { closed, closedToArrival, closedToDeparture, minStay };
    wanted.set(day, {
      ...(hasAvailability && {
        availability: available,
        restrictions: { ...limits, maxStay: Number.isFinite(maxStay) ? maxStay : 0 },
      }),
      ...(hasRates && rate !== null && { rate: Math.max(minRate, Math.min(maxRate, rate)) }),
    });
  }
  return { line: of, nights: wanted };
}

const CLOSED = { closed: true, closedToArrival: false, closedToDeparture: false, minStay: 1, maxStay: 0 } as const;
const STOPPED: ChannelValue = { availability: 0, restrictions: CLOSED };

/** A line that is mapped no more: what the channel has of it is closed. */
export function closedNights({ taken, rejected, ...line }: KnownLine, from: Day): WantedLine {
  const doubtful = [...rejected].filter(([, { at }]) => at === DOUBTFUL);
  const days = [...taken, ...doubtful]
    .filter(([day, { availability }]) => day >= from && availability !== undefined)
    .map(([day]) => day);
  // Nights in order: those in a row become one run.
  return { line, nights: new Map(days.toSorted((a, b) => a - b).map((day) => [day, STOPPED])) };
}

/** Nights on which a channel may sell more than there is, closed; what is sent first where it was out of reach. */
export function stopSell({ line, nights }: WantedLine, known: KnownLine | undefined): WantedLine {
  const stopped = [...nights].filter(([day, { availability }]) => {
    const rejected = known?.rejected.get(day);
    const doubtful = rejected?.at === DOUBTFUL ? rejected.availability : undefined;
    const has = Math.max(known?.taken.get(day)?.availability ?? 0, doubtful ?? 0);
    return availability !== undefined && has > availability;
  });
  return { line, nights: new Map(stopped.map(([day]) => [day, STOPPED])) };
}

/**
 * Runs that a channel does not have: of each night the members that differ from what it has taken, nights with the
 * same values together. What it did not take before is left out for five minutes, unless it has changed.
 */
export function missingRuns(
  wanted: readonly WantedLine[],
  known: (line: ChannelLine) => KnownLine | undefined,
  now: number,
): ChannelRun[] {
  const runs: ChannelRun[] = [];
  for (const { line, nights } of wanted) {
    const has = known(line);
    let run: ChannelRun | undefined;
    for (const [day, value] of nights) {
      const missing = missingOf(value, has?.taken.get(day), has?.rejected.get(day), now);
      if (!missing) continue;
      if (run && run.to === day - 1 && MEMBERS.every((member) => isSame(member, run!, missing))) run.to = day;
      else runs.push((run = { ...line, ...missing, from: day, to: day }));
    }
    if (runs.length >= MAX_RUNS) return runs.slice(0, MAX_RUNS);
  }
  return runs;
}

function missingOf(
  wanted: ChannelValue,
  taken: ChannelValue = {},
  rejected: (ChannelValue & { at: number }) | undefined,
  now: number,
): ChannelValue | undefined {
  let missing: ChannelValue | undefined;
  const isDoubtful = rejected?.at === DOUBTFUL;
  const waits = rejected && !isDoubtful && now - rejected.at < REJECTED_MS;
  for (const member of MEMBERS) {
    const value = wanted[member];
    if (value === undefined) continue;
    if (isSame(member, wanted, taken) && !(isDoubtful && rejected[member] !== undefined)) continue;
    if (waits && isSame(member, wanted, rejected)) continue;
    missing = { ...missing, [member]: value };
  }
  return missing;
}

function isSame(member: Member, a: ChannelValue, b: ChannelValue): boolean {
  if (member !== 'restrictions') return a[member] === b[member];
  const [one, other] = [a.restrictions, b.restrictions];
  return one === other || (!!one && !!other && LIMITS.every((limit) => one[limit] === other[limit]));
}

/** The members of a run that are values. */
export function valueOf(of: ChannelValue): ChannelValue {
  const value: ChannelValue = {};
  for (const member of MEMBERS) if (of[member] !== undefined) set(value, member, of[member]);
  return value;
}

function set<M extends Member>(value: ChannelValue, member: M, to: ChannelValue[M]): void {
  value[member] = to;
}

/** How many values runs have: one for each member of each night. */
export const countOfValues = (runs: readonly (ChannelValue & { from: Day; to: Day })[]): number =>
  runs.reduce((sum, run) => sum + (run.to - run.from + 1) * Object.keys(valueOf(run)).length, 0);

export const keyOfLine = ({ roomType, ratePlan, externalRoom, externalRate }: ChannelLine): string =>
  [roomType, ratePlan, externalRoom, externalRate].join('\n');

/** What the channel knows a line by. */
export const placeOfLine = ({ externalRoom, externalRate }: ChannelLine): string =>
  [externalRoom, externalRate].join('\n');

/**
 * What a channel has of its lines after it has answered: runs that it took, and runs that it did not. Nights before
 * `first` are forgotten.
 */
export function afterAnswer(
  known: ReadonlyMap<string, KnownLine>,
  { taken, rejected, at }: { taken: readonly ChannelRun[]; rejected: readonly ChannelRun[]; at: number },
  first: Day,
): KnownLine[] {
  const changed = new Map<string, { line: ChannelLine; taken: Map<Day, ChannelValue>; rejected: Rejected }>();
  const lineOf = (run: ChannelLine): { taken: Map<Day, ChannelValue>; rejected: Rejected } => {
    const key = keyOfLine(run);
    const before = known.get(key);
    const found = changed.get(key);
    if (found) return found;
    const { roomType, ratePlan, externalRoom, externalRate } = run;
    const line = { roomType, ratePlan, externalRoom, externalRate };
    const next = { line, taken: from(first, before?.taken), rejected: from(first, before?.rejected) };
    changed.set(key, next);
    return next;
  };
  for (const run of taken) {
    const line = lineOf(run);
    for (let day = run.from; day <= run.to; day++) {
      line.taken.set(day, { ...line.taken.get(day), ...valueOf(run) });
      forget(line.rejected, day, run);
    }
  }
  for (const run of rejected) {
    const line = lineOf(run);
    for (let day = run.from; day <= run.to; day++) {
      const before = line.rejected.get(day);
      // What else is doubtful of the night counts as not taken: a night has one time.
      if (before?.at === DOUBTFUL) line.taken.set(day, without(without(run, before), line.taken.get(day)));
      line.rejected.set(day, { ...(before?.at !== DOUBTFUL && before), ...valueOf(run), at });
    }
  }
  return [...changed.values()].map(({ line, ...values }) => ({ ...line, ...values }));
}

/**
 * Lines of which something becomes doubtful, because a request with these runs is sent: until it is answered, the
 * channel may have them or not. Of several numbers of rooms that it may have, the highest counts.
 */
export function doubtfulAfter(known: ReadonlyMap<string, KnownLine>, runs: readonly ChannelRun[]): KnownLine[] {
  const changed = new Map<string, KnownLine & { rejected: Rejected }>();
  for (const run of runs) {
    const key = keyOfLine(run);
    const { roomType, ratePlan, externalRoom, externalRate } = run;
    const none = { roomType, ratePlan, externalRoom, externalRate, taken: new Map(), rejected: new Map() };
    const before = changed.get(key) ?? known.get(key) ?? none;
    for (let day = run.from; day <= run.to; day++) {
      const value = before.rejected.get(day);
      const next = doubted(value, run);
      if (value?.at === DOUBTFUL && MEMBERS.every((member) => isSame(member, value, next))) continue;
      const line = changed.get(key) ?? { ...before, rejected: new Map(before.rejected) };
      changed.set(key, line);
      line.rejected.set(day, next);
    }
  }
  return [...changed.values()];
}

/** What is doubtful of a night after another value of it: the channel may have the most rooms that it was ever sent. */
function doubted(before: RejectedValue | undefined, value: ChannelValue): RejectedValue {
  const rooms = before?.at === DOUBTFUL ? (before.availability ?? 0) : 0;
  const { availability } = value;
  return {
    ...before,
    ...valueOf(value),
    ...(availability !== undefined && { availability: Math.max(availability, rooms) }),
    at: DOUBTFUL,
  };
}

/** A value without the members that another one has. */
function without(members: ChannelValue, value: ChannelValue = {}): ChannelValue {
  const left = valueOf(value);
  for (const member of MEMBERS) if (members[member] !== undefined) delete left[member];
  return left;
}

type RejectedValue = ChannelValue & { at: number };
type Rejected = Map<Day, RejectedValue>;

const from = <V>(first: Day, nights: ReadonlyMap<Day, V> | undefined): Map<Day, V> =>
  new Map([...(nights ?? [])].filter(([day]) => day >= first));

function forget(rejected: Rejected, day: Day, taken: ChannelValue): void {
  const left = rejected.get(day);
  if (!left) return;
  const { at, ...values } = left;
  for (const member of MEMBERS) if (taken[member] !== undefined) delete values[member];
  if (Object.keys(values).length > 0) rejected.set(day, { ...values, at });
  else rejected.delete(day);
}

/** A line of which its channel cannot say what it has. */
export function allDoubtful({ taken, rejected, ...line }: KnownLine): KnownLine {
  const doubtful: Rejected = new Map([...rejected].filter(([, { at }]) => at === DOUBTFUL));
  for (const [day, value] of taken) doubtful.set(day, doubted(doubtful.get(day), value));
  return { ...line, taken: new Map(), rejected: doubtful };
}

/** A line without what its channel turned out not to have, and on how many nights that is. */
export function withoutDrift(
  known: KnownLine,
  has: NightValues,
  { first, last }: { first: Day; last: Day },
): { line: KnownLine; nights: number } {
  const taken = new Map(known.taken);
  let nights = 0;
  for (const [day, value] of known.taken) {
    if (day < first || day > last) continue;
    const actual = has.get(day) ?? {};
    const same = MEMBERS.filter((member) => value[member] !== undefined && isSame(member, value, actual));
    if (same.length === Object.keys(valueOf(value)).length) continue;
    nights += 1;
    const left: ChannelValue = {};
    for (const member of same) set(left, member, value[member]);
    taken.set(day, left);
  }
  return { line: { ...known, taken }, nights };
}
