import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { PaymentMethod } from '../../money/rules/payment.ts';
import type { PenaltyParts } from '../../money/rules/penalty.ts';
import { type Earned, earnedTogether } from '../../money/rules/posting-days.ts';
import { type TaxedRevenue, taxedTogether } from '../../money/rules/revenue-by-tax.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { averageDailyRate, cancellationRate, occupancyRate, pickup, revenuePerAvailableRoom } from './key-figures.ts';
import { comparedOtb } from './pickup.ts';

/**
 * Journal rows of an audit: after `after`, up to `to`; `seen` is the newest row when it was made, up to which no-shows
 * of its date were marked.
 */
export type Coverage = { after: number; to: number; seen: number };

/** Postings of a day for an earlier date whose audit had been made. */
export type LateOfDate = Earned & { date: Day };

/** Why an audit was made without a stay (docs/concepts/night-audit.md#when). */
export const LEFT_OUT_REASONS = ['ARRIVAL_NOT_MARKED', 'OVERSTAY_NOT_POSTED', 'UNREADABLE'] as const;

/** A stay that an audit was made without. What is posted of it later counts on a later date. */
export type UncountedStays = { reservationId: ReservationId; reason: (typeof LEFT_OUT_REASONS)[number] };

/** Occupied rooms of a type, and the revenue of the night. */
export type SoldRooms = {
  roomType: string;
  rooms: number;
  /** Complimentary ones among the rooms. */
  comps?: number;
  /** Those among the rooms whose revenue is in another currency, and complimentary ones of them left out. */
  otherCurrency?: number;
  revenue: Minor;
  taxes: Minor;
  fees: Minor;
  byTax?: TaxedRevenue[];
};

/** Bookings confirmed and confirmed bookings cancelled within the day, by arrival date at that time. */
export type ArrivalPickup = { arrival: Day; booked: number; cancelled: number };

export type MoneyMoved = { count: number; amount: Minor };

/** Money of a business day in one currency. */
export type OtbMoney = {
  /** Stays of the night that had begun: a no-show has no sold room. */
  sold: SoldRooms[];
  /**
   * Folio postings of the day, and other charges to guests who left within it, less credits to guests who had left,
   * gross.
   */
  charges: Minor;
  /** Taxes of stays that credits take back, below 0. */
  chargeTaxes?: Minor;
  /** Retained from stays cancelled within the day and from no-shows, less what was waived within it. */
  penalties: PenaltyParts;
  /** All of these by tax. */
  byTax?: TaxedRevenue[];
  /** Postings of this day for earlier dates; not part of the figures above. */
  late?: LateOfDate[];
  /** Payments recorded as completed within the day, less chargebacks of the day. */
  payments: (MoneyMoved & { method: PaymentMethod | null })[];
  refunds: MoneyMoved;
  /** What card issuers took back, above 0; absent where they took nothing. */
  chargebacks?: MoneyMoved;
};

/**
 * Figures of a closed business day; they never change. Amounts are in the currency of the audit; `sold` has the rooms
 * of all currencies.
 */
export type OtbOfDay = OtbMoney & {
  /**
   * Reservations with this arrival date, by outcome. `awaited` are still to be marked as no-shows. `overstayed`: guests
   * overdue on this date whose night is not posted yet.
   */
  due: { reservations: number; cancelled: number; noShows: number; awaited: number; overstayed: number };
  /** `awaited` and `overstayed` reservations, and unreadable ones; absent when there are none. */
  leftOut?: UncountedStays[];
  /** Check-ins and check-outs within the day. */
  arrivals: number;
  departures: number;
  bookings: ArrivalPickup[];
  /** Money of stays in other currencies, by currency; absent when there are none. */
  others?: (OtbMoney & { currency: string })[];
};

/** Grid at the end and at the start of the day, from its own night on. */
type DayGrids = { after: readonly GridCell[]; before: readonly GridCell[] };

/** Room figures (docs/concepts/night-audit.md#figures). Pickup is in room nights. */
export type RoomFigures = {
  roomsSold: number;
  /** Of them complimentary, which have no part in ADR; absent where there are none. */
  compRooms?: number;
  /** Of them paid in another currency, which have no part in ADR; absent where there are none. */
  otherCurrencyRooms?: number;
  roomsAvailable: number;
  roomRevenue: Minor;
  occupancyRate: number;
  /** Null when nobody paid for a room; 0 in reports of earlier releases. */
  adr: Minor | null;
  revPar: Minor;
  pickup: number;
};

