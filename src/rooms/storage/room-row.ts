import type { RoomRow, RoomTypeRow } from '../../platform/database/entities/properties.ts';
import { present } from '../../platform/database/row-values.ts';
import type { Room, RoomType } from '../../properties/rules/property.ts';

export function toRoomType(row: RoomTypeRow): RoomType {
  return {
    roomType: row.room_type,
    name: row.name,
    maxAdults: row.max_adults,
    maxChildren: row.max_children,
    maxGuests: row.max_guests,
    totalRooms: row.total_rooms,
    amenities: row.amenities,
    rollingRates: present(row.rolling_rates),
  };
}

export function toRoom(row: RoomRow): Room {
  return {
    roomNumber: row.room_number,
    roomType: row.room_type,
    floor: row.floor,
    status: row.status,
    features: row.features,
    accessible: row.accessible ? true : undefined,
    connectsTo: row.connects_to && row.connects_to.length > 0 ? row.connects_to : undefined,
    notes: present(row.notes),
    reservationId: present(row.reservation_id),
    updatedAt: row.updated_at.getTime(),
  };
}
