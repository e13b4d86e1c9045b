import type { CommandType } from './commands.ts';
import type { PropertyId, TenantId } from './ids.ts';
import type { Facts } from './journal.ts';
import type { Instant } from './property-time.ts';

/** Kind of the entity of each command. */
const ENTITY_OF: Record<CommandType, string> = {
  CREATE_PROPERTY: 'property',
  UPDATE_PROPERTY: 'property',
  DELETE_PROPERTY: 'property',
  RESTORE_PROPERTY: 'property',
  FOLLOW_TENANT: 'property',
  SET_ACCEPTANCE_RULE: 'property',
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
  SET_NIGHT_RATES: 'rates',
  SET_SIGNALS: 'rates',
  NOTE_MARKET: 'market',
  RELOAD: 'rates',
  SET_RESTRICTIONS: 'restrictions',
  PUT_RATE_PLAN: 'ratePlan',
  REMOVE_RATE_PLAN: 'ratePlan',
  CREATE_PROMOTION: 'promotion',
  PAUSE_PROMOTION: 'promotion',
  PUT_CALENDAR_EVENT: 'calendarEvent',
  REMOVE_CALENDAR_EVENT: 'calendarEvent',
  CREATE_GROUP: 'group',
  CHANGE_GROUP: 'group',
  DELETE_GROUP: 'group',
  PLACE_HOLD: 'hold',
  EXTEND_HOLD: 'hold',
  RELEASE_HOLD: 'hold',
  EXPIRE: 'hold',
  JOIN_WAITLIST: 'waitlist',
  LEAVE_WAITLIST: 'waitlist',
  OFFER_WAITLIST: 'waitlist',
  KEEP_INQUIRY: 'inquiry',
  CLOSE_INQUIRY: 'inquiry',
  TICK: 'businessDate',
  ASSIGN_ROOMS: 'property',
  OPEN_MAINTENANCE: 'maintenance',
  CHANGE_MAINTENANCE: 'maintenance',
  END_MAINTENANCE: 'maintenance',
  ALIGN_ROOMS: 'property',
  CHANGE_HOUSEKEEPING_TASK: 'housekeepingTask',
  START_HOUSEKEEPING_TASK: 'housekeepingTask',
  COMPLETE_HOUSEKEEPING_TASK: 'housekeepingTask',
  INSPECT_HOUSEKEEPING_TASK: 'housekeepingTask',
  START_BOOKING: 'reservation',
  CONFIRM_BOOKING: 'reservation',
  ABANDON_BOOKING: 'reservation',
  BOOK: 'reservation',
  BOOK_ROOMS: 'reservation',
  START_ROOMS: 'reservation',
  CANCEL: 'reservation',
  LAPSE: 'reservation',
  RELEASE_UNCLAIMED: 'reservation',
  CHARGE_DUE: 'reservation',
  MODIFY: 'reservation',
  ASSIGN_ROOM: 'reservation',
  CHECK_IN: 'reservation',
  UNDO_CHECK_IN: 'reservation',
  CHECK_OUT: 'reservation',
  NO_SHOW: 'reservation',
  WALK: 'reservation',
  REINSTATE: 'reservation',
  OVERSTAY: 'reservation',
  START_PAYMENT: 'reservation',
  TAKE_CARD: 'reservation',
  END_PAYMENT: 'reservation',
  TAKE_PAYMENT_RESULT: 'reservation',
  SETTLE_REFUND: 'reservation',
  CONFIRM_RESERVATION: 'reservation',
  WAIVE_PENALTY: 'reservation',
  GIVE_REFUND: 'reservation',
  CHARGE_BACK: 'reservation',
  CLOSE_CHARGEBACK: 'reservation',
  WIN_CHARGEBACK: 'reservation',
  UPGRADE: 'reservation',
  COMP: 'reservation',
  UNDO_COMP: 'reservation',
  POST_CHARGE: 'reservation',
  VOID_POSTING: 'reservation',
  ROUTE_FOLIO: 'reservation',
  PAY_OUT_REFUND: 'reservation',
  ERASE_GUEST: 'reservation',
  RECORD_NOTE: 'note',
  RECORD_MAIL: 'mail',
  IMPORT_RESERVATIONS: 'import',
};

/** Kind of the entity of a journal row. */
export function entityOf(type: CommandType): string {
  return ENTITY_OF[type];
}

/** Commands about a kind of entity, ignoring case; empty for an unknown kind. */
export function commandsAbout(kind: string): CommandType[] {
  const wanted = kind.toLowerCase();
  return (Object.keys(ENTITY_OF) as CommandType[]).filter((type) => ENTITY_OF[type].toLowerCase() === wanted);
}

/** Commands about several reservations, or about another thing, whose rows name the reservations in their facts. */
export const ABOUT_SEVERAL: readonly CommandType[] = [
  'START_ROOMS',
  'BOOK_ROOMS',
  'IMPORT_RESERVATIONS',
  'CONFIRM_BOOKING',
  'ABANDON_BOOKING',
  'ASSIGN_ROOMS',
  'CHECK_IN',
  'EXPIRE',
  'TICK',
];

/** Filter of the audit trail: all conditions must hold. */
export type AuditFilter = {
  /** A kind of entity, or an id. */
  entity?: string;
  /** A property: its journal, and what administration did about it. */
  propertyId?: PropertyId;
  /** In upper case, such as `CANCEL` or `CHANGED`. */
  action?: string;
  /** Id of a user of the tenant. */
  subject?: string;
  /** Both inclusive. */
  from?: Instant;
  to?: Instant;
};

/** Position in the trail, newest first: journals of properties, and of administration, whose source is empty. */
export type AuditPosition = { at: Instant; source: string; seq: number };

type Row = AuditPosition & { subject: string; requestId: string; entityId: string; hash: string };

/** A row of a property's journal. */
export type PropertyAudit = Row & { action: CommandType; facts: Facts };
/** A row of the administration journal. */
type AdministrationAudit = Row & { action: string; entity: string; before: unknown; after: unknown };
export type AuditRow = PropertyAudit | AdministrationAudit;

/** The head of a chain at an hour; the source is empty for administration. */
export type AuditHead = {
  tenantId: TenantId;
  source: string;
  seq: number;
  hash: string;
  hour: Instant;
  /** Signature of the previous head in this chain, '' for the first. */
  before: string;
};

/** The signed text of a head. */
export function headText({ tenantId, source, seq, hash, hour, before }: AuditHead): string {
  return JSON.stringify([tenantId, source, seq, hash, hour, before]);
}

/** Signing purpose of heads. */
export const HEAD_PURPOSE = 'audit-head';
