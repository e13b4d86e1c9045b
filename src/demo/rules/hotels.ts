import type { Day } from '../../kernel/rules/dates.ts';
import type { TenantId, PropertyId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';

/** A room type of a demo property, with the rates it starts with. */
export type DemoType = {
  code: string;
  name: string;
  rooms: number;
  sleeps: number;
  weekday: Minor;
  weekend: Minor;
  /** Own rates of its nights, instead of those that follow the market. */
  nightly?: NightlyRates;
};

/** Rates of consecutive nights; a night without a rate has a base of 0. */
type NightlyRates = { first: Day; nights: readonly RateOfNight[] };
export type RateOfNight = {
  base: Minor;
  /** Of a season, in hundredths. */
  multiplier: number;
  amount: Minor;
};

/** A property of the demo tenants as it is set up. */
export type DemoProperty = {
  tenantId: TenantId;
  propertyId: PropertyId;
  name: string;
  propertyType: string;
  strategy: 'FIXED' | 'DYNAMIC';
  currency: string;
  timezone: string;
  city: string;
  country: string;
  taxPercent: number;
  /** The usual one when absent. */
  nightAuditHour?: number;
  /** Also has plans paid at the hotel and invoiced to companies. */
  hasMorePlans?: true;
  types: DemoType[];
  /** Who comes, where the property lives (docs/concepts/demo.md#guests). */
  market?: DemoMarket;
};

/** How a booking comes and is paid. */
export const BOOKING_WAYS = ['COMPANY', 'CHANNEL', 'PREPAID', 'NON_REFUNDABLE', 'CARD', 'AT_HOTEL'] as const;
export type BookingWay = (typeof BOOKING_WAYS)[number];

/** Who comes to a property, and when. */
export type DemoMarket = {
  /** Occupancy by month, January first, of a night without other influence. */
  months: readonly number[];
  /** Factors by weekday of the night, Sunday first. */
  weekdays: readonly number[];
  /** Days of the year with a fair or a feast, from and to as `MM-DD`, and the factor of the demand. */
  events: readonly { name: string; from: string; to: string; factor: number }[];
  /** Weights of the ways of booking. */
  ways: Readonly<Record<BookingWay, number>>;
  /** Lengths of stay, from one night on, by weight. */
  nights: readonly number[];
  /** Lead time of a booking in days: the typical one and the longest. */
  lead: readonly [typical: number, longest: number];
  /** Part of the bookings that are cancelled, and of those that end as a no-show. */
  cancelled: number;
  noShows: number;
  /** How much the price follows the demand: 0 not at all. */
  elasticity: number;
  /** Price of something from the bar: 6 to 48 of these; 1.00 when absent. */
  barUnit?: Minor;
  /** Rooms of a type that no guest is planned for; 1 when absent. */
  spare?: number;
};

const CITY: DemoMarket = {
  months: [0.56, 0.6, 0.68, 0.74, 0.8, 0.82, 0.7, 0.66, 0.84, 0.82, 0.74, 0.58],
  weekdays: [0.8, 1.02, 1.1, 1.12, 1.06, 0.9, 0.92],
  events: [
    { name: 'Travel fair', from: '03-01', to: '03-05', factor: 1.3 },
    { name: 'Feast of Saint Anthony', from: '06-10', to: '06-14', factor: 1.22 },
    { name: 'Technology summit', from: '11-10', to: '11-14', factor: 1.35 },
    { name: 'New Year', from: '12-29', to: '12-31', factor: 1.5 },
  ],
  ways: { COMPANY: 26, CHANNEL: 34, PREPAID: 12, NON_REFUNDABLE: 8, CARD: 8, AT_HOTEL: 12 },
  nights: [30, 34, 20, 9, 5, 1, 1],
  lead: [26, 240],
  cancelled: 0.17,
  noShows: 0.02,
  elasticity: 0.7,
};

const RESORT: DemoMarket = {
  months: [0.82, 0.86, 0.8, 0.46, 0.34, 0.56, 0.76, 0.78, 0.54, 0.42, 0.38, 0.78],
  weekdays: [0.88, 0.86, 0.88, 0.94, 1.02, 1.14, 1.16],
  events: [
    { name: 'Presidents week', from: '02-13', to: '02-21', factor: 1.15 },
    { name: 'Independence week', from: '07-01', to: '07-06', factor: 1.2 },
    { name: 'Film festival', from: '09-24', to: '09-28', factor: 1.35 },
    { name: 'Christmas', from: '12-20', to: '12-31', factor: 1.2 },
  ],
  ways: { COMPANY: 3, CHANNEL: 40, PREPAID: 20, NON_REFUNDABLE: 14, CARD: 13, AT_HOTEL: 10 },
  nights: [4, 14, 20, 18, 14, 8, 16, 2, 2, 2],
  lead: [62, 330],
  cancelled: 0.14,
  noShows: 0.01,
  elasticity: 0.9,
};

/** The properties of the demo tenants (docs/reference/set-up.md#development-only). */
export const DEMO_PROPERTIES: readonly DemoProperty[] = [
  {
    tenantId: 'demo',
    propertyId: 'harbor-hotel',
    name: 'Harbor Hotel',
    propertyType: 'HOTEL',
    strategy: 'FIXED',
    currency: 'EUR',
    timezone: 'Europe/Lisbon',
    city: 'Lisbon',
    country: 'PT',
    taxPercent: 6,
    hasMorePlans: true,
    market: CITY,
    types: [
      { code: 'STD', name: 'Standard room', rooms: 60, sleeps: 2, weekday: 12_000, weekend: 15_000 },
      { code: 'DLX', name: 'Deluxe room', rooms: 40, sleeps: 3, weekday: 18_000, weekend: 22_500 },
      { code: 'STE', name: 'Harbor suite', rooms: 20, sleeps: 4, weekday: 32_000, weekend: 39_000 },
    ],
  },
  {
    tenantId: 'demo',
    propertyId: 'mountain-resort',
    name: 'Mountain Resort',
    propertyType: 'RESORT',
    strategy: 'DYNAMIC',
    currency: 'USD',
    timezone: 'America/Denver',
    city: 'Aspen',
    country: 'US',
    taxPercent: 8.25,
    hasMorePlans: true,
    market: RESORT,
    types: [
      { code: 'STD', name: 'Standard room', rooms: 50, sleeps: 2, weekday: 16_000, weekend: 21_000 },
      { code: 'CHALET', name: 'Chalet', rooms: 30, sleeps: 6, weekday: 42_000, weekend: 55_000 },
    ],
  },
  {
    tenantId: 'rival',
    propertyId: 'rival-inn',
    name: 'Rival Inn',
    propertyType: 'HOTEL',
    strategy: 'FIXED',
    currency: 'EUR',
    timezone: 'Europe/Berlin',
    city: 'Berlin',
    country: 'DE',
    taxPercent: 7,
    types: [{ code: 'STD', name: 'Standard room', rooms: 30, sleeps: 2, weekday: 9_900, weekend: 11_900 }],
  },
];