/** Revenue and money of a business date in one currency; amounts of different currencies are never added. */
export type AuditedMoney = {
  /**
   * `additionalCharges` are fees of the night and charges to departed guests, as on the final bill; `penalties` are
   * without tax, and absent in reports of earlier releases. Includes all postings of the day, also those for earlier
   * dates.
   */
  revenue: { rooms: Minor; additionalCharges: Minor; penalties?: Minor; taxes: Minor; total: Minor };
  /** The whole revenue by tax; absent in reports of earlier builds. */
  byTax?: TaxedRevenue[];
  /** Part of the revenue for earlier dates, by date; absent when there is none. */
  late?: LateOfDate[];
  money: { payments: OtbMoney['payments']; paid: Minor; refunds: MoneyMoved; chargebacks?: MoneyMoved };
};

/** Money of a business date in another currency than that of the audit. */
export type OtherCurrency = AuditedMoney & { currency: string; roomNights: number };

/** The report of a business date (docs/concepts/night-audit.md#night-audit): amounts in minor units. */
export type NightAudit = AuditedMoney & {
  date: Day;
  /** That of the property when the date ended. */
  currency: string;
  house: RoomFigures;
  roomTypes: (RoomFigures & { roomType: string })[];
  reservations: {
    arrivals: number;
    departures: number;
    noShows: number;
    booked: number;
    cancelled: number;
    /** Among reservations with this arrival date. */
    cancellationRate: number;
  };
  /** Absent where there are none. */
  leftOut?: UncountedStays[];
  /** Absent where there are none. */
  otherCurrencies?: OtherCurrency[];
  pickup: { byNight: { day: Day; rooms: number }[]; byArrival: ArrivalPickup[] };
};

/** Kinds of metrics (docs/concepts/night-audit.md#figures). */
export const METRIC_TYPES = [
  'OCCUPANCY',
  'ADR',
  'REVPAR',
  'CANCELLATION_RATE',
  'PICKUP',
  'PENALTIES',
  'COMP_ROOMS',
] as const;
export type MetricType = (typeof METRIC_TYPES)[number];

/** A figure of a day; of the whole property when `roomType` is absent. */
export type Metric = {
  type: MetricType;
  date: Day;
  /** In hundredths: percent, rooms, or minor units; null for the ADR of a day without sales. */
  value: number | null;
  roomType?: string;
};

/** Makes the report; deterministic. */
export function auditNight(date: Day, currency: string, books: OtbOfDay, grids: DayGrids): NightAudit {
  const compared = comparedOtb(grids.after, grids.before);
  const pickedUp = Map.groupBy(compared.cells, ({ roomType }) => roomType);
  const tonight = new Map(grids.after.filter(({ day }) => day === date).map((cell) => [cell.roomType, cell]));
  const sold = new Map(books.sold.map((rooms) => [rooms.roomType, rooms]));
  const roomTypes = [...new Set([...tonight.keys(), ...sold.keys()])].sort().map((roomType) => {
    const came = sum(pickedUp.get(roomType) ?? [], (cell) => cell.pickup);
    return { roomType, ...figures(sold.get(roomType), tonight.get(roomType)?.total ?? 0, came) };
  });
  return {
    date,
    currency,
    house: figures(
      {
        rooms: sum(roomTypes, ({ roomsSold }) => roomsSold),
        comps: sum(roomTypes, ({ compRooms = 0 }) => compRooms),
        otherCurrency: sum(roomTypes, ({ otherCurrencyRooms = 0 }) => otherCurrencyRooms),
        revenue: sum(roomTypes, ({ roomRevenue }) => roomRevenue),
      },
      sum(roomTypes, ({ roomsAvailable }) => roomsAvailable),
      pickup(compared.total.roomsNow, compared.total.roomsThen),
    ),
    roomTypes,
    reservations: reservationsOf(books),
    ...auditedMoney(books),
    ...(books.leftOut && books.leftOut.length > 0 && { leftOut: books.leftOut }),
    ...(books.others && books.others.length > 0 && { otherCurrencies: books.others.map(otherCurrency) }),
    pickup: {
      byNight: compared.dates.flatMap(({ day, pickup: rooms }) => (rooms === 0 ? [] : { day, rooms })),
      byArrival: books.bookings,
    },
  };
}

