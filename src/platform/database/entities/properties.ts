import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

import {
  type Policies,
  type PostalAddress,
  type Property,
  type PropertyMetadata,
  ROOM_STATUSES,
  type RoomType,
} from '../../../properties/rules/property.ts';

/** Stored metadata: policies that the property does not set may be absent. */
export type StoredMetadata = Omit<PropertyMetadata, 'amenities' | 'policies'> & {
  amenities?: string[];
  policies?: Partial<Policies>;
};

/** Properties of entities have the names of columns: a row of the plain driver has the same shape. */
export const PropertyEntity = defineEntity({
  name: 'Property',
  tableName: 'properties',
  properties: {
    tenant_id: p.text().primary(),
    property_id: p.string().length(50).primary(),
    name: p.string().length(200),
    property_code: p.string().length(50).nullable(),
    brand: p.string().length(100).nullable(),
    property_type: p.string().length(50),
    metadata: p.json<StoredMetadata>(),
    address: p.json<PostalAddress>().nullable(),
    contact: p.json<NonNullable<Property['contact']>>().nullable(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
    deleted_at: p.datetime(3).nullable(),
  },
});

export const RoomTypeEntity = defineEntity({
  name: 'RoomType',
  tableName: 'room_types',
  properties: {
    tenant_id: p.text().primary(),
    property_id: p.string().length(50).primary(),
    room_type: p.string().length(50).primary(),
    name: p.string().length(100),
    max_adults: p.integer(),
    max_children: p.integer(),
    max_guests: p.integer(),
    total_rooms: p.integer(),
    amenities: p.json<string[]>(),
    rolling_rates: p.json<NonNullable<RoomType['rollingRates']>>().nullable(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
    deleted_at: p.datetime(3).nullable(),
  },
});

export const RoomEntity = defineEntity({
  name: 'Room',
  tableName: 'rooms',
  properties: {
    tenant_id: p.text().primary(),
    property_id: p.string().length(50).primary(),
    room_number: p.string().length(10).primary(),
    room_type: p.string().length(50),
    floor: p.integer(),
    status: p.enum(ROOM_STATUSES),
    features: p.json<string[]>(),
    accessible: p.boolean().nullable(),
    connects_to: p.json<string[]>().nullable(),
    notes: p.text().nullable(),
    reservation_id: p.uuid().nullable(),
    updated_at: p.datetime(3),
    deleted_at: p.datetime(3).nullable(),
  },
});

export const PropertyActorEntity = defineEntity({
  name: 'PropertyActor',
  tableName: 'property_actor',
  properties: {
    tenant_id: p.text().primary(),
    property_id: p.string().length(50).primary(),
    epoch: p.bigint('number'),
    seq: p.bigint('number'),
    generation: p.integer(),
  },
});

export type StoredPropertyRow = InferEntity<typeof PropertyEntity>;
export type RoomTypeRow = InferEntity<typeof RoomTypeEntity>;
export type RoomRow = InferEntity<typeof RoomEntity>;
