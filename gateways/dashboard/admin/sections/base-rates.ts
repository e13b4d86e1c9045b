import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import { WEEKDAYS } from '../../../../src/kernel/rules/dates.ts';
import type { previewAnswer, setRatesAnswer } from '../../../../src/rates/contracts/rate-answers.ts';
import { amountIn } from '../../amounts.ts';
import { ask, read } from '../../api.ts';
import { addDays, mediumDay } from '../../grid/days.ts';
import { textsOf } from '../../language/texts.ts';
import { moneyText } from '../../messages.ts';
import { type FormField, type FormValues, listIn } from '../form/fields.ts';
import type { Form, LoadedList, Place, Request, Section } from '../section.ts';
import { readRoomTypes, type RoomTypeSetUp } from './room-reads.ts';
import { numberText, writtenDay } from './texts.ts';

const say = textsOf('admin-selling');

type RateRow = { roomType: string; name: string; from: string; to: string; rate: string; season: string };
type LoadedRates = LoadedList<RateRow> & { types: readonly RoomTypeSetUp[] };
type BaseNight = WireOf<typeof setRatesAnswer>['items'][number];

/** Whole weeks: those with the same prices are one row. */
const SHOWN_NIGHTS = 364;
/** Nights that are priced unless somebody says otherwise. */
const PRICED_NIGHTS = 365;
/** Nights that one request sets at most. */
const MAX_NIGHTS = 731;

const WEEKEND: ReadonlySet<string> = new Set(['FRIDAY', 'SATURDAY']);

/** Base rates of a year as periods of the same price. */
async function readBaseRates(place: Place): Promise<LoadedRates> {
  const { access, property, today } = place;
  const [types, { items, currency }] = await Promise.all([
    readRoomTypes(place),
    read<WireOf<typeof setRatesAnswer>>(access, 'rate', '/api/v1/rates/base', {
      propertyId: property?.propertyId ?? '',
      startDate: today,
      endDate: addDays(today, SHOWN_NIGHTS - 1),
    }),
  ]);
  const rows = types.flatMap((type) =>
    periodsOf(
      items.filter(({ roomType }) => roomType === type.roomType),
      type,
      currency,
    ),
  );
  return { rows, types };
}

/** Weeks with the same prices are one row. */
function periodsOf(nights: readonly BaseNight[], { roomType, name }: RoomTypeSetUp, currency: string): RateRow[] {
  const rows: RateRow[] = [];
  for (let at = 0; at < nights.length; at += 7) {
    const week = nights.slice(at, at + 7);
    const rate = pricesOf(week, currency);
    const season = seasonOf(week);
    const last = rows.at(-1);
    const to = week.at(-1)!.date;
    if (last?.rate === rate && last.season === season) last.to = to;
    else rows.push({ roomType, name, from: week[0]!.date, to, rate, season });
  }
  return rows;
}

function pricesOf(week: readonly BaseNight[], currency: string): string {
  const prices = [...new Set(week.map(({ baseRate }) => (baseRate === null ? undefined : Number(baseRate))))];
  const known = prices.filter((price) => price !== undefined).sort((one, other) => one - other);
  if (known.length === 0) return say('no price: not sold');
  const [low] = known;
  const high = known.at(-1);
  const range =
    low === high
      ? moneyText(low!, currency)
      : say('{low} to {high}', { low: moneyText(low!, currency), high: moneyText(high!, currency) });
  return known.length < prices.length ? say('{range}, some nights without a price', { range }) : range;
}

function seasonOf(week: readonly BaseNight[]): string {
  const seasons = week.map(({ season }) =>
    season === null || (season.multiplier === 1 && Number(season.amount) === 0)
      ? ''
      : `× ${numberText(season.multiplier)}${Number(season.amount) === 0 ? '' : ` ${numberText(season.amount)}`}`,
  );
  return [...new Set(seasons)].filter((one) => one !== '').join(', ');
}

