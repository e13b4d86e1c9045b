import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { Minor } from '../../kernel/rules/money.ts';
import type { PaymentMethod } from '../../money/rules/payment.ts';
import type { PenaltyParts } from '../../money/rules/penalty.ts';
import { type Earned, earnedTogether } from '../../money/rules/posting-days.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import { averageDailyRate, cancellationRate, occupancyRate, pickup, revenuePerAvailableRoom } from './key-figures.ts';
import { comparedOtb } from './pickup.ts';

/**
 * Rows of the journal that an audit is made of: those behind `after`, up to `to`; and the newest row when it was made,
 * up to which no-shows of its date were marked.
 */
export type Coverage = { after: number; to: number; seen: number };

/** What a day posted that belongs to an earlier date, whose audit had been made. */
export type LateOfDate = Earned & { date: Day };

/** Rooms of a type in which somebody slept, and what the night brought. */
export type SoldRooms = {
  roomType: string;
  rooms: number;
  /** Of the rooms, those that were complimentary. */
  comps?: number;
  revenue: Minor;
  taxes: Minor;
  fees: Minor;
};

/** Bookings confirmed and confirmed bookings cancelled within the day, by the arrival that they had then. */
export type ArrivalPickup = { arrival: Day; booked: number; cancelled: number };

export type MoneyMoved = { count: number; amount: Minor };

/** What the books say of a business day that is over; nothing of it changes any more. */
export type OtbOfDay = {
  /** Stays of the night that were begun: who did not come has no room sold. */
  sold: SoldRooms[];
  /**
   * Reservations whose arrival was this date, by what became of them. `awaited` are yet to be marked as no-shows.
   * `overstayed`: guests who should have left by this date, and whose night is not posted yet.
   */
  due: { reservations: number; cancelled: number; noShows: number; awaited: number; overstayed: number };
  /** Check-ins and check-outs within the day. */
  arrivals: number;
  departures: number;
  bookings: ArrivalPickup[];
  /**
   * Posted to folios on the day, and charged beside that to those who left within it, less what was credited to those
   * who had left, gross.
   */
  charges: Minor;
  /** Retained from stays that were cancelled within the day or no-shows, less what was waived within it. */
  penalties: PenaltyParts;
  /** What belongs to earlier dates and was posted on this one; it is no part of the figures above. */
  late?: LateOfDate[];
  /** Recorded as completed within the day. */
  payments: (MoneyMoved & { method: PaymentMethod | null })[];
  refunds: MoneyMoved;
};

/** The grid as the day left it, and as it found it, from its own night on. */
export type DayGrids = { after: readonly GridCell[]; before: readonly GridCell[] };

/** The figures of rooms (docs/concepts/night-audit.md#figures). Pickup is in room nights. */
export type RoomFigures = {
  roomsSold: number;
  /** Of them complimentary, which have no part in ADR; absent where there are none. */
  compRooms?: number;
  roomsAvailable: number;
  roomRevenue: Minor;
  occupancyRate: number;
  /** Null where nobody paid for a room; 0 in reports of earlier releases. */
  adr: Minor | null;
  revPar: Minor;
  pickup: number;
};

/** The report of a business date (docs/concepts/night-audit.md#night-audit): amounts in minor units. */
export type NightAudit = {
  date: Day;
  currency: string;
  house: RoomFigures;
  roomTypes: (RoomFigures & { roomType: string })[];
  reservations: {
    arrivals: number;
    departures: number;
    noShows: number;
    booked: number;
    cancelled: number;
    /** Of those whose arrival was this date. */
    cancellationRate: number;
  };
  /**
   * `additionalCharges` are the fees of the night and what was charged to those who left, as on the final bill;
   * `penalties` are without the tax on them, and absent in reports of earlier releases. All that was posted on the day,
   * also what belongs to earlier dates.
   */
  revenue: { rooms: Minor; additionalCharges: Minor; penalties?: Minor; taxes: Minor; total: Minor };
  /** Of the revenue, what belongs to earlier dates, each by its own; absent where there is none. */
  late?: LateOfDate[];
  money: { payments: OtbOfDay['payments']; paid: Minor; refunds: MoneyMoved };
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

/** A figure of a day; of the whole property where `roomType` is absent. */
export type Metric = {
  type: MetricType;
  date: Day;
  /** In hundredths: percent, rooms, or minor units; null for the ADR of a day that sold nothing. */
  value: number | null;
  roomType?: string;
};

/** Makes the report: the same books and grids always make the same one. */
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
        revenue: sum(roomTypes, ({ roomRevenue }) => roomRevenue),
      },
      sum(roomTypes, ({ roomsAvailable }) => roomsAvailable),
      pickup(compared.total.roomsNow, compared.total.roomsThen),
    ),
    roomTypes,
    reservations: reservationsOf(books),
    revenue: revenueOf(books),
    ...(books.late && books.late.length > 0 && { late: books.late }),
    money: {
      payments: books.payments,
      paid: sum(books.payments, ({ amount }) => amount),
      refunds: books.refunds,
    },
    pickup: {
      byNight: compared.dates.flatMap(({ day, pickup: rooms }) => (rooms === 0 ? [] : { day, rooms })),
      byArrival: books.bookings,
    },
  };
}

const NOTHING_SOLD: Pick<SoldRooms, 'rooms' | 'comps' | 'revenue'> = { rooms: 0, revenue: 0 };

/** Complimentary rooms are occupied, and no rooms that somebody paid for. */
function figures(
  { rooms: roomsSold, comps = 0, revenue: roomRevenue } = NOTHING_SOLD,
  roomsAvailable: number,
  came: number,
): RoomFigures {
  return {
    roomsSold,
    ...(comps > 0 && { compRooms: comps }),
    roomsAvailable,
    roomRevenue,
    occupancyRate: occupancyRate(roomsSold, roomsAvailable),
    adr: averageDailyRate(roomRevenue, roomsSold - comps),
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

function revenueOf({ sold, charges, penalties: retained, late = [] }: OtbOfDay): NightAudit['revenue'] {
  const earlier = earnedTogether(late);
  const rooms = sum(sold, ({ revenue }) => revenue) + earlier.rooms;
  const additionalCharges = sum(sold, ({ fees }) => fees) + charges + earlier.extras;
  const taxes = sum(sold, (one) => one.taxes) + retained.taxes + earlier.taxes;
  const penalties = retained.revenue + earlier.penalties;
  return { rooms, additionalCharges, penalties, taxes, total: rooms + additionalCharges + penalties + taxes };
}

/** The figures of a report that are stored one by one: of the property and of each room type. */
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
