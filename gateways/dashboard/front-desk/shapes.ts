import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { WireAmount } from '../../../src/kernel/contracts/wire-money.ts';
import type { ReservationId } from '../../../src/kernel/rules/ids.ts';
import type { RoomItem } from '../../../src/live/contracts/live.ts';
import type { roomTypeAnswer } from '../../../src/properties/contracts/property-answers.ts';
import type { housekeepingTaskAnswer } from '../../../src/rooms/contracts/housekeeping.ts';
import type { maintenanceAnswer } from '../../../src/rooms/contracts/maintenances.ts';
import type { listedReservation } from '../../../src/stay/contracts/stay-answers.ts';
import { addDays } from '../grid/days.ts';

export type RoomStatusName = RoomItem['status'];

/** A stay in lists and the chart. */
export type BoardStay = {
  reservationId: ReservationId;
  confirmationNumber: string;
  status: string;
  name: string;
  /** Name of the second guest of the room. */
  sharer?: string;
  checkIn: string;
  checkOut: string;
  /** The guest leaves on the day of arrival, and has the room for its night. */
  dayUse?: true;
  roomType: string;
  /** Absent while the stay has no room. */
  roomNumber?: string;
  guests: number;
  balance: WireAmount;
  currency: string;
  loyaltyTier: string;
  requests: readonly string[];
  /** Until when the room is held for a stay that is not confirmed. */
  holdExpiresAt?: string;
  updatedAt: string;
};

/** The fields of an API reservation that the front desk reads. */
export type ReservationView = WireOf<typeof listedReservation>;

/** Nights on which a room is repaired or out of use. */
export type MaintenanceView = WireOf<typeof maintenanceAnswer>;

/** What has to be done in a room. */
export type TaskView = WireOf<typeof housekeepingTaskAnswer>;

/** What somebody does with a task; the last two are the outcomes of an inspection. */
export type TaskStep = 'start' | 'complete' | 'pass' | 'fail';

/** What somebody asks for. */
export type MaintenancePlan = Pick<MaintenanceView, 'roomNumber' | 'kind' | 'from' | 'reason'> & { to?: string };

/** A reservation read for its drawer, with the version for changes and the other rooms of its booking. */
export type ReservationRead = { reservation: ReservationView; etag: string; others: readonly ReservationView[] };

export type RoomTypeView = WireOf<typeof roomTypeAnswer>;

/** The API's placeholder before a room is assigned. */
export const NO_ROOM_ASSIGNED = 'TBA';

export function stayOf({
  reservationId,
  confirmationNumber,
  status,
  guestInfo: { firstName, lastName, loyaltyTier },
  stayDetails: { checkIn, checkOut, dayUse, roomType, roomNumber, adults, children },
  financial: { balanceDue: balance, currency },
  specialRequests: requests,
  // A node of the release before does not know it.
  sharer = null,
  holdExpiresAt,
  updatedAt,
}: Omit<ReservationView, 'sharer'> & Partial<Pick<ReservationView, 'sharer'>>): BoardStay {
  return {
    reservationId,
    confirmationNumber,
    status,
    name: `${firstName} ${lastName}`,
    ...(sharer && { sharer: `${sharer.firstName} ${sharer.lastName}` }),
    checkIn,
    checkOut,
    ...(dayUse && { dayUse }),
    roomType,
    ...(roomNumber !== NO_ROOM_ASSIGNED && { roomNumber }),
    guests: adults + children,
    balance,
    currency,
    loyaltyTier,
    requests,
    ...(status === 'PENDING' && holdExpiresAt !== undefined && { holdExpiresAt }),
    updatedAt,
  };
}

/** First day on which somebody else can have the room. */
export function takenUntil({ checkOut, dayUse }: Pick<BoardStay, 'checkOut' | 'dayUse'>): string {
  return dayUse ? addDays(checkOut, 1) : checkOut;
}
