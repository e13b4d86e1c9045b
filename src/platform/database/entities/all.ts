import { PropertyActorEntity, PropertyEntity, RoomEntity, RoomTypeEntity } from './properties.ts';
import { PaymentEntity, ReservationEntity } from './reservations.ts';
import { AssociationEntity, ChannelMappingEntity, InvitationEntity, TenantEntity, UserEntity } from './tenants.ts';

/** Entities of the ORM: tables with reads outside the actors. */
export const ENTITIES = [
  PropertyEntity,
  RoomTypeEntity,
  RoomEntity,
  PropertyActorEntity,
  ReservationEntity,
  PaymentEntity,
  TenantEntity,
  UserEntity,
  AssociationEntity,
  ChannelMappingEntity,
  InvitationEntity,
];