const fieldsOf = (loaded: LoadedList<RateRow>): FormField[] => [
  {
    name: 'types',
    label: say('Room types'),
    type: 'choices',
    required: true,
    options: (loaded as LoadedRates).types.map(({ roomType, name }) => ({ value: roomType, text: name })),
  },
  { name: 'effectiveDate', label: say('First night'), type: 'date', required: true },
  {
    name: 'endDate',
    label: say('Last night'),
    type: 'date',
    required: true,
    hint: say('At most {nights} nights at once.', { nights: MAX_NIGHTS }),
  },
  {
    name: 'weekday',
    label: say('Sunday to Thursday'),
    type: 'amount',
    hint: say('Left empty, these nights keep their price.'),
  },
  {
    name: 'weekend',
    label: say('Friday and Saturday'),
    type: 'amount',
    hint: say('Left empty, these nights keep their price.'),
  },
  {
    name: 'season',
    label: say('Season, %'),
    type: 'whole',
    min: -99,
    max: 9899,
    hint: (percent) =>
      percent === ''
        ? say('For a season: how much dearer or cheaper these nights are than the base rate.')
        : Number(percent) < 0
          ? say('These nights cost {percent} % less than the base rate. An earlier season on them ends.', {
              percent: percent.replace('-', ''),
            })
          : say('These nights cost {percent} % more than the base rate. An earlier season on them ends.', {
              percent,
            }),
  },
  {
    name: 'seasonName',
    label: say('Name of the season'),
    type: 'text',
    maxLength: 100,
    isShown: ({ season = '' }) => season !== '',
  },
];

/** The bodies of `PUT /rates/base`, one for each room type. */
function baseRateRequests(values: FormValues, place: Place, query = ''): Request[] {
  const {
    types = '',
    effectiveDate = '',
    endDate = '',
    weekday = '',
    weekend = '',
    season = '',
    seasonName = '',
  } = values;
  const rates = WEEKDAYS.flatMap((dayOfWeek) => {
    const rate = amountIn(WEEKEND.has(dayOfWeek) ? weekend : weekday);
    return rate === undefined ? [] : [{ dayOfWeek, rate }];
  });
  const seasonalAdjustments =
    season === ''
      ? []
      : [
          {
            name: seasonName || say('Season'),
            startDate: effectiveDate,
            endDate,
            adjustmentType: 'PERCENTAGE',
            adjustment: Number(season),
          },
        ];
  return listIn(types).map((roomType) => ({
    service: 'rate',
    method: 'PUT',
    path: `/api/v1/rates/base${query}`,
    body: { propertyId: place.property?.propertyId, roomType, effectiveDate, endDate, rates, seasonalAdjustments },
  }));
}

/** The dry run: what nights would cost. */
async function previewOf(values: FormValues, _row: RateRow | undefined, place: Place): Promise<string[]> {
  const { property, access } = place;
  const lines: string[] = [];
  for (const { path, body = {} } of baseRateRequests(values, place, '?dryRun=true')) {
    const { items } = (await ask(access, 'rate', path, { method: 'PUT', body })).body as WireOf<typeof previewAnswer>;
    const moved = items.filter(({ from, to }) => Number(from) !== Number(to));
    const [first] = moved;
    if (!first) continue;
    const was = first.from === null ? say('no price') : moneyText(first.from, property?.currency ?? '');
    const is = first.to === null ? say('no price') : moneyText(first.to, property?.currency ?? '');
    lines.push(
      say('{roomType}: {nights, plural, one {# night} other {# nights}} changed, from {day}: {was} becomes {is}.', {
        roomType: first.roomType,
        nights: moved.length,
        day: mediumDay(first.date),
        was,
        is,
      }),
    );
  }
  return lines.length === 0 ? [say('No night costs anything else than before.')] : lines;
}

const setRates: Form<RateRow> = {
  id: 'new',
  name: say('Set rates'),
  of: 'list',
  action: say('Set rates'),
  fields: (_place, _row, loaded) => fieldsOf(loaded),
  values: (_row, { today }) => ({
    effectiveDate: today,
    endDate: today === '' ? '' : addDays(today, PRICED_NIGHTS - 1),
  }),
  preview: previewOf,
  line: () => say('Bookings keep their prices.'),
  requests: (values, _row, place) => baseRateRequests(values, place),
  done: () => say('The rates are set.'),
};

/** Base rates and seasons. */
export const baseRatesSection: Section<RateRow> = {
  lead: say(
    'What a night costs before plans and seasons. Nights without a price are not sold. Single nights are changed in the calendar.',
  ),
  list: {
    none: say('There is no room type that could have a price.'),
    read: readBaseRates,
    key: ({ roomType, from }) => `${roomType} ${from}`,
    columns: [
      { label: say('Room type'), text: ({ name }) => name },
      {
        label: say('Nights'),
        text: ({ from, to }) => say('{from} to {to}', { from: writtenDay(from), to: writtenDay(to) }),
      },
      { label: say('Base rate'), text: ({ rate }) => rate, isAmount: true },
      { label: say('Season'), text: ({ season }) => season },
    ],
    forms: [setRates],
  },
};
