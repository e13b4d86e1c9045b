import type { Command, CommandResults, CommandType, KeyClaim } from '../../src/domain/commands.ts';
import type { Facts } from '../../src/domain/journal.ts';
import type { Instant } from '../../src/domain/property-time.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { setBaseRates } from './base-rates.ts';
import { abandonBooking, book, confirmBooking, startBooking } from './booking.ts';
import { cancel, settleRefund } from './cancel.ts';
import type { Draft } from './draft.ts';
import { createGroup } from './groups.ts';
import { setInventory } from './inventory.ts';
import { modify } from './modify.ts';
import { checkIn } from './check-in.ts';
import { checkOut } from './check-out.ts';
import { noShow } from './no-show.ts';
import { endPayment, startPayment } from './payments.ts';
import { createPromotion, pausePromotion } from './promotions.ts';
import { putRatePlan, removeRatePlan } from './rate-plans.ts';
import { setSignals } from './signals.ts';
import { setRestrictions } from './restrictions.ts';
import { expire, tick } from './passing-time.ts';
import { implementRates } from './implement-rates.ts';
import { reload } from './reload.ts';
import {
  createProperty,
  deleteProperty,
  putRooms,
  putRoomType,
  removeRoom,
  removeRoomType,
  setRoomStatus,
  updateProperty,
} from './setup.ts';

/** What a rule may know besides the state: when it decides, for whom, and under which key. */
export type Turn = { now: Instant; subject: string; requestId: string; key?: KeyClaim };

/** An accepted command: its answer, and what the journal says of it. */
export type Decision<T extends CommandType = CommandType> = {
  result: CommandResults[T];
  entity: string;
  facts: Facts;
  /** Plain name for feeds, in memory only. */
  guestName?: string;
  /** Nothing was changed: no journal row, no `seq`. */
  dryRun?: true;
};

/**
 * Decides one command on the draft: pure, without I/O, clock or randomness. Either the draft has all of its effects,
 * or none and a `Refusal` is thrown.
 */
export function decide(draft: Draft, command: Command, turn: Turn): Decision {
  if (!draft.property && command.type !== 'CREATE_PROPERTY')
    throw new Refusal('PROPERTY_NOT_FOUND', 'The tenant has no such property.');
  switch (command.type) {
    case 'CREATE_PROPERTY':
      return createProperty(draft, command, turn);
    case 'UPDATE_PROPERTY':
      return updateProperty(draft, command, turn);
    case 'DELETE_PROPERTY':
      return deleteProperty(draft);
    case 'PUT_ROOM_TYPE':
      return putRoomType(draft, command);
    case 'REMOVE_ROOM_TYPE':
      return removeRoomType(draft, command);
    case 'PUT_ROOMS':
      return putRooms(draft, command, turn);
    case 'REMOVE_ROOM':
      return removeRoom(draft, command);
    case 'SET_ROOM_STATUS':
      return setRoomStatus(draft, command, turn);
    case 'SET_INVENTORY':
      return setInventory(draft, command);
    case 'SET_BASE_RATES':
      return setBaseRates(draft, command, turn);
    case 'SET_RESTRICTIONS':
      return setRestrictions(draft, command, turn);
    case 'PUT_RATE_PLAN':
      return putRatePlan(draft, command);
    case 'REMOVE_RATE_PLAN':
      return removeRatePlan(draft, command);
    case 'SET_SIGNALS':
      return setSignals(draft, command);
    case 'IMPLEMENT_RATES':
      return implementRates(draft, command, turn);
    case 'CREATE_PROMOTION':
      return createPromotion(draft, command, turn);
    case 'PAUSE_PROMOTION':
      return pausePromotion(draft, command);
    case 'CREATE_GROUP':
      return createGroup(draft, command, turn);
    case 'START_BOOKING':
      return startBooking(draft, command, turn);
    case 'CONFIRM_BOOKING':
      return confirmBooking(draft, command, turn);
    case 'ABANDON_BOOKING':
      return abandonBooking(draft, command);
    case 'BOOK':
      return book(draft, command, turn);
    case 'CANCEL':
      return cancel(draft, command, turn);
    case 'MODIFY':
      return modify(draft, command, turn);
    case 'CHECK_IN':
      return checkIn(draft, command, turn);
    case 'CHECK_OUT':
      return checkOut(draft, command, turn);
    case 'NO_SHOW':
      return noShow(draft, command, turn);
    case 'START_PAYMENT':
      return startPayment(draft, command, turn);
    case 'END_PAYMENT':
      return endPayment(draft, command, turn);
    case 'SETTLE_REFUND':
      return settleRefund(draft, command);
    case 'RELOAD':
      return reload(draft, command);
    case 'EXPIRE':
      return expire(draft, turn);
    case 'TICK':
      return tick(draft, turn);
  }
}
