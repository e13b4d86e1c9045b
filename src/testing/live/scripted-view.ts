import type { PropertyView } from '../../kernel/property-actors.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { DEFAULT_POLICIES, type Room } from '../../properties/rules/property.ts';
import type { GridCell } from '../../rates/rules/queries.ts';
import type { OtbEntry } from '../../stay/rules/otb-entry.ts';

/** State of a scripted property; every change makes a new one. */
export type ScriptedState = {
  propertyId: string;
  seq: number;
  generation: number;
  at: number;
  businessDate: Day;
  lastNight: Day;
  cells: ReadonlyMap<string, GridCell>;
  roomTypes: readonly string[];
  rooms: readonly Room[];
  /** Defaults to euros. */
  currency?: string;
};

export function cellId(roomType: string, day: Day): string {
  return `${roomType} ${day}`;
}

/** Price of a room in a scripted property, in minor units. */
const SOLD_FOR = 15_000;

/** On-the-books entries of some nights: every booked room was sold at the same price, since this morning. */
export function booksOf(cells: Iterable<GridCell>): OtbEntry[] {
  return [...Map.groupBy(cells, ({ day }) => day)].map(([day, types]) => {
    const booked = types.reduce((sum, cell) => sum + cell.booked, 0);
    return { day, revenue: booked * SOLD_FOR, pickup: booked, cancelled: 0 };
  });
}

/** A committed view of a scripted property, in Lisbon. */
export function viewOf(state: ScriptedState): PropertyView {
  const { seq, generation, at, businessDate, lastNight, cells, currency = 'EUR' } = state;
  return {
    seq,
    generation,
    at,
    businessDate,
    lastNight,
    currency,
    charges: { currency, taxPercent: 0, feePerNight: 0, feePerPersonNight: 0 },
    promotions: [],
    calendarEvents: [],
    groups: [],
    books: booksOf(cells.values()),
    restrictions: () => [],
    planNights: () => [],
    isClosed: () => false,
    isOversold: () => false,
    promise: () => undefined,
    quoteStand: (roomType) => `${seq} ${roomType}`,
    inquiry: () => undefined,
    extrasTaken: () => 0,
    extraStays: [],
    nextArrival: () => undefined,
    isDynamic: false,
    ratesStand: '',
    searchedNights: () => [],
    calendar: () => [],
    rateNights: () => [],
    zeroNights: () => [],
    baseNights: () => [],
    setup: {
      property: {
        propertyId: state.propertyId,
        name: 'Harbor Hotel',
        propertyType: 'HOTEL',
        metadata: {
          checkInTime: '15:00',
          checkOutTime: '11:00',
          currency,
          timezone: 'Europe/Lisbon',
          amenities: [],
          policies: DEFAULT_POLICIES,
        },
        createdAt: 0,
        updatedAt: 0,
      },
      roomTypes: state.roomTypes.map((roomType) => ({
        roomType,
        name: roomType,
        maxAdults: 2,
        maxChildren: 2,
        maxGuests: 4,
        totalRooms: 0,
        amenities: [],
      })),
      rooms: [...state.rooms],
      maintenances: [],
      housekeeping: [],
      plans: [],
    },
    quote: () => {
      throw new Error('scripted properties have no prices');
    },
    grid: (start, end, roomType) => {
      const found: GridCell[] = [];
      for (const type of state.roomTypes) {
        if (roomType !== undefined && roomType !== type) continue;
        for (let day = Math.max(start, businessDate); day <= Math.min(end, lastNight); day++) {
          const cell = cells.get(cellId(type, day));
          if (cell) found.push(cell);
        }
      }
      return found;
    },
  };
}
