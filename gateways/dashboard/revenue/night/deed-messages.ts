import { textsOf } from '../../language/texts.ts';
import { sentenceCase } from '../../messages.ts';

const say = textsOf('pages');

const DEEDS: Record<string, string> = {
  BOOK: say('Booked'),
  BOOK_ROOMS: say('Booked'),
  CONFIRM_BOOKING: say('Booked'),
  START_BOOKING: say('Held for a booking'),
  START_ROOMS: say('Held for a booking'),
  PLACE_HOLD: say('Held'),
  RELEASE_HOLD: say('Hold released'),
  EXPIRE: say('Hold expired'),
  LAPSE: say('Hold expired'),
  RELEASE_UNCLAIMED: say('Released'),
  END_PAYMENT: say('Paid'),
  TAKE_CARD: say('Guaranteed by card'),
  TAKE_PAYMENT_RESULT: say('Paid'),
  CHARGE_BACK: say('Charged back'),
  WIN_CHARGEBACK: say('Chargeback won'),
  CANCEL: say('Cancelled'),
  MODIFY: say('Booking changed'),
  ABANDON_BOOKING: say('Booking given up'),
  SET_BASE_RATES: say('Base rates set'),
  SET_NIGHT_RATES: say('Prices of nights set'),
  SET_RESTRICTIONS: say('Restrictions set'),
  PUT_RATE_PLAN: say('Rate plan changed'),
  CREATE_PROMOTION: say('Promotion set up'),
  PAUSE_PROMOTION: say('Promotion paused'),
  CHANGE_GROUP: say('Group changed'),
  DELETE_GROUP: say('Group deleted'),
  OPEN_MAINTENANCE: say('Room out of order'),
  CHANGE_MAINTENANCE: say('Maintenance changed'),
  END_MAINTENANCE: say('Room back in order'),
  PUT_ROOMS: say('Rooms set up'),
  CHECK_IN: say('Checked in'),
  UNDO_CHECK_IN: say('Check-in undone'),
  OVERSTAY: say('Stayed on'),
  CONFIRM_RESERVATION: say('Booked'),
  IMPORT_RESERVATIONS: say('Imported'),
  IMPLEMENT_RATES: say('Recommended rates applied'),
  SET_INVENTORY: say('Rooms set'),
  SET_SIGNALS: say('Demand or market moved'),
  PUT_ROOM_TYPE: say('Room type set up'),
  CREATE_GROUP: say('Blocked for a group'),
  NO_SHOW: say('No-show'),
  WALK: say('Sent to another hotel'),
  OFFER_WAITLIST: say('Held for a waiting guest'),
  REINSTATE: say('Reinstated'),
  UPGRADE: say('Upgraded'),
  COMP: say('Made complimentary'),
  UNDO_COMP: say('Charged again'),
  CHECK_OUT: say('Checked out'),
  TICK: say('Time passed'),
};
/** What a command did to a night. An unpaid booking only holds the room, so it is not called booked. */
export const deedWord = (type: string, { heldRooms: held }: CellChanges): string =>
  (type === 'BOOK' || type === 'BOOK_ROOMS') && held && (held.to ?? 0) > (held.from ?? 0)
    ? say('Held, unpaid')
    : (DEEDS[type] ?? sentenceCase(type));

type CellChanges = Record<string, { from: number | null; to: number | null } | undefined>;
