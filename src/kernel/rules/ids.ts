import type { Unit } from './unit.ts';

/** Names of things. One is never taken for another: functions that want two of them are called by position. */
export type TenantId = Unit<string, 'tenant'>;
export type PropertyId = Unit<string, 'property'>;
export type ReservationId = Unit<string, 'reservation'>;
export type GuestId = Unit<string, 'guest'>;
export type HoldId = Unit<string, 'hold'>;
export type PaymentId = Unit<string, 'payment'>;
export type GroupId = Unit<string, 'group'>;
