import { PropertyActorEntity, PropertyEntity, RatePlanEntity, RoomEntity, RoomTypeEntity } from './properties.ts';
import { PaymentEntity, ReservationEntity } from './reservations.ts';
import { AssociationEntity, ChannelMappingEntity, TenantEntity, UserEntity } from './tenants.ts';

/** What the ORM maps; tables without a cold reader are not here. */
export const ENTITIES = [
  PropertyEntity,
  RoomTypeEntity,
  RoomEntity,
  RatePlanEntity,
  PropertyActorEntity,
  ReservationEntity,
  PaymentEntity,
  TenantEntity,
  UserEntity,
  AssociationEntity,
  ChannelMappingEntity,
];
