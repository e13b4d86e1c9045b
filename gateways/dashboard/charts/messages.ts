import { locale, textsOf } from '../language/texts.ts';
import { inTenths } from '../messages.ts';

const say = textsOf('charts');

/** Texts of the charts. */
export const charts = {
  title: say('Charts'),
  loading: say('Loading'),
  which: say('Chart'),
  table: say('Table'),
  exportCsv: say('Export CSV'),
  exportPng: say('Export PNG'),
  zoomIn: say('Zoom in'),
  zoomOut: say('Zoom out'),
  reset: say('Reset zoom'),
  readOut: (title: string): string => say('Read out: {title}', { title }),
  hint: say('Arrows move, Enter opens the night, + and − zoom, t shows the table'),
  failed: say('The figures did not arrive.'),
  retry: say('Failed. Retry'),
  presentOnly: say('Shown for the present only. Go back to live to see it.'),
  nothing: '–',
  names: {
    nights: say('By night'),
    curve: say('Booking curve'),
    pickup: say('Pickup by day'),
    mix: say('Channels and plans'),
    competitors: say('Competitors'),
  },
  night: say('Night'),
  date: say('Date'),
};

export const nightsChart = {
  measure: say('Figure'),
  measures: { rooms: say('Rooms sold'), occupancy: say('Occupancy'), adr: 'ADR', revpar: say('RevPAR') },
  captions: {
    rooms: (nights: string): string => say('Rooms sold by night, {nights}', { nights }),
    occupancy: (nights: string): string => say('Sold of all rooms in percent by night, {nights}', { nights }),
    adr: (nights: string): string => say('Room revenue over rooms sold by night, {nights}', { nights }),
    revpar: (nights: string): string => say('Room revenue over all rooms by night, {nights}', { nights }),
  },
  now: say('This year'),
  weekAgo: say('7 days ago'),
  lastYear: say('Last year, same weekday'),
  expected: say('Forecast (80 % range)'),
  capacity: say('Capacity'),
  noLastYear: say('No night audits of last year: nothing to compare.'),
  noForecast: say('No forecast yet.'),
  noPastForecast: say('Forecasts are not available for past dates.'),
  summary: (now: string, lastYear: string | undefined): string =>
    lastYear === undefined
      ? say('All shown nights: {now}.', { now })
      : say('All shown nights: {now}; last year {lastYear}.', { now, lastYear }),
};

export const curveChart = {
  of: say('Nights'),
  thisNight: (night: string): string => say('Night of {night}', { night }),
  all: say('All shown nights'),
  caption: (nights: string): string => say('Room nights on the books by days before arrival, {nights}', { nights }),
  captionOfMany: (nights: string): string =>
    say('Room nights on the books by days before the first night, {nights}', { nights }),
  axis: say('Days before arrival'),
  daysBefore: (days: number, date: string): string => {
    if (days === 0) return say('day of arrival, {date}', { date });
    if (days < 0)
      return say('{days, plural, one {# day} other {# days}} after the first night, {date}', { days: -days, date });
    return say('{days} {days, plural, one {day} other {days}} before, {date}', { days, date });
  },
  thisYear: say('This year'),
  lastYear: say('Last year, same weekday'),
  expected: say('Forecast (80 % range)'),
  noLastYear: say('Nothing was booked for these nights last year: nothing to compare.'),
  noForecast: say('No forecast for these nights.'),
  sumOfRanges: say('The range is the sum of the nights’ ranges.'),
  nothing: say('Nothing is booked for these nights yet.'),
  summary: (sold: number, days: number, lastYear: number | undefined, expected: string | undefined): string => {
    const when = days > 0 ? say('{days} {days, plural, one {day} other {days}} before', { days }) : say('now');
    const parts = [say('{sold} sold {when}', { sold, when })];
    if (lastYear !== undefined) parts.push(say('{lastYear} at the same time last year', { lastYear }));
    if (expected !== undefined) parts.push(say('forecast {expected}', { expected }));
    return `${parts.join('; ')}.`;
  },
};

export const pickupChart = {
  caption: (nights: string): string =>
    say('Room nights sold less cancelled by business date, for the nights {nights}', { nights }),
  net: say('Pickup'),
  booked: say('Booked'),
  cancelled: say('Cancelled'),
  lastYear: say('Last year, same weekday'),
  nothing: say('Nothing was booked or cancelled for these nights in the last 90 days.'),
  noLastYear: say('Nothing moved for last year’s nights: nothing to compare.'),
  summary: (today: string, week: string, all: string): string =>
    say('Today {today}; last 7 days {week}; last 90 days {all}.', { today, week, all }),
};

export const mixChart = {
  by: say('Share by'),
  bys: {
    channel: say('Channel'),
    plan: say('Rate plan'),
    group: say('Group'),
    company: say('Company'),
    stayLength: say('Nights of the stay'),
    leadTime: say('Days from booking to arrival'),
  },
  noGroup: say('No group'),
  noCompany: say('No company'),
  others: (count: number): string => say('{count} others', { count }),
  caption: (nights: string): string =>
    say('Share of room nights and revenue in percent, sold for the nights {nights}', { nights }),
  roomNightShare: say('Share of room nights'),
  revenueShare: say('Share of revenue'),
  roomNights: say('Room nights'),
  revenue: say('Room revenue'),
  adr: 'ADR',
  unknown: say('Not named'),
  nothing: say('Nothing is sold for these nights yet.'),
  summary: (roomNights: number, revenue: string): string =>
    say('{roomNights} room nights, {revenue} room revenue.', { roomNights, revenue }),
};

export const competitorsChart = {
  roomType: say('Room type'),
  caption: (roomType: string, nights: string): string =>
    say('Price of a night in {roomType}, {nights}', { roomType, nights }),
  own: say('Our price'),
  median: say('Median of competitors'),
  nothing: say(
    'No rates of competitors for this room type and these nights. Ask an administrator which sources are set up.',
  ),
  more: (left: number): string => say('{left} more competitors are in the table and the file.', { left }),
  summary: (own: string, median: string, index: string): string =>
    say('Our average {own}, median of competitors {median}: {index} % of it.', { own, median, index }),
};

export const percentText = (value: number): string => `${inTenths(value)}\u00a0%`;
export const wholePercent = (value: number): string => `${Math.round(value)}\u00a0%`;
export const roomsText = (value: number): string => String(Math.round(value));

/** An amount without cents. */
export function wholeMoney(currency: string): (amount: number) => string {
  if (currency === '') return (amount) => amount.toFixed(0);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 0,
    maximumFractionDigits: 0,
  });
  return (amount) => format.format(amount);
}
