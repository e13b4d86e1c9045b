import type { ReservationId, PropertyId } from '../../../src/kernel/rules/ids.ts';
import type { RoomItem } from '../../../src/live/contracts/live.ts';

export type RoomStatusName = RoomItem['status'];

/** A stay in lists and the chart. */
export type BoardStay = {
  reservationId: ReservationId;
  confirmationNumber: string;
  status: string;
  name: string;
  checkIn: string;
  checkOut: string;
  roomType: string;
  /** Absent while the stay has no room. */
  roomNumber?: string;
  guests: number;
  balance: number;
  currency: string;
  loyaltyTier: string;
  requests: readonly string[];
  updatedAt: string;
};

/** The fields of an API reservation that the front desk reads. */
export type ReservationView = {
  reservationId: ReservationId;
  confirmationNumber: string;
  status: string;
  propertyId: PropertyId;
  guestInfo: { firstName: string; lastName: string; email: string; phone: string | null; loyaltyTier: string };
  stayDetails: {
    checkIn: string;
    checkOut: string;
    adults: number;
    children: number;
    roomType: string;
    rateCode: string;
    roomNumber: string;
  };
  financial: {
    totalAmount: number;
    paidAmount: number;
    balanceDue: number;
    currency: string;
    paymentStatus: string;
  };
  specialRequests: string[];
  updatedAt: string;
};

/** A reservation read for its drawer, with the version for changes. */
export type ReservationRead = { reservation: ReservationView; etag: string };

export type RoomTypeView = { roomType: string; name: string };

/** The API's placeholder before a room is assigned. */
const NO_ROOM = 'TBA';

export function stayOf({
  reservationId,
  confirmationNumber,
  status,
  guestInfo: { firstName, lastName, loyaltyTier },
  stayDetails: { checkIn, checkOut, roomType, roomNumber, adults, children },
  financial: { balanceDue: balance, currency },
  specialRequests: requests,
  updatedAt,
}: ReservationView): BoardStay {
  return {
    reservationId,
    confirmationNumber,
    status,
    name: `${firstName} ${lastName}`,
    checkIn,
    checkOut,
    roomType,
    ...(roomNumber !== NO_ROOM && { roomNumber }),
    guests: adults + children,
    balance,
    currency,
    loyaltyTier,
    requests,
    updatedAt,
  };
}
