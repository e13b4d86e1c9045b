import { type Address, addressKey } from '../../../src/kernel/rules/caller.ts';
import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import type { FinalizedBatch } from '../../../src/property-store/ports.ts';
import { isUnfinished } from '../../../src/stay/rules/reservation-states.ts';
import type { FakeStore } from '../../../src/testing/fake-store.ts';
import { DAY } from '../../../src/testing/property-world.ts';
import type { NightStep, OversoldNight } from './steps.ts';

type Taken = { booked: number; held: number };

/** Nights that clients of a simulation book. */
const SHOWN: readonly Day[] = Array.from({ length: 8 }, (_, nth) => DAY + 5 + nth);
const NOTHING: Taken = { booked: 0, held: 0 };
const nightKey = (roomType: string, day: Day): string => `${roomType} ${day}`;

/**
 * Finds rooms that are sold twice, commit by commit. Counts rows of reservations and holds: what a second owner has
 * overwritten in a cell is still there.
 */
export class OversoldNights {
  readonly found: OversoldNight[] = [];
  readonly #store: FakeStore;
  readonly #before = new Map<string, Map<string, NightStep>>();

  constructor(store: FakeStore) {
    this.#store = store;
  }

  /** Rooms of a property by night as they are stored. */
  nights(to: Address): NightStep[] {
    return [...countNights(this.#store, to).values()];
  }

  /**
   * A commit has been written. A cut below what is sold is accepted as a shortfall, so only a night on which more is
   * taken than before counts, and the rooms are the most that the night had before, meanwhile or behind it.
   */
  committed({ to, entries }: FinalizedBatch): OversoldNight[] {
    const before = this.#before.get(addressKey(to)) ?? new Map<string, NightStep>();
    const now = countNights(this.#store, to);
    this.#before.set(addressKey(to), now);
    const totals = new Map<string, number>();
    for (const { facts } of entries)
      for (const [roomType, day, total] of facts.cells ?? []) {
        const key = nightKey(roomType, day);
        totals.set(key, Math.max(totals.get(key) ?? 0, total));
      }
    const found = [...now].flatMap(([key, night]) => {
      const past = before.get(key);
      const rooms = Math.max(night.rooms, past?.rooms ?? 0, totals.get(key) ?? 0);
      const taken = night.booked + night.held;
      if (taken <= rooms || taken <= (past?.booked ?? 0) + (past?.held ?? 0)) return [];
      return [{ ...night, rooms, property: to.propertyId }];
    });
    this.found.push(...found);
    return found;
  }
}

function countNights(store: FakeStore, to: Address): Map<string, NightStep> {
  const property = store.properties.get(addressKey(to))!;
  const taken = new Map<string, Taken>();
  const count = (stay: { roomType: string; checkIn: Day; checkOut: Day }, kind: keyof Taken, rooms: number): void => {
    for (let day = stay.checkIn; day < stay.checkOut; day++) {
      const key = nightKey(stay.roomType, day);
      const night = taken.get(key) ?? NOTHING;
      taken.set(key, { ...night, [kind]: night[kind] + rooms });
    }
  };
  for (const hold of property.holds.values()) if (hold.kind !== 'LATE') count(hold, 'held', hold.rooms);
  for (const { tenantId, reservation } of store.reservations.values()) {
    const { id, propertyId, status, stay } = reservation;
    // The hold of an unpaid reservation has its id, and counts already.
    const isHere = tenantId === to.tenantId && propertyId === to.propertyId && !property.holds.has(id);
    if (isHere && isUnfinished(status)) count(stay, 'booked', 1);
  }
  const nights = [...property.roomTypes.values()].flatMap(({ roomType, totalRooms }) =>
    SHOWN.map((day): [string, NightStep] => {
      const key = nightKey(roomType, day);
      const { total, outOfOrder } = property.cells.get(key) ?? { total: totalRooms, outOfOrder: 0 };
      const rooms = Math.max(0, total - outOfOrder);
      return [key, { roomType, night: formatDay(day), rooms, ...NOTHING, ...taken.get(key) }];
    }),
  );
  return new Map(nights);
}
