import type { Command, CommandOf, CommandType } from '../../src/kernel/rules/commands.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Decision, DecisionContext } from './decision.ts';
import { decideRecordMail } from './desk/record-mail.ts';
import { decideRecordNote } from './desk/record-note.ts';
import { decideUndoCheckIn } from './desk/undo-check-in.ts';
import type { Draft } from './draft.ts';
import { decideChangeGroup, decideCreateGroup, decideDeleteGroup } from './groups/groups.ts';
import { decideEraseGuest } from './guests/erase-guest.ts';
import { decideExtendHold, decidePlaceHold, decideReleaseHold } from './holds/holds.ts';
import { decideCloseInquiry, decideKeepInquiry } from './holds/inquiries.ts';
import { decideJoinWaitlist, decideLeaveWaitlist, decideOfferWaitlist } from './holds/waitlist.ts';
import { decideImportReservations } from './imports/import-reservations.ts';
import { decideSetInventory } from './inventory.ts';
import { decideChargeDue } from './money/charge-due.ts';
import { decideChargeBack, decideCloseChargeback } from './money/chargeback.ts';
import { decidePostCharge, decideRouteFolio, decideVoidPosting } from './money/folio.ts';
import { decideGiveRefund } from './money/give-refund.ts';
import { decidePayOutRefund } from './money/pay-out.ts';
import { decideTakePaymentResult } from './money/payment-results.ts';
import { decideEndPayment, decideStartPayment } from './money/payments.ts';
import { decideTakeCard } from './money/take-card.ts';
import { decideWaivePenalty } from './money/waive.ts';
import { checkWhole } from './money/whole-amounts.ts';
import { decideWinChargeback } from './money/win-chargeback.ts';
import { decideExpire, decideTick } from './passing-time.ts';
import { decideRestoreProperty, decideRestoreRoom, decideRestoreRoomType } from './properties/restore.ts';
import {
  decideCreateProperty,
  decideDeleteProperty,
  decideFollowTenant,
  decidePutRooms,
  decidePutRoomType,
  decideRemoveRoom,
  decideRemoveRoomType,
  decideSetRoomStatus,
  decideUpdateProperty,
} from './properties/setup.ts';
import { decideSetAcceptanceRule } from './rates/acceptance-rule.ts';
import { decideSetBaseRates } from './rates/base-rates.ts';
import { decidePutCalendarEvent, decideRemoveCalendarEvent } from './rates/calendar-events.ts';
import { decideImplementRates } from './rates/implement-rates.ts';
import { decideSetNightRates } from './rates/night-rates.ts';
import { decideCreatePromotion, decidePausePromotion } from './rates/promotions.ts';
import { decidePutRatePlan, decideRemoveRatePlan } from './rates/rate-plans.ts';
import { decideSetRestrictions } from './rates/set-restrictions.ts';
import { decideNoteMarket, decideSetSignals } from './rates/signals.ts';
import { decideReload } from './reload.ts';
import { decideAssignRoom } from './rooms/assign-room.ts';
import { decideAssignRooms } from './rooms/assign-rooms.ts';
import { decideAlignRooms } from './rooms/closed-rooms.ts';
import { decideChangeTask, decideCompleteTask, decideInspectTask, decideStartTask } from './rooms/housekeeping.ts';
import { decideChangeMaintenance, decideEndMaintenance, decideOpenMaintenance } from './rooms/maintenances.ts';
import { decideBook } from './stay/booking.ts';
import { decideCancel, decideSettleRefund, decideLapse, decideReleaseUnclaimed } from './stay/cancel.ts';
import { decideCheckIn } from './stay/check-in.ts';
import { decideCheckOut } from './stay/check-out.ts';
import { decideComp, decideUndoComp } from './stay/comp.ts';
import { decideConfirmReservation } from './stay/confirm.ts';
import { decideModify } from './stay/modify.ts';
import { decideNoShow } from './stay/no-show.ts';
import { decideOverstay } from './stay/overstay.ts';
import {
  decideAbandonBooking,
  decideConfirmBooking,
  decideStartBooking,
  decideStartRooms,
} from './stay/paid-booking.ts';
import { decideReinstate } from './stay/reinstate.ts';
import { decideBookRooms } from './stay/several-rooms.ts';
import { decideUpgrade } from './stay/upgrade.ts';
import { decideWalk } from './stay/walk.ts';

/**
 * Decides one command on the draft: pure, without I/O, clock or randomness. Either all effects of the command are in
 * the draft, or a `DomainError` is thrown and none are.
 */
