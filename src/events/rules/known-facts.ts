import type { CommandType } from '../../kernel/rules/commands.ts';
import type { CellMove, SetupKind } from '../../kernel/rules/journal.ts';
import { BOOKING_TOPICS, type EventRow, FACT_TOPICS } from './event-records.ts';

/** Every command whose rows this build can publish. */
const COMMANDS: Record<CommandType, true> = {
  ABANDON_BOOKING: true,
  ALIGN_ROOMS: true,
  ASSIGN_ROOM: true,
  ASSIGN_ROOMS: true,
  BOOK: true,
  BOOK_ROOMS: true,
  CANCEL: true,
  CHANGE_GROUP: true,
  CHANGE_HOUSEKEEPING_TASK: true,
  CHANGE_MAINTENANCE: true,
  CHECK_IN: true,
  CHECK_OUT: true,
  COMP: true,
  COMPLETE_HOUSEKEEPING_TASK: true,
  CONFIRM_BOOKING: true,
  CLOSE_INQUIRY: true,
  CONFIRM_RESERVATION: true,
  CREATE_GROUP: true,
  CREATE_PROMOTION: true,
  CREATE_PROPERTY: true,
  DELETE_GROUP: true,
  DELETE_PROPERTY: true,
  END_MAINTENANCE: true,
  END_PAYMENT: true,
  ERASE_GUEST: true,
  EXPIRE: true,
  EXTEND_HOLD: true,
  FOLLOW_TENANT: true,
  GIVE_REFUND: true,
  IMPLEMENT_RATES: true,
  IMPORT_RESERVATIONS: true,
  INSPECT_HOUSEKEEPING_TASK: true,
  JOIN_WAITLIST: true,
  KEEP_INQUIRY: true,
  LAPSE: true,
  LEAVE_WAITLIST: true,
  RELEASE_UNCLAIMED: true,
  CHARGE_BACK: true,
  CHARGE_DUE: true,
  CLOSE_CHARGEBACK: true,
  WIN_CHARGEBACK: true,
  MODIFY: true,
  NOTE_MARKET: true,
  NO_SHOW: true,
  OFFER_WAITLIST: true,
  OPEN_MAINTENANCE: true,
  OVERSTAY: true,
  PAUSE_PROMOTION: true,
  PAY_OUT_REFUND: true,
  PLACE_HOLD: true,
  POST_CHARGE: true,
  PUT_CALENDAR_EVENT: true,
  PUT_RATE_PLAN: true,
  PUT_ROOMS: true,
  PUT_ROOM_TYPE: true,
  RECORD_MAIL: true,
  RECORD_NOTE: true,
  REINSTATE: true,
  RELEASE_HOLD: true,
  RELOAD: true,
  REMOVE_CALENDAR_EVENT: true,
  REMOVE_RATE_PLAN: true,
  REMOVE_ROOM: true,
  REMOVE_ROOM_TYPE: true,
  RESTORE_PROPERTY: true,
  RESTORE_ROOM: true,
  RESTORE_ROOM_TYPE: true,
  ROUTE_FOLIO: true,
  SETTLE_REFUND: true,
  SET_ACCEPTANCE_RULE: true,
  SET_BASE_RATES: true,
  SET_NIGHT_RATES: true,
  SET_INVENTORY: true,
  SET_RESTRICTIONS: true,
  SET_ROOM_STATUS: true,
  SET_SIGNALS: true,
  START_BOOKING: true,
  START_HOUSEKEEPING_TASK: true,
  START_ROOMS: true,
  START_PAYMENT: true,
  TAKE_CARD: true,
  TAKE_PAYMENT_RESULT: true,
  TICK: true,
  UNDO_CHECK_IN: true,
  UNDO_COMP: true,
  UPDATE_PROPERTY: true,
  UPGRADE: true,
  VOID_POSTING: true,
  WAIVE_PENALTY: true,
  WALK: true,
};

const SETUP_KINDS: Record<SetupKind, true> = {
  property: true,
  roomType: true,
  room: true,
  inventory: true,
  plan: true,
  restrictions: true,
  signals: true,
  promotion: true,
  calendarEvent: true,
  group: true,
  maintenance: true,
  housekeepingTask: true,
  waitlist: true,
  inquiry: true,
  extraStay: true,
  note: true,
  mail: true,
};

const MOVES: Record<CellMove, true> = { rate: true, both: true, none: true };

/** Characters of a name in an error, enough to find it. */
const MAX_CHARACTERS = 40;

/**
 * A journal row has a fact that this build does not know: a newer build wrote it and can publish it. Skipping it would
 * lose its events.
 */
class UnknownFact extends Error {
  override readonly name = 'UnknownFact';

  constructor(what: string, name: unknown) {
    super(`this build does not know the ${what} ${JSON.stringify(String(name).slice(0, MAX_CHARACTERS))}`);
  }
}

/**
 * Asserts that this build knows every member of a row, so that no event is missed.
 * @throws UnknownFact; other errors for a malformed row
 */
export function assertKnown({ type, facts }: EventRow): void {
  must(COMMANDS, 'command', type);
  for (const fact of Object.keys(facts)) must(FACT_TOPICS, 'kind of fact', fact);
  for (const [event] of facts.bookings ?? []) must(BOOKING_TOPICS, 'booking event', event);
  for (const { kind } of facts.setup ?? []) must(SETUP_KINDS, 'kind of set-up', kind);
  for (const cell of facts.cells ?? []) if (cell[8] !== undefined) must(MOVES, 'change of a night', cell[8]);
}

function must(known: object, what: string, name: string): void {
  if (!Object.hasOwn(known, name)) throw new UnknownFact(what, name);
}
