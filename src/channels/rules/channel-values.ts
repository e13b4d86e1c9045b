import type { Day } from '../../kernel/rules/dates.ts';
import { pickDefined } from '../../kernel/rules/members.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { PlanNight } from '../../rates/rules/queries.ts';
import type { ChannelLine, ChannelRestrictions, ChannelRun, ChannelValue } from './channel.ts';

/** Nights from the business date on that a channel is sent. */
export const CHANNEL_NIGHTS = 500;
/** Runs of one message: about 4 MB. */
export const MAX_RUNS = 25_000;
/** Pause before a value that was not taken is sent again unchanged. */
const REJECTED_MS = 300_000;

const MEMBERS = ['availability', 'rate', 'currency', 'restrictions'] as const;
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
  currency?: string;
};

/** Values of nights. */
type NightValues = ReadonlyMap<Day, ChannelValue>;

/** What a channel has of a line. */
export type KnownLine = ChannelLine & {
  /** What it has taken, for all that is known. */
  taken: NightValues;
  /** What it did not take, with the time of that. */
  rejected: ReadonlyMap<Day, RejectedValue>;
  /**
   * What it may have or not: it was sent and not answered, or taken and perhaps lost. That is sent again, whatever is
   * wanted by then.
   */
  doubtful: NightValues;
};
type RejectedValue = ChannelValue & { at: number };

/** What a line should have: an absent member is not sent. */
export type WantedLine = { line: ChannelLine; nights: NightValues };

/** What a channel should have of a line by the state of the property. */
export function wantedNights(line: MappedLine, nights: readonly PlanNight[]): WantedLine {
  const { hasAvailability, hasRates, minRate = 0, maxRate = Infinity, currency, ...of } = line;
  const wanted = new Map<Day, ChannelValue>();
  for (const { day, available, rate, maxStay, closed, closedToArrival, closedToDeparture, minStay } of nights) {
    const limits = { closed, closedToArrival, closedToDeparture, minStay };
    wanted.set(day, {
      ...(hasAvailability && {
        availability: available,
        restrictions: { ...limits, maxStay: Number.isFinite(maxStay) ? maxStay : 0 },
      }),
      ...(hasRates && rate !== null && rateIn(Math.max(minRate, Math.min(maxRate, rate)), currency)),
    });
  }
  return { line: of, nights: wanted };
}

/** A rate in its currency, where that is known. */
export const rateIn = (rate: Minor, currency: string | undefined): ChannelValue => ({
  rate,
  ...(currency !== undefined && { currency }),
});

const STOPPED: ChannelValue = { availability: 0, restrictions: { closed: true } };

/** A line that is mapped no more: what the channel has of it is closed. */
export function closedNights({ taken, doubtful, ...line }: KnownLine, from: Day): WantedLine {
  const days = [...taken, ...doubtful]
    .filter(([day, { availability }]) => day >= from && availability !== undefined)
    .map(([day]) => day);
  // Nights in order: those in a row become one run.
  return { line: lineIn(line), nights: new Map(days.toSorted((a, b) => a - b).map((day) => [day, STOPPED])) };
}

/** Nights on which a channel may sell more than there is, closed; what is sent first where it was out of reach. */
export function stopSell({ line, nights }: WantedLine, known: KnownLine | undefined): WantedLine {
  const stopped = new Map<Day, ChannelValue>();
  for (const [day, { availability }] of nights) {
    const taken = known?.taken.get(day)?.availability ?? 0;
    const doubtful = known?.doubtful.get(day)?.availability ?? 0;
    if (availability !== undefined && Math.max(taken, doubtful) > availability) stopped.set(day, STOPPED);
  }
  return { line, nights: stopped };
}

/**
 * Runs that a channel does not have: of each night the members that differ from what it has taken, of restrictions each
 * one for itself, nights with the same values together. What it did not take before is left out for five minutes, unless it has changed.
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
      const missing = missingOf(value, has, day, now);
      if (!missing) continue;
      if (run && run.to === day - 1 && isSameValue(run, missing)) run.to = day;
      else runs.push((run = { ...line, ...missing, from: day, to: day }));
    }
    if (runs.length >= MAX_RUNS) return runs.slice(0, MAX_RUNS);
  }
  return runs;
}

function missingOf(
  wanted: ChannelValue,
  known: KnownLine | undefined,
  day: Day,
  now: number,
): ChannelValue | undefined {
  const taken = known?.taken.get(day) ?? NOTHING;
  const doubtful = known?.doubtful.get(day);
  // Most nights of most messages.
  if (!doubtful && isAllOf(wanted, taken)) return undefined;
  return partsMissing(wanted, { taken, doubtful: doubtful ?? NOTHING, rejected: known?.rejected.get(day) }, now);
}

const NOTHING: ChannelValue = {};

/** Whether a channel has taken every member and restriction of a value. */
function isAllOf(wanted: ChannelValue, taken: ChannelValue): boolean {
  if (wanted.availability !== undefined && wanted.availability !== taken.availability) return false;
  if (wanted.rate !== undefined && !isSameRate(wanted, taken)) return false;
  const [limits, has] = [limitsOf(wanted), limitsOf(taken)];
  for (const limit of LIMITS) if (limits[limit] !== undefined && limits[limit] !== has[limit]) return false;
  return true;
}

