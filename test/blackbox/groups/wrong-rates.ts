import { type BlackboxProperty, WEEK } from '../property.ts';

/** A request of the rate service that must be refused with 400, and what it must complain about. */
export type WrongRates = { what: string; body: Record<string, unknown>; pointers: string[] };
export type WrongQuery = { what: string; query: string; parameters: string[] };

/** `PUT /rates/base` with wrong members (docs/reference/rates.md#base-rates). */
export function wrongRates(property: BlackboxProperty): WrongRates[] {
  const one = (what: string, more: Record<string, unknown>, ...pointers: string[]): WrongRates => ({
    what,
    pointers,
    body: {
      propertyId: property.propertyId,
      roomType: 'DLX',
      effectiveDate: property.day(10),
      endDate: property.day(20),
      rates: [{ dayOfWeek: 'MONDAY', rate: 90 }],
      ...more,
    },
  });
  const monday = (rate: unknown) => ({ rates: [{ dayOfWeek: 'MONDAY', rate }] });
  const season = (more: Record<string, unknown>) => {
    const plain = { name: 'fair', startDate: property.day(12), endDate: property.day(14), adjustment: 1.1 };
    return { ...plain, adjustmentType: 'MULTIPLIER', ...more };
  };
  const seasons = (...all: Record<string, unknown>[]) => ({ seasonalAdjustments: all });
  return [
    one('a negative rate', monday(-5), '/rates/0/rate'),
    one('a rate of nothing', monday(0), '/rates/0/rate'),
    one('a rate with three decimals', monday(1.005), '/rates/0/rate'),
    one('a rate over 99,999,999.99', monday(100_000_000), '/rates/0/rate'),
    one('a rate as a text', monday('90'), '/rates/0/rate'),
    one('a weekday that no week has', { rates: [{ dayOfWeek: 'Funday', rate: 5 }] }, '/rates/0/dayOfWeek'),
    one('a weekday twice', { rates: [...monday(1).rates, ...monday(2).rates] }),
    one('neither rates nor seasons', { rates: [] }),
    one('an end before the start', { effectiveDate: property.day(20), endDate: property.day(10) }),
    one('31 February', { endDate: `${Number(property.day(0).slice(0, 4)) + 1}-02-31` }, '/endDate'),
    one('732 nights', { effectiveDate: property.day(0), endDate: property.day(731) }),
    one('a season outside the period', seasons(season({ endDate: property.day(21) }))),
    one('seasons that overlap', seasons(season({}), season({ name: 'feast', startDate: property.day(14) }))),
    one('a season that ends first', seasons(season({ startDate: property.day(14), endDate: property.day(12) }))),
    one('a multiplier of 0', seasons(season({ adjustment: 0 })), '/seasonalAdjustments/0/adjustment'),
    one('a multiplier of 100', seasons(season({ adjustment: 100 })), '/seasonalAdjustments/0/adjustment'),
    one(
      'a multiplier with three decimals',
      seasons(season({ adjustment: 1.005 })),
      '/seasonalAdjustments/0/adjustment',
    ),
    one(
      'an unknown adjustment',
      seasons(season({ adjustmentType: 'CUBE' })),
      '/seasonalAdjustments/0/adjustmentType',
    ),
    one('an unknown field', { surprise: true }, '/surprise'),
    one('no room type', { roomType: undefined }, '/roomType'),
    one(
      'all weekdays with one of them wrong',
      { rates: WEEK.map((dayOfWeek) => ({ dayOfWeek, rate: -1 })) },
      '/rates/6/rate',
    ),
  ];
}

/** `GET /rates/current` with wrong parameters. */
export function wrongQuotes(property: BlackboxProperty): WrongQuery[] {
  const stay = (from: number, to: number, more = '') =>
    `propertyId=${property.propertyId}&checkIn=${property.day(from)}&checkOut=${property.day(to)}${more}`;
  return [
    { what: 'nothing at all', query: '', parameters: ['propertyId', 'checkIn', 'checkOut'] },
    { what: 'no departure', query: stay(3, 4).replace(/&checkOut=.*/, ''), parameters: ['checkOut'] },
    { what: 'an arrival in the past', query: stay(-2, 3), parameters: ['checkIn'] },
    { what: 'a departure before the arrival', query: stay(5, 3), parameters: ['checkOut'] },
    { what: 'no night', query: stay(5, 5), parameters: ['checkOut'] },
    { what: '91 nights', query: stay(1, 92), parameters: [] },
    { what: 'nights beyond the horizon', query: stay(729, 740), parameters: [] },
    {
      what: '31 February',
      query: `propertyId=${property.propertyId}&checkIn=2027-02-31&checkOut=2027-03-02`,
      parameters: ['checkIn'],
    },
    { what: 'no adult', query: stay(3, 4, '&adults=0'), parameters: ['adults'] },
    { what: 'adults in words', query: stay(3, 4, '&adults=two'), parameters: ['adults'] },
    { what: '21 children', query: stay(3, 4, '&children=21'), parameters: ['children'] },
    { what: 'an unknown rate type', query: stay(3, 4, '&rateType=CHEAP'), parameters: ['rateType'] },
  ];
}
