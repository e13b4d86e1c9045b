import type { CommandOf } from '../kernel/rules/commands.ts';
import type { Day } from '../kernel/rules/dates.ts';
import type { Minor } from '../kernel/rules/money.ts';
import { partyOfPersons } from '../rates/rules/stay.ts';
import type { ImportedStay } from '../stay/rules/imported-stay.ts';
import type { ReservationStatus } from '../stay/rules/reservation.ts';
import { DAY, freshId, NOW } from './property-world.ts';

type Said = Partial<Omit<ImportedStay, 'stay' | 'guest'>> & {
  roomType?: string;
  checkIn?: Day;
  checkOut?: Day;
  rate?: Minor;
};

/** A reservation of another system in STD from the fifth day on for two nights at 80.00, or as said. */
export function importedStay({
  roomType = 'STD',
  checkIn = DAY + 5,
  checkOut = checkIn + 2,
  rate = 8_000,
  ...said
}: Said = {}): ImportedStay {
  const nights = Array.from({ length: checkOut - checkIn }, (_, n) => ({
    day: checkIn + n,
    rate,
    taxes: 0,
    fees: 0,
  }));
  const guest = { guestId: freshId(), firstName: 'Ada', lastName: 'Lowe', email: '' };
  return {
    reservationId: freshId(),
    confirmationNumber: freshId().slice(-10),
    guest,
    wrappedKey: 'k1.x',
    stay: { roomType, checkIn, checkOut, ...partyOfPersons(2), rateCode: 'BAR' },
    status: 'CONFIRMED',
    nights,
    payments: [],
    paymentDays: {},
    source: { channel: 'DIRECT', externalId: freshId() },
    specialRequests: [],
    bookedAt: NOW - 10 * 86_400_000,
    arrivedAt: NOW,
    departedAt: NOW,
    endedAt: NOW,
    retained: 0,
    isFree: false,
    ...said,
  };
}

/** The command that stores imported reservations. */
export function importCommand(stays: ImportedStay[], overbook = false): CommandOf<'IMPORT_RESERVATIONS'> {
  return { type: 'IMPORT_RESERVATIONS', importId: freshId(), stays, overbook };
}

/** A past stay with this status. */
export const pastStay = (status: ReservationStatus, said: Said = {}): ImportedStay =>
  importedStay({ status, checkIn: DAY - 6, checkOut: DAY - 4, ...said });
