import { claim, type ClientKey, send } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { PutMode } from '../../kernel/rules/commands/properties.ts';
import { definedMembers } from '../../kernel/rules/members.ts';
import type { InventoryBody, UpdateRoomBody, UpdateRoomTypeBody } from '../../properties/contracts/properties.ts';
import type { Room, RoomStatus, RoomType } from '../../properties/rules/property.ts';

/** Creates or replaces a room type (docs/reference/set-up.md#property). */
export function putRoomType(
  services: Services,
  caller: Caller,
  to: Address,
  { code, body, mode }: { code: string; body: UpdateRoomTypeBody; mode: PutMode },
  key?: ClientKey,
): Promise<Reply<RoomType>> {
  const { name, maxAdults, maxChildren, totalRooms, amenities } = body;
  const maxGuests = body.maxGuests ?? maxAdults + maxChildren;
  const roomType = { roomType: code, name, maxAdults, maxChildren, maxGuests, totalRooms, amenities };
  return send(services, caller, to, { type: 'PUT_ROOM_TYPE', roomType, mode }, claim(key));
}

/** @throws DomainError PROPERTY_IN_USE while the type has bookings */
export function removeRoomType(
  services: Services,
  caller: Caller,
  to: Address,
  roomType: string,
  key?: ClientKey,
): Promise<Reply<null>> {
  return send(services, caller, to, { type: 'REMOVE_ROOM_TYPE', roomType }, claim(key));
}

/** Creates or replaces a room. */
export async function putRoom(
  services: Services,
  caller: Caller,
  to: Address,
  { roomNumber, body, mode }: { roomNumber: string; body: UpdateRoomBody; mode: PutMode },
  key?: ClientKey,
): Promise<Reply<Room>> {
  const { roomType, floor, status, features, accessible, connectsTo } = body;
  const room = {
    ...definedMembers({ roomNumber, roomType, floor, status, features, accessible, connectsTo }),
    updatedAt: 0,
  };
  const reply = await send(services, caller, to, { type: 'PUT_ROOMS', rooms: [room], mode }, claim(key));
  return { ...reply, result: reply.result[0]! };
}

export function removeRoom(
  services: Services,
  caller: Caller,
  to: Address,
  roomNumber: string,
  key?: ClientKey,
): Promise<Reply<null>> {
  return send(services, caller, to, { type: 'REMOVE_ROOM', roomNumber }, claim(key));
}

/**
 * Restores a deleted room type with its count and its rooms; its nights are those of a new type.
 * @throws DomainError INVALID_STATE when it was not deleted, ROOM_TYPE_NOT_FOUND
 */
export async function restoreRoomType(
  services: Services,
  caller: Caller,
  to: Address,
  roomType: string,
  key?: ClientKey,
): Promise<Reply<RoomType>> {
  const removed = await services.propertyReader.removedRoomType(to, roomType);
  return send(services, caller, to, { type: 'RESTORE_ROOM_TYPE', roomType, removed }, claim(key));
}

/**
 * @throws DomainError INVALID_STATE when it was not deleted, ROOM_NOT_FOUND, UNKNOWN_ROOM_TYPE when its type is deleted
 */
export async function restoreRoom(
  services: Services,
  caller: Caller,
  to: Address,
  roomNumber: string,
  key?: ClientKey,
): Promise<Reply<Room>> {
  const removed = await services.propertyReader.removedRoom(to, roomNumber);
  return send(services, caller, to, { type: 'RESTORE_ROOM', roomNumber, removed }, claim(key));
}

export function setRoomStatus(
  services: Services,
  caller: Caller,
  to: Address,
  roomNumber: string,
  { status, notes }: { status: RoomStatus; notes?: string },
  key?: ClientKey,
): Promise<Reply<Room>> {
  return send(services, caller, to, { type: 'SET_ROOM_STATUS', roomNumber, status, notes }, claim(key));
}

/** Sets room counts of nights; the answer lists nights that the new count oversells (I1). */
export async function setInventory(
  services: Services,
  caller: Caller,
  to: Address,
  body: InventoryBody,
  key?: ClientKey,
): Promise<Reply<CommandResults['SET_INVENTORY']>> {
  const { startDate: start, endDate: end, ...rest } = body;
  return send(services, caller, to, { type: 'SET_INVENTORY', start, end, ...rest }, claim(key));
}