type Known = { taken: ChannelValue; doubtful: ChannelValue; rejected: RejectedValue | undefined };

function partsMissing(
  wanted: ChannelValue,
  { taken, doubtful, rejected }: Known,
  now: number,
): ChannelValue | undefined {
  let missing: ChannelValue | undefined;
  const waits = rejected && now - rejected.at < REJECTED_MS;
  const has: Has<ChannelValue> = { taken, doubtful, waiting: waits ? rejected : {} };
  for (const member of MEMBERS) {
    const value = member === 'restrictions' ? missingLimits(wanted, has) : wanted[member];
    if (value === undefined) continue;
    if (member === 'availability' && isThere(wanted, has, member)) continue;
    if ((member === 'rate' || member === 'currency') && isRateThere(wanted, has)) continue;
    missing = { ...missing, [member]: value };
  }
  return missing;
}

/** What is known of a value, or of its restrictions. */
type Has<V> = { taken: V; doubtful: V; waiting: V };

/** Whether a value need not be sent: it is there beyond doubt, or was not taken a short time ago. */
const isThere = <V extends object>(wanted: V, { taken, doubtful, waiting }: Has<V>, name: keyof V): boolean =>
  doubtful[name] === undefined && (wanted[name] === taken[name] || wanted[name] === waiting[name]);

const isSameRate = (a: ChannelValue, b: ChannelValue): boolean => a.rate === b.rate && a.currency === b.currency;

const isRateThere = (wanted: ChannelValue, { taken, doubtful, waiting }: Has<ChannelValue>): boolean =>
  doubtful.rate === undefined && (isSameRate(wanted, taken) || isSameRate(wanted, waiting));

/** Restrictions that are missing; absent when none is. */
function missingLimits({ restrictions: wanted }: ChannelValue, has: Has<ChannelValue>): Limits | undefined {
  if (!wanted) return undefined;
  const { taken, doubtful, waiting } = has;
  const all = { taken: limitsOf(taken), doubtful: limitsOf(doubtful), waiting: limitsOf(waiting) };
  return limitsWhere(wanted, (limit) => !isThere(wanted, all, limit));
}

type Limits = NonNullable<ChannelValue['restrictions']>;
const NO_LIMITS: Limits = {};
const limitsOf = ({ restrictions = NO_LIMITS }: ChannelValue): Limits => restrictions;

/** Those of the restrictions that are to stay; absent when none is. */
function limitsWhere(of: Limits, stays: (limit: (typeof LIMITS)[number]) => boolean): Limits | undefined {
  const left = LIMITS.filter((limit) => of[limit] !== undefined && stays(limit));
  return left.length > 0 ? pickDefined(of, left) : undefined;
}

function isSame(member: Member, a: ChannelValue, b: ChannelValue): boolean {
  if (member !== 'restrictions') return a[member] === b[member];
  const [one, other] = [limitsOf(a), limitsOf(b)];
  return LIMITS.every((limit) => one[limit] === other[limit]);
}

/** Whether two values say the same, restrictions included. */
export const isSameValue = (a: ChannelValue, b: ChannelValue): boolean =>
  MEMBERS.every((member) => isSame(member, a, b));

/** The members of a run that are values. */
export function valueOf(of: ChannelValue): ChannelValue {
  const value: ChannelValue = {};
  for (const member of MEMBERS) if (of[member] !== undefined) set(value, member, of[member]);
  return value;
}

function set<M extends Member>(value: ChannelValue, member: M, to: ChannelValue[M]): void {
  value[member] = to;
}

/** A value with what another one says of it. */
function merged(before: ChannelValue, value: ChannelValue): ChannelValue {
  const { restrictions } = value;
  return {
    ...before,
    ...valueOf(value),
    ...(restrictions && { restrictions: { ...before.restrictions, ...restrictions } }),
  };
}

/** How many values runs have: one for each member of each night. */
export const countOfValues = (runs: readonly (ChannelValue & { from: Day; to: Day })[]): number =>
  runs.reduce((sum, run) => sum + (run.to - run.from + 1) * sentMembers(run), 0);

const sentMembers = (run: ChannelValue): number =>
  MEMBERS.filter((member) => member !== 'currency' && run[member] !== undefined).length;

export const keyOfLine = ({ roomType, ratePlan, externalRoom, externalRate }: ChannelLine): string =>
  [roomType, ratePlan, externalRoom, externalRate].join('\n');

/** What the channel knows a line by. */
export const placeOfLine = ({
  externalRoom,
  externalRate,
}: Pick<ChannelLine, 'externalRoom' | 'externalRate'>): string => [externalRoom, externalRate].join('\n');

/**
 * What a channel has of its lines after it has answered: runs that it took, and runs that it did not. Nights before
 * `first` are forgotten.
 */
