import type { Address } from '../domain/caller.ts';
import type { Property, Room, RoomType } from '../domain/property.ts';
import type { RatePlan } from '../domain/rate-plan.ts';
import type { Page } from './page.ts';
import type { PagePosition } from './page.ts';

/** Properties of a tenant as the database lists them, without waking their actors. */
export interface PropertyReader {
  /** Whether it was deleted, and can be restored. */
  isRemoved(to: Address): Promise<boolean>;
  /** A room type that was removed, with rooms of it that were. */
  removedRoomType(to: Address, roomType: string): Promise<{ roomType: RoomType; rooms: Room[] } | undefined>;
  /** Rooms that the property has. */
  rooms(to: Address): Promise<Room[]>;
  removedRoom(to: Address, roomNumber: string): Promise<Room | undefined>;
  removedPlan(tenantId: string, id: string): Promise<{ propertyId: string; plan: RatePlan } | undefined>;
  list(tenantId: string, limit: number, after?: PagePosition): Promise<Page<Property>>;
}
