import type { Command, CommandResults, CommandType, KeyClaim } from '../../src/kernel/rules/commands.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../src/kernel/rules/journal.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';
import type { Draft } from './draft.ts';
import { createGroup } from './groups/groups.ts';
import { eraseGuest } from './guests/erase-guest.ts';
import { setInventory } from './inventory.ts';
import { giveRefund } from './money/give-refund.ts';
import { payOutRefund } from './money/pay-out.ts';
import { takePaymentResult } from './money/payment-results.ts';
import { endPayment, startPayment } from './money/payments.ts';
import { waivePenalty } from './money/waive.ts';
import { expire, tick } from './passing-time.ts';
import { restoreProperty, restoreRoom, restoreRoomType } from './properties/restore.ts';
import {
  createProperty,
  deleteProperty,
  followTenant,
  putRooms,
  putRoomType,
  removeRoom,
  removeRoomType,
  setRoomStatus,
  updateProperty,
} from './properties/setup.ts';
import { setBaseRates } from './rates/base-rates.ts';
import { implementRates } from './rates/implement-rates.ts';
import { createPromotion, pausePromotion } from './rates/promotions.ts';
import { putRatePlan, removeRatePlan } from './rates/rate-plans.ts';
import { setRestrictions } from './rates/restrictions.ts';
import { noteMarket, setSignals } from './rates/signals.ts';
import { reload } from './reload.ts';
import { assignRoom } from './rooms/assign-room.ts';
import { assignRooms } from './rooms/assign-rooms.ts';
import { abandonBooking, book, confirmBooking, startBooking } from './stay/booking.ts';
import { cancel, lapse, settleRefund } from './stay/cancel.ts';
import { checkIn } from './stay/check-in.ts';
import { checkOut } from './stay/check-out.ts';
import { confirmReservation } from './stay/confirm.ts';
import { extendHold, placeHold, releaseExplicit } from './stay/holds.ts';
import { modify } from './stay/modify.ts';
import { noShow } from './stay/no-show.ts';

/** What a rule may know besides the state: when it decides, for whom, and under which key. */
export type DecisionContext = { now: Instant; subject: string; requestId: string; key?: KeyClaim };

/** An accepted command: its answer, and what the journal says of it. */
export type Decision<T extends CommandType = CommandType> = {
  result: CommandResults[T];
  entity: string;
  facts: Facts;
  /** Nothing was changed: no journal row, no `seq`. */
  dryRun?: true;
};

/**
 * Decides one command on the draft: pure, without I/O, clock or randomness. Either the draft has all of its effects,
 * or none and a `DomainError` is thrown.
 */
export function decide(draft: Draft, command: Command, turn: DecisionContext): Decision {
  if (!draft.property && command.type !== 'CREATE_PROPERTY' && command.type !== 'RESTORE_PROPERTY')
    throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  const rule = RULES[command.type] as (draft: Draft, command: Command, turn: DecisionContext) => Decision;
  return rule(draft, command, turn);
}

/** What decides each command. */
const RULES: {
  [T in CommandType]: (draft: Draft, command: Extract<Command, { type: T }>, turn: DecisionContext) => Decision<T>;
} = {
  CREATE_PROPERTY: createProperty,
  UPDATE_PROPERTY: updateProperty,
  DELETE_PROPERTY: (draft) => deleteProperty(draft),
  RESTORE_PROPERTY: (draft, _, turn) => restoreProperty(draft, turn),
  FOLLOW_TENANT: followTenant,
  PUT_ROOM_TYPE: putRoomType,
  REMOVE_ROOM_TYPE: removeRoomType,
  RESTORE_ROOM_TYPE: restoreRoomType,
  PUT_ROOMS: putRooms,
  REMOVE_ROOM: removeRoom,
  RESTORE_ROOM: restoreRoom,
  SET_ROOM_STATUS: setRoomStatus,
  SET_INVENTORY: setInventory,
  SET_BASE_RATES: setBaseRates,
  SET_RESTRICTIONS: setRestrictions,
  PUT_RATE_PLAN: putRatePlan,
  REMOVE_RATE_PLAN: removeRatePlan,
  SET_SIGNALS: setSignals,
  NOTE_MARKET: noteMarket,
  IMPLEMENT_RATES: implementRates,
  CREATE_PROMOTION: createPromotion,
  PAUSE_PROMOTION: pausePromotion,
  CREATE_GROUP: createGroup,
  PLACE_HOLD: placeHold,
  EXTEND_HOLD: extendHold,
  RELEASE_HOLD: releaseExplicit,
  START_BOOKING: startBooking,
  CONFIRM_BOOKING: confirmBooking,
  ABANDON_BOOKING: abandonBooking,
  BOOK: book,
  CANCEL: cancel,
  MODIFY: modify,
  ASSIGN_ROOM: assignRoom,
  ASSIGN_ROOMS: assignRooms,
  CHECK_IN: checkIn,
  CHECK_OUT: checkOut,
  NO_SHOW: noShow,
  START_PAYMENT: startPayment,
  END_PAYMENT: endPayment,
  TAKE_PAYMENT_RESULT: takePaymentResult,
  CONFIRM_RESERVATION: confirmReservation,
  LAPSE: lapse,
  WAIVE_PENALTY: waivePenalty,
  GIVE_REFUND: giveRefund,
  SETTLE_REFUND: settleRefund,
  PAY_OUT_REFUND: payOutRefund,
  ERASE_GUEST: eraseGuest,
  RELOAD: reload,
  EXPIRE: (draft, _, turn) => expire(draft, turn),
  TICK: (draft, _, turn) => tick(draft, turn),
};
