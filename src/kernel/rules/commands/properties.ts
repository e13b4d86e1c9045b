import type { AcceptanceRule } from '../../../properties/rules/acceptance-rule.ts';
import type { Policies, Property, Room, RoomStatus, RoomType } from '../../../properties/rules/property.ts';
import type { RatePlan } from '../../../rates/rules/rate-plan.ts';
import type { Day } from '../dates.ts';
import type { Instant } from '../property-time.ts';

export type PropertyCommands = {
  CREATE_PROPERTY: { command: { property: Property; plans: RatePlan[] }; result: Property };
  UPDATE_PROPERTY: { command: { property: Property }; result: Property };
  DELETE_PROPERTY: { command: object; result: null };
  RESTORE_PROPERTY: { command: object; result: Property };
  /** Which recommended rates are accepted without a person. */
  SET_ACCEPTANCE_RULE: {
    command: { rule: Omit<AcceptanceRule, 'setBy' | 'setAt'> };
    result: AcceptanceRule;
  };
  FOLLOW_TENANT: { command: { policies: Partial<Policies> }; result: Property };
  PUT_ROOM_TYPE: { command: { roomType: RoomType; mode: PutMode }; result: RoomType };
  REMOVE_ROOM_TYPE: { command: { roomType: string }; result: null };
  RESTORE_ROOM_TYPE: {
    /** `removed`: the type and its removed rooms, as the database has them; absent where there are none. */
    command: { roomType: string; removed?: { roomType: RoomType; rooms: Room[] } };
    result: RoomType;
  };
  /**
   * A room without a status, without `accessible` or `connectsTo` keeps its own; a new one is AVAILABLE and has none of
   * the others.
   */
  PUT_ROOMS: {
    command: { rooms: RoomToPut[]; mode: PutMode };
    result: Room[];
  };
  REMOVE_ROOM: { command: { roomNumber: string }; result: null };
  RESTORE_ROOM: { command: { roomNumber: string; removed?: Room }; result: Room };
  SET_ROOM_STATUS: { command: { roomNumber: string; status: RoomStatus; notes?: string }; result: Room };
  SET_INVENTORY: {
    command: {
      roomType: string;
      start: Day;
      end: Day;
      totalRooms?: number;
      blockedRooms?: number;
      overbookingLimit?: number;
      /** Stamp of an external source: nights with a newer stamp stay as they are. */
      told?: ExternalStamp;
    };
    /** `stale`: number of nights that kept their counts because of a newer stamp. */
    result: { oversold: ShortNight[]; stale?: number };
  };
};

type RoomToPut = Omit<Room, 'status' | 'accessible'> & Partial<Pick<Room, 'status'>> & { accessible?: boolean };

/** create rejects an existing one, replace a missing one, put accepts both. */
export type PutMode = 'create' | 'replace' | 'put';

/** Time of an external change by its source's clock, with its number there, where it has one. */
export type ExternalStamp = { at: Instant; seq: number | null };

/** A night on which more rooms of a type are sold than are there. */
export type ShortNight = { roomType: string; day: Day; shortfall: number };
