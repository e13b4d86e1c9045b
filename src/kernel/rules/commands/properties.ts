import type { Policies, Property, Room, RoomStatus, RoomType } from '../../../properties/rules/property.ts';
import type { RatePlan } from '../../../rates/rules/rate-plan.ts';
import type { Day } from '../dates.ts';
import type { Instant } from '../property-time.ts';

export type PropertyCommands = {
  CREATE_PROPERTY: { command: { property: Property; plans: RatePlan[] }; result: Property };
  UPDATE_PROPERTY: { command: { property: Property }; result: Property };
  DELETE_PROPERTY: { command: object; result: null };
  RESTORE_PROPERTY: { command: object; result: Property };
  FOLLOW_TENANT: { command: { policies: Partial<Policies> }; result: Property };
  PUT_ROOM_TYPE: { command: { roomType: RoomType; mode: PutMode }; result: RoomType };
  REMOVE_ROOM_TYPE: { command: { roomType: string }; result: null };
  RESTORE_ROOM_TYPE: {
    /** `removed`: it and rooms of it that were removed, as the database has them; nothing where there is none. */
    command: { roomType: string; removed?: { roomType: RoomType; rooms: Room[] } };
    result: RoomType;
  };
  PUT_ROOMS: { command: { rooms: Room[]; mode: PutMode }; result: Room[] };
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
      /** Where others tell it: a night that a newer one has told already stays. */
      told?: ExternalStamp;
    };
    /** `stale`: nights about which something newer is known stayed as they were. */
    result: { oversold: { roomType: string; day: Day; shortfall: number }[]; stale?: number };
  };
};

/** create refuses what exists, replace refuses what does not, put does either. */
export type PutMode = 'create' | 'replace' | 'put';

/** When something was told from outside, by the clock of who told it, and its number there, where it has one. */
export type ExternalStamp = { at: Instant; seq: number | null };
