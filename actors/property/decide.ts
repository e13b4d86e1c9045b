import type { Command, CommandOf, CommandType } from '../../src/kernel/rules/commands.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Decision, DecisionContext } from './decision.ts';
import type { Draft } from './draft.ts';
import { decideCreateGroup } from './groups/groups.ts';
import { decideEraseGuest } from './guests/erase-guest.ts';
import { decideSetInventory } from './inventory.ts';
import { chargeDue } from './money/charge-due.ts';
import { decidePostCharge, decideRouteFolio, decideVoidPosting } from './money/folio.ts';
import { decideGiveRefund } from './money/give-refund.ts';
import { decidePayOutRefund } from './money/pay-out.ts';
import { decideTakePaymentResult } from './money/payment-results.ts';
import { endPayment, startPayment } from './money/payments.ts';
import { decideWaivePenalty } from './money/waive.ts';
import { checkWhole } from './money/whole-amounts.ts';
import { expire, tick } from './passing-time.ts';
import { decideRestoreProperty, decideRestoreRoom, decideRestoreRoomType } from './properties/restore.ts';
import {
  decideCreateProperty,
  decideDeleteProperty,
  decideFollowTenant,
  putRooms,
  decidePutRoomType,
  decideRemoveRoom,
  decideRemoveRoomType,
  decideSetRoomStatus,
  decideUpdateProperty,
} from './properties/setup.ts';
import { decideSetBaseRates } from './rates/base-rates.ts';
import { implementRates } from './rates/implement-rates.ts';
import { decideCreatePromotion, decidePausePromotion } from './rates/promotions.ts';
import { putRatePlan, decideRemoveRatePlan } from './rates/rate-plans.ts';
import { decideSetRestrictions } from './rates/restrictions.ts';
import { decideNoteMarket, setSignals } from './rates/signals.ts';
import { reload } from './reload.ts';
import { decideAssignRoom } from './rooms/assign-room.ts';
import { decideAssignRooms } from './rooms/assign-rooms.ts';
import { abandonBooking, book, confirmBooking, startBooking } from './stay/booking.ts';
import { cancel, completeRefund, lapse, release } from './stay/cancel.ts';
import { decideCheckIn } from './stay/check-in.ts';
import { decideCheckOut } from './stay/check-out.ts';
import { decideComp, decideUndoComp } from './stay/comp.ts';
import { decideConfirmReservation } from './stay/confirm.ts';
import { decideExtendHold, decidePlaceHold, releaseExplicit } from './stay/holds.ts';
import { modify } from './stay/modify.ts';
import { noShow } from './stay/no-show.ts';
import { decideOverstay } from './stay/overstay.ts';
import { decideReinstate } from './stay/reinstate.ts';
import { decideUpgrade } from './stay/upgrade.ts';

/**
 * Decides one command on the draft: pure, without I/O, clock or randomness. Either the draft has all of its effects,
 * or none and a `DomainError` is thrown.
 */
export function decide(draft: Draft, command: Command, context: DecisionContext): Decision {
  if (!draft.property && command.type !== 'CREATE_PROPERTY' && command.type !== 'RESTORE_PROPERTY')
    throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  checkWhole(draft.property, command);
  const rule = RULES[command.type] as (draft: Draft, command: Command, context: DecisionContext) => Decision;
  return rule(draft, command, context);
}

/** What decides each command. */
const RULES: {
  [T in CommandType]: (draft: Draft, command: CommandOf<T>, context: DecisionContext) => Decision<T>;
} = {
  CREATE_PROPERTY: decideCreateProperty,
  UPDATE_PROPERTY: decideUpdateProperty,
  DELETE_PROPERTY: (draft) => decideDeleteProperty(draft),
  RESTORE_PROPERTY: (draft, _, context) => decideRestoreProperty(draft, context),
  FOLLOW_TENANT: decideFollowTenant,
  PUT_ROOM_TYPE: decidePutRoomType,
  REMOVE_ROOM_TYPE: decideRemoveRoomType,
  RESTORE_ROOM_TYPE: decideRestoreRoomType,
  PUT_ROOMS: putRooms,
  REMOVE_ROOM: decideRemoveRoom,
  RESTORE_ROOM: decideRestoreRoom,
  SET_ROOM_STATUS: decideSetRoomStatus,
  SET_INVENTORY: decideSetInventory,
  SET_BASE_RATES: decideSetBaseRates,
  SET_RESTRICTIONS: decideSetRestrictions,
  PUT_RATE_PLAN: putRatePlan,
  REMOVE_RATE_PLAN: decideRemoveRatePlan,
  SET_SIGNALS: setSignals,
  NOTE_MARKET: decideNoteMarket,
  IMPLEMENT_RATES: implementRates,
  CREATE_PROMOTION: decideCreatePromotion,
  PAUSE_PROMOTION: decidePausePromotion,
  CREATE_GROUP: decideCreateGroup,
  PLACE_HOLD: decidePlaceHold,
  EXTEND_HOLD: decideExtendHold,
  RELEASE_HOLD: releaseExplicit,
  START_BOOKING: startBooking,
  CONFIRM_BOOKING: confirmBooking,
  ABANDON_BOOKING: abandonBooking,
  BOOK: book,
  CANCEL: cancel,
  MODIFY: modify,
  ASSIGN_ROOM: decideAssignRoom,
  ASSIGN_ROOMS: decideAssignRooms,
  CHECK_IN: decideCheckIn,
  CHECK_OUT: decideCheckOut,
  NO_SHOW: noShow,
  REINSTATE: decideReinstate,
  UPGRADE: decideUpgrade,
  COMP: decideComp,
  UNDO_COMP: decideUndoComp,
  OVERSTAY: decideOverstay,
  START_PAYMENT: startPayment,
  END_PAYMENT: endPayment,
  TAKE_PAYMENT_RESULT: decideTakePaymentResult,
  CONFIRM_RESERVATION: decideConfirmReservation,
  LAPSE: lapse,
  RELEASE_UNCLAIMED: release,
  CHARGE_DUE: chargeDue,
  WAIVE_PENALTY: decideWaivePenalty,
  GIVE_REFUND: decideGiveRefund,
  POST_CHARGE: decidePostCharge,
  VOID_POSTING: decideVoidPosting,
  ROUTE_FOLIO: decideRouteFolio,
  SETTLE_REFUND: completeRefund,
  PAY_OUT_REFUND: decidePayOutRefund,
  ERASE_GUEST: decideEraseGuest,
  RELOAD: reload,
  EXPIRE: (draft, _, context) => expire(draft, context),
  TICK: (draft, _, context) => tick(draft, context),
};
