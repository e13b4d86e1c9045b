import { ApiError } from '../../api.ts';
import type { CheckedIn } from '../api.ts';
import type { FrontDesk } from '../front-desk.ts';
import { errorText } from '../problem-messages.ts';
import type { ReservationRead } from '../shapes.ts';
import { doneWords } from './messages.ts';
import type { VerbAnswers, WholeStay } from './shapes.ts';
import { guestNameOf } from './verbs.ts';

/**
 * Upgrades a stay and checks it in: two changes, the second with the version of the first. When no room is ready, the
 * upgrade stands, and that is said.
 */
export async function upgradedAndIn(
  desk: FrontDesk,
  { reservation, etag }: ReservationRead,
  { method, path, body }: { method: 'POST' | 'DELETE'; path: string; body: object },
): Promise<string> {
  const root = `/api/v1/reservations/${reservation.reservationId}`;
  const upgraded = await desk.api.call(root + path, { method, body, ifMatch: etag });
  try {
    const arrived = await desk.api.call(`${root}/checkin`, {
      method: 'POST',
      body: { identificationVerified: true, keyCards: 1 },
      ifMatch: upgraded.etag,
    });
    return doneWords.upgradedIn(
      guestNameOf(reservation as WholeStay),
      (arrived.body as CheckedIn).roomDetails.roomNumber,
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return doneWords.notCheckedIn((upgraded.body as VerbAnswers['upgrade']).roomType, errorText(error));
  }
}
