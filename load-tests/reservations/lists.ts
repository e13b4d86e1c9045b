import type { ManyReservations } from './many.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A list: its name, the query of its first page, and the same as a condition on `reservations`. */
export type Asked = { what: string; query: string; where: string };

/**
 * Filters of `GET /reservations` (docs/reference/reservations.md#search), for a property, a guest and days in the
 * middle of the loaded rows.
 */
export function lists(many: ManyReservations, rows: number): Asked[] {
  const { propertyId, guestId, email, confirmationNumber } = many.booked(Math.floor(rows / 2));
  const { groupId } = many.booked(Math.floor(rows / 100) * 50);
  const ofProperty = withinProperty(propertyId);
  return [
    { what: 'all', query: '', where: 'true' },
    { what: 'house', query: `propertyId=${propertyId}`, where: `property_id = '${propertyId}'` },
    ...narrow(),
    ...narrow().map(ofProperty),
    ...combined(),
    ...combined().map(ofProperty),
    { what: 'guest', query: `guestId=${guestId}`, where: `guest_id = '${guestId}'` },
    { what: 'e-mail', query: `email=${email}`, where: `email_key = '${email}'` },
    {
      what: 'confirmation number',
      query: `confirmationNumber=${confirmationNumber}`,
      where: `confirmation_number = '${confirmationNumber}'`,
    },
    { what: 'group', query: `groupId=${groupId}`, where: `group_id = '${groupId}'` },
  ];
}

function withinProperty(propertyId: string): (asked: Asked) => Asked {
  return ({ what, query, where }) => ({
    what: `house, ${what}`,
    query: `propertyId=${propertyId}&${query}`,
    where: `property_id = '${propertyId}' and ${where}`,
  });
}

const day = (n: number): string => new Date(Date.now() + n * DAY_MS).toISOString().slice(0, 10);

/** One filter each. */
function narrow(): Asked[] {
  const today = day(0);
  const weekAgo = day(-7);
  const monthAgo = day(-30);
  const yearAgo = day(-365);
  const status = (name: string): Asked => ({ what: name, query: `status=${name}`, where: `status = '${name}'` });
  const channel = (name: string): Asked => ({ what: name, query: `channel=${name}`, where: `source = '${name}'` });
  const range = (what: string, of: 'arrival' | 'departure', from: string, to: string): Asked => ({
    what: `${of}s of ${what}`,
    query: `${of}From=${from}&${of}To=${to}`,
    where: `check_${of === 'arrival' ? 'in' : 'out'} between '${from}' and '${to}'`,
  });
  const inHouse = (what: string, on: string): Asked => ({
    what: `in house ${what}`,
    query: `inHouseOn=${on}`,
    where: `check_in <= '${on}' and check_out > '${on}'`,
  });
  const changed = (what: string, ms: number): Asked => {
    const since = new Date(Date.now() - ms).toISOString();
    return { what: `changed since ${what}`, query: `updatedSince=${since}`, where: `updated_at >= '${since}'` };
  };
  return [
    ...['CONFIRMED', 'CHECKED_IN', 'CHECKED_OUT', 'CANCELLED', 'PENDING', 'NO_SHOW'].map(status),
    ...['OTA', 'GROUP', 'WALKIN'].map(channel),
    range('a day', 'arrival', today, today),
    range('a day a year ago', 'arrival', yearAgo, yearAgo),
    range('a week', 'arrival', weekAgo, today),
    range('a month', 'arrival', monthAgo, today),
    range('a year', 'arrival', yearAgo, today),
    range('a day', 'departure', today, today),
    range('a month', 'departure', monthAgo, today),
    inHouse('today', today),
    inHouse('a year ago', yearAgo),
    changed('a minute', MINUTE_MS),
    changed('a month', 30 * DAY_MS),
  ];
}

/** Several filters at once, as a front desk uses them. */
function combined(): Asked[] {
  const today = day(0);
  const quarter = day(-455);
  const year = day(-365);
  const arrives = `arrivalFrom=${today}&arrivalTo=${today}`;
  return [
    {
      what: 'CONFIRMED arrivals of a day',
      query: `${arrives}&status=CONFIRMED`,
      where: `check_in = '${today}' and status = 'CONFIRMED'`,
    },
    { what: 'NO_SHOW by OTA', query: 'status=NO_SHOW&channel=OTA', where: `status = 'NO_SHOW' and source = 'OTA'` },
    {
      what: 'arrivals of three months, a year ago',
      query: `arrivalFrom=${quarter}&arrivalTo=${year}`,
      where: `check_in between '${quarter}' and '${year}'`,
    },
  ];
}