function auditedMoney(books: OtbMoney): AuditedMoney {
  const { late = [], payments, refunds, chargebacks } = books;
  return {
    revenue: revenueOf(books),
    byTax: taxedTogether([books, ...late].flatMap(({ byTax = [] }) => byTax)),
    ...(late.length > 0 && { late }),
    money: {
      payments,
      paid: sum(payments, ({ amount }) => amount),
      refunds,
      ...(chargebacks && { chargebacks }),
    },
  };
}

function otherCurrency({ currency, ...books }: OtbMoney & { currency: string }): OtherCurrency {
  return { currency, roomNights: sum(books.sold, ({ rooms }) => rooms), ...auditedMoney(books) };
}

const NOTHING_SOLD: Pick<SoldRooms, 'rooms' | 'comps' | 'otherCurrency' | 'revenue'> = { rooms: 0, revenue: 0 };

/** Complimentary rooms are occupied, and no rooms that somebody paid for; others are paid in another currency. */
function figures(
  { rooms: roomsSold, comps = 0, otherCurrency: others = 0, revenue: roomRevenue } = NOTHING_SOLD,
  roomsAvailable: number,
  came: number,
): RoomFigures {
  return {
    roomsSold,
    ...(comps > 0 && { compRooms: comps }),
    ...(others > 0 && { otherCurrencyRooms: others }),
    roomsAvailable,
    roomRevenue,
    occupancyRate: occupancyRate(roomsSold, roomsAvailable),
    adr: averageDailyRate(roomRevenue, roomsSold - comps - others),
    revPar: revenuePerAvailableRoom(roomRevenue, roomsAvailable),
    pickup: came,
  };
}

function reservationsOf({ arrivals, departures, due, bookings }: OtbOfDay): NightAudit['reservations'] {
  return {
    arrivals,
    departures,
    noShows: due.noShows,
    booked: sum(bookings, ({ booked }) => booked),
    cancelled: sum(bookings, ({ cancelled }) => cancelled),
    cancellationRate: cancellationRate(due.cancelled, due.reservations),
  };
}

function revenueOf({
  sold,
  charges,
  chargeTaxes = 0,
  penalties: retained,
  late = [],
}: OtbMoney): AuditedMoney['revenue'] {
  const earlier = earnedTogether(late);
  const rooms = sum(sold, ({ revenue }) => revenue) + earlier.rooms;
  const additionalCharges = sum(sold, ({ fees }) => fees) + charges + earlier.extras;
  const taxes = sum(sold, (one) => one.taxes) + chargeTaxes + retained.taxes + earlier.taxes;
  const penalties = retained.revenue + earlier.penalties;
  return { rooms, additionalCharges, penalties, taxes, total: rooms + additionalCharges + penalties + taxes };
}

/** Figures of a report that are stored individually: of the property and of each room type. */
export function metricsOf({ date, house: property, roomTypes, reservations, revenue }: NightAudit): Metric[] {
  const ofRooms = (rooms: RoomFigures, roomType?: string): Metric[] => {
    const { compRooms = 0 } = rooms;
    const comps: [MetricType, number][] = compRooms > 0 ? [['COMP_ROOMS', compRooms * 100]] : [];
    const all: [MetricType, number | null][] = [
      ['OCCUPANCY', Math.round(rooms.occupancyRate * 100)],
      ['ADR', rooms.adr],
      ['REVPAR', rooms.revPar],
      ['PICKUP', rooms.pickup * 100],
      ...comps,
    ];
    return all.map(([type, value]) => ({ type, date, value, roomType }));
  };
  const rate = Math.round(reservations.cancellationRate * 100);
  return [
    ...ofRooms(property),
    { type: 'CANCELLATION_RATE', date, value: rate },
    { type: 'PENALTIES', date, value: revenue.penalties ?? 0 },
    ...roomTypes.flatMap(({ roomType, ...rooms }) => ofRooms(rooms, roomType)),
  ];
}