export function decide(draft: Draft, command: Command, context: DecisionContext): Decision {
  if (!draft.property && command.type !== 'CREATE_PROPERTY' && command.type !== 'RESTORE_PROPERTY')
    throw new DomainError('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  checkWhole(draft, command);
  const handler = HANDLERS[command.type] as (draft: Draft, command: Command, context: DecisionContext) => Decision;
  return handler(draft, command, context);
}

/** The handler of each command. */
const HANDLERS: {
  [T in CommandType]: (draft: Draft, command: CommandOf<T>, context: DecisionContext) => Decision<T>;
} = {
  CREATE_PROPERTY: decideCreateProperty,
  UPDATE_PROPERTY: decideUpdateProperty,
  DELETE_PROPERTY: (draft, _, context) => decideDeleteProperty(draft, context),
  RESTORE_PROPERTY: (draft, _, context) => decideRestoreProperty(draft, context),
  FOLLOW_TENANT: decideFollowTenant,
  SET_ACCEPTANCE_RULE: decideSetAcceptanceRule,
  PUT_ROOM_TYPE: decidePutRoomType,
  REMOVE_ROOM_TYPE: decideRemoveRoomType,
  RESTORE_ROOM_TYPE: decideRestoreRoomType,
  PUT_ROOMS: decidePutRooms,
  REMOVE_ROOM: decideRemoveRoom,
  RESTORE_ROOM: decideRestoreRoom,
  SET_ROOM_STATUS: decideSetRoomStatus,
  SET_INVENTORY: decideSetInventory,
  SET_BASE_RATES: decideSetBaseRates,
  SET_RESTRICTIONS: decideSetRestrictions,
  PUT_RATE_PLAN: decidePutRatePlan,
  REMOVE_RATE_PLAN: decideRemoveRatePlan,
  SET_SIGNALS: decideSetSignals,
  NOTE_MARKET: decideNoteMarket,
  IMPLEMENT_RATES: decideImplementRates,
  SET_NIGHT_RATES: decideSetNightRates,
  CREATE_PROMOTION: decideCreatePromotion,
  PAUSE_PROMOTION: decidePausePromotion,
  PUT_CALENDAR_EVENT: decidePutCalendarEvent,
  REMOVE_CALENDAR_EVENT: decideRemoveCalendarEvent,
  CREATE_GROUP: decideCreateGroup,
  CHANGE_GROUP: decideChangeGroup,
  DELETE_GROUP: decideDeleteGroup,
  PLACE_HOLD: decidePlaceHold,
  EXTEND_HOLD: decideExtendHold,
  RELEASE_HOLD: decideReleaseHold,
  KEEP_INQUIRY: decideKeepInquiry,
  CLOSE_INQUIRY: decideCloseInquiry,
  JOIN_WAITLIST: decideJoinWaitlist,
  LEAVE_WAITLIST: decideLeaveWaitlist,
  OFFER_WAITLIST: (draft, _, context) => decideOfferWaitlist(draft, context),
  START_BOOKING: decideStartBooking,
  CONFIRM_BOOKING: decideConfirmBooking,
  ABANDON_BOOKING: decideAbandonBooking,
  BOOK: decideBook,
  BOOK_ROOMS: decideBookRooms,
  START_ROOMS: decideStartRooms,
  IMPORT_RESERVATIONS: decideImportReservations,
  CANCEL: (draft, command, context) => decideCancel(draft, command, context),
  MODIFY: decideModify,
  ASSIGN_ROOM: decideAssignRoom,
  ASSIGN_ROOMS: decideAssignRooms,
  OPEN_MAINTENANCE: decideOpenMaintenance,
  CHANGE_MAINTENANCE: decideChangeMaintenance,
  END_MAINTENANCE: decideEndMaintenance,
  ALIGN_ROOMS: (draft, _, context) => decideAlignRooms(draft, context),
  CHANGE_HOUSEKEEPING_TASK: decideChangeTask,
  START_HOUSEKEEPING_TASK: decideStartTask,
  COMPLETE_HOUSEKEEPING_TASK: decideCompleteTask,
  INSPECT_HOUSEKEEPING_TASK: decideInspectTask,
  CHECK_IN: decideCheckIn,
  CHECK_OUT: decideCheckOut,
  NO_SHOW: decideNoShow,
  WALK: decideWalk,
  RECORD_NOTE: decideRecordNote,
  RECORD_MAIL: decideRecordMail,
  REINSTATE: decideReinstate,
  UNDO_CHECK_IN: decideUndoCheckIn,
  UPGRADE: decideUpgrade,
  COMP: decideComp,
  UNDO_COMP: decideUndoComp,
  OVERSTAY: decideOverstay,
  START_PAYMENT: decideStartPayment,
  TAKE_CARD: decideTakeCard,
  END_PAYMENT: decideEndPayment,
  TAKE_PAYMENT_RESULT: decideTakePaymentResult,
  CONFIRM_RESERVATION: decideConfirmReservation,
  LAPSE: decideLapse,
  RELEASE_UNCLAIMED: decideReleaseUnclaimed,
  CHARGE_DUE: decideChargeDue,
  WAIVE_PENALTY: decideWaivePenalty,
  GIVE_REFUND: decideGiveRefund,
  CHARGE_BACK: decideChargeBack,
  CLOSE_CHARGEBACK: decideCloseChargeback,
  WIN_CHARGEBACK: decideWinChargeback,
  POST_CHARGE: decidePostCharge,
  VOID_POSTING: decideVoidPosting,
  ROUTE_FOLIO: decideRouteFolio,
  SETTLE_REFUND: decideSettleRefund,
  PAY_OUT_REFUND: decidePayOutRefund,
  ERASE_GUEST: decideEraseGuest,
  RELOAD: decideReload,
  EXPIRE: (draft, _, context) => decideExpire(draft, context),
  TICK: (draft, _, context) => decideTick(draft, context),
};