export function afterAnswer(
  known: ReadonlyMap<string, KnownLine>,
  { taken, rejected, at }: { taken: readonly ChannelRun[]; rejected: readonly ChannelRun[]; at: number },
  first: Day,
): KnownLine[] {
  const changed = new Map<string, ChangedLine>();
  const lineOf = (run: ChannelLine): ChangedLine => {
    const key = keyOfLine(run);
    const before = known.get(key);
    const next = changed.get(key) ?? {
      ...lineIn(run),
      taken: from(first, before?.taken),
      rejected: from(first, before?.rejected),
      doubtful: from(first, before?.doubtful),
    };
    changed.set(key, next);
    return next;
  };
  for (const run of taken) {
    const line = lineOf(run);
    for (let day = run.from; day <= run.to; day++) {
      line.taken.set(day, merged(line.taken.get(day) ?? {}, run));
      forget(line.rejected, day, run);
      forget(line.doubtful, day, run);
    }
  }
  for (const run of rejected) {
    const line = lineOf(run);
    for (let day = run.from; day <= run.to; day++) {
      line.rejected.set(day, { ...merged(line.rejected.get(day) ?? {}, run), at });
      forget(line.doubtful, day, run);
    }
  }
  return [...changed.values()];
}

type ChangedLine = ChannelLine & {
  taken: Map<Day, ChannelValue>;
  rejected: Map<Day, RejectedValue>;
  doubtful: Map<Day, ChannelValue>;
};

const lineIn = ({ roomType, ratePlan, externalRoom, externalRate }: ChannelLine): ChannelLine => ({
  roomType,
  ratePlan,
  externalRoom,
  externalRate,
});

/**
 * Lines of which something becomes doubtful, because a request with these runs is sent: until it is answered, the
 * channel may have them or not.
 */
export function doubtfulAfter(known: ReadonlyMap<string, KnownLine>, runs: readonly ChannelRun[]): KnownLine[] {
  const changed = new Map<string, KnownLine & { doubtful: Map<Day, ChannelValue> }>();
  for (const run of runs) {
    const key = keyOfLine(run);
    const none = { ...lineIn(run), taken: new Map(), rejected: new Map(), doubtful: new Map() };
    const before = changed.get(key) ?? known.get(key) ?? none;
    for (let day = run.from; day <= run.to; day++) {
      const value = before.doubtful.get(day) ?? {};
      const next = doubted(value, run);
      if (isSameValue(value, next)) continue;
      const line = changed.get(key) ?? { ...before, doubtful: new Map(before.doubtful) };
      changed.set(key, line);
      line.doubtful.set(day, next);
    }
  }
  return [...changed.values()];
}

/** What is doubtful of a night after another value of it: the channel may have the most rooms that it was ever sent. */
function doubted(before: ChannelValue, value: ChannelValue): ChannelValue {
  const { availability } = value;
  const rooms = availability !== undefined && Math.max(availability, before.availability ?? 0);
  return { ...merged(before, value), ...(rooms !== false && { availability: rooms }) };
}

const from = <V>(first: Day, nights: ReadonlyMap<Day, V> | undefined): Map<Day, V> =>
  new Map([...(nights ?? [])].filter(([day]) => day >= first));

/** Takes members that a value has away from those of a day. */
function forget<V extends ChannelValue>(nights: Map<Day, V>, day: Day, value: ChannelValue): void {
  const before = nights.get(day);
  if (!before) return;
  const left = { ...before };
  for (const member of MEMBERS) if (value[member] !== undefined) delete left[member];
  const others = limitsWhere(limitsOf(before), (limit) => limitsOf(value)[limit] === undefined);
  if (others) left.restrictions = others;
  if (MEMBERS.some((member) => left[member] !== undefined)) nights.set(day, left);
  else nights.delete(day);
}

/** A line of which its channel cannot say what it has. */
export function allDoubtful({ taken, doubtful, ...line }: KnownLine): KnownLine {
  const all = new Map(doubtful);
  for (const [day, value] of taken) all.set(day, doubted(all.get(day) ?? {}, value));
  return { ...lineIn(line), taken: new Map(), rejected: new Map(), doubtful: all };
}

/** What two values have in common. */
function sameParts(value: ChannelValue, actual: ChannelValue): ChannelValue {
  const { availability, rate, currency } = value;
  // A channel that does not say a currency has one.
  const isRate = rate !== undefined && isSameRate(value, { currency, ...actual });
  const restrictions = limitsWhere(limitsOf(value), (limit) => limitsOf(actual)[limit] === limitsOf(value)[limit]);
  return {
    ...(availability !== undefined && availability === actual.availability && { availability }),
    ...(isRate && rateIn(rate, currency)),
    ...(restrictions && { restrictions }),
  };
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
    const same = sameParts(value, actual);
    if (isSameValue(value, same)) continue;
    nights += 1;
    taken.set(day, same);
  }
  return { line: { ...known, taken }, nights };
}
