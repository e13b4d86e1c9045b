import { type Day, dayOf } from '../../src/kernel/rules/dates.ts';
import { Random } from '../../src/kernel/rules/random.ts';
import { DemandForecaster } from '../../src/revenue/rules/forecast/demand-forecast.ts';
import type { ForecastEvent } from '../../src/revenue/rules/forecast/event-effects.ts';
import type { RealBooking } from '../replay/bookings.ts';
import { type Stays, staysOf } from './stays.ts';

/** Days before the night at which events are judged: later the books know of them. */
const EVENT_HORIZONS = [7, 30, 60, 90] as const;

const event = (name: string, first: string, last: string, effect: ForecastEvent['effect'] = 'MEDIUM') => ({
  name,
  firstNight: dayOf(first),
  lastNight: dayOf(last),
  effect,
});

/** Feasts in Portugal, by the calendar alone: nobody has looked which of them fill the resort. */
const FEASTS: readonly ForecastEvent[] = [
  event('Christmas', '2015-12-23', '2015-12-26'),
  event('Christmas', '2016-12-23', '2016-12-26'),
  event('New Year', '2015-12-30', '2016-01-01'),
  event('New Year', '2016-12-30', '2017-01-01'),
  event('Carnival', '2016-02-05', '2016-02-09'),
  event('Carnival', '2017-02-24', '2017-02-28'),
  event('Easter', '2016-03-24', '2016-03-27'),
  event('Easter', '2017-04-13', '2017-04-16'),
];

/** A fair that nobody held: it brings a part of a usual night, in both years, or in the second alone. */
type InventedFair = { name: string; part: number; first: Day; before?: Day };
const FAIR_NIGHTS = 3;
/** All of them are HIGH in the calendar, which is taken for a fifth of a usual night: some bring half of it, or twice. */
const FAIRS: readonly InventedFair[] = [
  { name: 'Regatta', part: 0.1, first: dayOf('2016-10-20'), before: dayOf('2015-10-22') },
  { name: 'Jazz', part: 0.2, first: dayOf('2017-03-09'), before: dayOf('2016-03-10') },
  { name: 'Marathon', part: 0.4, first: dayOf('2017-05-11'), before: dayOf('2016-05-12') },
  { name: 'Expo', part: 0.1, first: dayOf('2016-11-17') },
  { name: 'Congress', part: 0.2, first: dayOf('2017-01-26') },
  { name: 'Tournament', part: 0.4, first: dayOf('2017-06-08') },
];
/** By how many nights a wrong calendar is off. */
const WRONG_NIGHTS = 11;

/** What the calendar of a hotel may say of events. */
const CALENDARS = ['none', 'right', 'wrongEffect', 'wrongNights'] as const;
type Calendar = (typeof CALENDARS)[number];

/** Errors in percent of the rooms occupied, by what the calendar says. */
export type EventFigures = { kind: EventKind; days: number; nights: number } & Record<Calendar, number>;
type EventKind = 'feasts' | 'known fairs' | 'new fairs';

/**
 * Forecasts nights of events under calendars that name them, leave them out, or say something wrong. Judged are the
 * nights of the events, and those that the wrong calendar takes for them: an error that is moved is not mended.
 */
export function judgeEvents(
  bookings: readonly RealBooking[],
  onNight: (done: number, of: number) => void = () => undefined,
): EventFigures[] {
  const real = staysOf(bookings);
  const withFairs = staysOf([...bookings, ...fairBookings(bookings, real)]);
  const fairs = FAIRS.flatMap(fairEvents);
  const isKnown = ({ name }: ForecastEvent): boolean => FAIRS.some((one) => one.name === name && one.before);
  const kinds: { kind: EventKind; stays: Stays; events: ForecastEvent[] }[] = [
    { kind: 'feasts', stays: real, events: [...FEASTS] },
    { kind: 'known fairs', stays: withFairs, events: fairs.filter(isKnown) },
    { kind: 'new fairs', stays: withFairs, events: fairs.filter((one) => !isKnown(one)) },
  ];
  const judged = kinds.map((one) => ({ ...one, nights: judgedNights(one.events, one.stays) }));
  const count = judged.reduce((sum, { nights }) => sum + nights.length, 0);
  let done = 0;
  return judged.flatMap(({ kind, ...one }) => figuresOf(kind, one, () => onNight((done += 1), count)));
}

