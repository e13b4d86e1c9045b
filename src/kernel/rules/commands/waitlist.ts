import type { WaitlistEntry, WaitlistStatus } from '../../../stay/rules/waitlist.ts';
import type { WaitlistId } from '../ids.ts';

/** Commands of requests that wait for a room (docs/reference/waitlist.md#waitlist). Results name no guest. */
export type WaitlistCommands = {
  JOIN_WAITLIST: {
    command: { entry: Pick<WaitlistEntry, 'waitlistId' | 'stay' | 'maxTotal' | 'expiresAt' | 'guest'> };
    result: { waitlistId: WaitlistId; position: number; status: WaitlistStatus };
  };
  LEAVE_WAITLIST: { command: { waitlistId: WaitlistId }; result: { waitlistId: WaitlistId; status: WaitlistStatus } };
  /** Of the property itself: offers free rooms to those who wait, and ends requests that are over. */
  OFFER_WAITLIST: { command: object; result: { changed: number } };
};
