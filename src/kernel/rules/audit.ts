import type { CommandType } from './commands.ts';
import type { TenantId } from './ids.ts';
import type { Facts } from './journal.ts';
import type { Instant } from './property-time.ts';

/** Kinds of things that a command of a property is about. */
const ENTITY_OF: Record<CommandType, string> = {
  CREATE_PROPERTY: 'property',
  UPDATE_PROPERTY: 'property',
  DELETE_PROPERTY: 'property',
  RESTORE_PROPERTY: 'property',
  FOLLOW_TENANT: 'property',
  PUT_ROOM_TYPE: 'roomType',
  REMOVE_ROOM_TYPE: 'roomType',
  RESTORE_ROOM_TYPE: 'roomType',
  PUT_ROOMS: 'room',
  REMOVE_ROOM: 'room',
  RESTORE_ROOM: 'room',
  SET_ROOM_STATUS: 'room',
  SET_INVENTORY: 'inventory',
  SET_BASE_RATES: 'rates',
  IMPLEMENT_RATES: 'rates',
  SET_SIGNALS: 'rates',
  NOTE_MARKET: 'market',
  RELOAD: 'rates',
  SET_RESTRICTIONS: 'restrictions',
  PUT_RATE_PLAN: 'ratePlan',
  REMOVE_RATE_PLAN: 'ratePlan',
  CREATE_PROMOTION: 'promotion',
  PAUSE_PROMOTION: 'promotion',
  CREATE_GROUP: 'group',
  PLACE_HOLD: 'hold',
  EXTEND_HOLD: 'hold',
  RELEASE_HOLD: 'hold',
  EXPIRE: 'hold',
  TICK: 'businessDate',
  ASSIGN_ROOMS: 'property',
  START_BOOKING: 'reservation',
  CONFIRM_BOOKING: 'reservation',
  ABANDON_BOOKING: 'reservation',
  BOOK: 'reservation',
  CANCEL: 'reservation',
  LAPSE: 'reservation',
  RELEASE_UNCLAIMED: 'reservation',
  CHARGE_DUE: 'reservation',
  MODIFY: 'reservation',
  ASSIGN_ROOM: 'reservation',
  CHECK_IN: 'reservation',
  CHECK_OUT: 'reservation',
  NO_SHOW: 'reservation',
  REINSTATE: 'reservation',
  OVERSTAY: 'reservation',
  START_PAYMENT: 'reservation',
  END_PAYMENT: 'reservation',
  TAKE_PAYMENT_RESULT: 'reservation',
  SETTLE_REFUND: 'reservation',
  CONFIRM_RESERVATION: 'reservation',
  WAIVE_PENALTY: 'reservation',
  GIVE_REFUND: 'reservation',
  UPGRADE: 'reservation',
  COMP: 'reservation',
  UNDO_COMP: 'reservation',
  POST_CHARGE: 'reservation',
  VOID_POSTING: 'reservation',
  ROUTE_FOLIO: 'reservation',
  PAY_OUT_REFUND: 'reservation',
  ERASE_GUEST: 'reservation',
};

/** The kind of thing that a row of a property's journal is about. */
export function entityOf(type: CommandType): string {
  return ENTITY_OF[type];
}

/** Commands about a kind of thing, whatever its case; none for what is no kind. */
export function commandsAbout(kind: string): CommandType[] {
  const wanted = kind.toLowerCase();
  return (Object.keys(ENTITY_OF) as CommandType[]).filter((type) => ENTITY_OF[type].toLowerCase() === wanted);
}

/** What the trail is narrowed to: all must hold. */
export type AuditFilter = {
  /** A kind of thing, or the id of one. */
  entity?: string;
  /** Id of a user of the tenant. */
  subject?: string;
  /** Both inclusive. */
  from?: Instant;
  to?: Instant;
};

/** A place in the trail, newest first: property journals and that of administration, whose source is empty. */
export type AuditPosition = { at: Instant; source: string; seq: number };

type Row = AuditPosition & { subject: string; requestId: string; entityId: string; hash: string };

/** A row of the journal of a property. */
export type PropertyAudit = Row & { action: CommandType; facts: Facts };
/** A row of the journal of administration. */
type AdministrationAudit = Row & { action: string; entity: string; before: unknown; after: unknown };
export type AuditRow = PropertyAudit | AdministrationAudit;

/** The head of a chain at an hour; the source of administration is empty. */
export type AuditHead = {
  tenantId: TenantId;
  source: string;
  seq: number;
  hash: string;
  hour: Instant;
  /** Signature of the head before it in this chain, '' for the first. */
  before: string;
};

/** What the signature of a head stands for. */
export function headText({ tenantId, source, seq, hash, hour, before }: AuditHead): string {
  return JSON.stringify([tenantId, source, seq, hash, hour, before]);
}

/** Purpose of the signatures of heads. */
export const HEAD_PURPOSE = 'audit-head';