type JudgedNights = { stays: Stays; events: readonly ForecastEvent[]; nights: readonly Day[] };

function figuresOf(kind: EventKind, { stays, events, nights }: JudgedNights, onNight: () => void): EventFigures[] {
  const offs = EVENT_HORIZONS.map((days) => ({ days, none: 0, right: 0, wrongEffect: 0, wrongNights: 0 }));
  const forecaster = new DemandForecaster(stays.books);
  let rooms = 0;
  for (const night of nights) {
    const truth = stays.occupied.get(night) ?? 0;
    rooms += truth;
    for (const off of offs) {
      const moment = night - off.days;
      const ensemble = forecaster.ensemble(moment, night, 1);
      for (const calendar of CALENDARS) {
        const coming = { ensemble, events: calendarOf(events, calendar) };
        const [forecast] = forecaster.forecast(moment, [night], coming);
        off[calendar] += Math.abs(forecast!.expected - truth);
      }
    }
    onNight();
  }
  const percent = (off: number): number => (rooms === 0 ? 0 : (100 * off) / rooms);
  return offs.map(({ days, none, right, wrongEffect, wrongNights }) => ({
    kind,
    days,
    nights: nights.length,
    none: percent(none),
    right: percent(right),
    wrongEffect: percent(wrongEffect),
    wrongNights: percent(wrongNights),
  }));
}

/** Nights of the last year that an event has, or that a wrong calendar says it has. */
function judgedNights(events: readonly ForecastEvent[], { lastNight }: Stays): Day[] {
  const last = events.filter(({ firstNight }) => firstNight > lastNight - 364);
  const both = [...last, ...last.map(moved)];
  const nights = both.flatMap(({ firstNight, lastNight: end }) =>
    Array.from({ length: end - firstNight + 1 }, (_, n) => firstNight + n),
  );
  return [...new Set(nights)].filter((night) => night <= lastNight).sort((one, other) => one - other);
}

/** The newest occurrence of each event is what a calendar may be wrong about; those before have been. */
export function calendarOf(events: readonly ForecastEvent[], calendar: Calendar): ForecastEvent[] {
  if (calendar === 'none') return [];
  const newest = new Map(events.map((one) => [one.name, one]));
  return events.map((one) => {
    if (calendar === 'right' || newest.get(one.name) !== one) return one;
    return calendar === 'wrongNights' ? moved(one) : { ...one, effect: 'LOW' };
  });
}

const moved = (one: ForecastEvent): ForecastEvent => {
  return { ...one, firstNight: one.firstNight + WRONG_NIGHTS, lastNight: one.lastNight + WRONG_NIGHTS };
};

function fairEvents({ name, first, before }: InventedFair): ForecastEvent[] {
  const nights = [...(before === undefined ? [] : [before]), first];
  return nights.map((night) => {
    return { name, firstNight: night, lastNight: night + FAIR_NIGHTS - 1, effect: 'HIGH' };
  });
}

/** Guests of the fairs: for all of its nights, booked as early as guests of the file who came. */
function fairBookings(bookings: readonly RealBooking[], { occupied }: Stays): RealBooking[] {
  const random = new Random(1);
  const usual = [...occupied.values()].reduce((sum, rooms) => sum + rooms, 0) / Math.max(1, occupied.size);
  const stayed = bookings.filter(({ outcome, nights }) => outcome === 'Check-Out' && nights > 0);
  return FAIRS.flatMap((fair) =>
    fairEvents(fair).flatMap(({ firstNight: arrival }) =>
      Array.from({ length: stayed.length === 0 ? 0 : Math.round(fair.part * usual) }, (): RealBooking => {
        const like = stayed[random.between(0, stayed.length - 1)]!;
        return { ...like, arrival, nights: FAIR_NIGHTS, outcomeDay: arrival + FAIR_NIGHTS };
      }),
    ),
  );
}
