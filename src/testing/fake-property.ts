import type { Group } from '../groups/rules/group.ts';
import type { JournalEntry } from '../kernel/rules/journal.ts';
import type { Property, Room, RoomType } from '../properties/rules/property.ts';
import type { CellRow, Ownership, StoredOtbEntry, StoredRestriction, StoredSignal } from '../property-store/ports.ts';
import type { CalendarEvent } from '../rates/rules/calendar-event.ts';
import type { Promotion } from '../rates/rules/promotion.ts';
import type { RatePlan } from '../rates/rules/rate-plan.ts';
import type { StoredRate } from '../rates/rules/stored-rates.ts';
import type { HousekeepingTask } from '../rooms/rules/housekeeping.ts';
import type { Maintenance } from '../rooms/rules/maintenance.ts';
import type { PlanStay } from '../rooms/rules/room-plan.ts';
import type { ExtraStay } from '../stay/rules/extra-nights.ts';
import type { Hold } from '../stay/rules/hold.ts';
import type { Inquiry } from '../stay/rules/inquiry.ts';
import type { WaitlistEntry } from '../stay/rules/waitlist.ts';

/** The rows of one property in the fake store. */
export type FakeProperty = {
  ownership: Ownership;
  owner?: string;
  property: Property | undefined;
  removed?: Property;
  today: number | undefined;
  roomTypes: Map<string, RoomType>;
  rooms: Map<string, Room>;
  plans: Map<string, RatePlan>;
  signals: Map<string, StoredSignal>;
  restrictions: Map<string, StoredRestriction>;
  promotions: Map<string, Promotion>;
  calendarEvents: Map<string, CalendarEvent>;
  groups: Map<string, Group>;
  cells: Map<string, CellRow>;
  books: Map<string, StoredOtbEntry>;
  rates: Map<string, StoredRate>;
  rateVersion: number;
  journaledRateVersion: number;
  holds: Map<string, Hold>;
  roomStays: Map<string, PlanStay>;
  maintenances: Map<string, Maintenance>;
  housekeeping: Map<string, HousekeepingTask>;
  waitlist: Map<string, WaitlistEntry>;
  inquiries: Map<string, Inquiry>;
  extraStays: Map<string, ExtraStay>;
  journal: JournalEntry[];
};

/** A property of which nothing was written yet. */
export function emptyProperty(): FakeProperty {
  return {
    ownership: { epoch: 0, seq: 0, generation: 1, head: '' },
    property: undefined,
    today: undefined,
    roomTypes: new Map(),
    rooms: new Map(),
    plans: new Map(),
    signals: new Map(),
    restrictions: new Map(),
    promotions: new Map(),
    calendarEvents: new Map(),
    groups: new Map(),
    cells: new Map(),
    books: new Map(),
    rates: new Map(),
    rateVersion: 0,
    journaledRateVersion: 0,
    holds: new Map(),
    roomStays: new Map(),
    maintenances: new Map(),
    housekeeping: new Map(),
    waitlist: new Map(),
    inquiries: new Map(),
    extraStays: new Map(),
    journal: [],
  };
}
