import type { Day } from '../../kernel/rules/dates.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';

/** Notices of a channel that are remembered, of each kind; the oldest go. */
export const MAX_NOTICES = 1_000;

/**
 * What a channel has said of a booking that the property does not have as said: a cancellation that came before its
 * booking, or what could not be taken and waits for the desk. Nothing of the guest is stored.
 */
export type ChannelNotice = {
  channelId: string;
  externalId: string;
  kind: 'CANCELLED' | 'NOT_TAKEN';
  /** The channel's own time. */
  at?: Instant;
  checkIn?: Day;
  checkOut?: Day;
  externalRoom?: string;
  /** Code of the error for which it was not taken. */
  reason?: string;
  /** The reservation that could not be changed. */
  reservationId?: ReservationId;
};

/**
 * Whether a booking was cancelled by a notice that came first. Of two messages without times nobody knows: a booking
 * is not lost for that.
 */
export function isCancelledBy({ kind, at }: ChannelNotice, bookedAt: Instant | undefined): boolean {
  return kind === 'CANCELLED' && at !== undefined && bookedAt !== undefined && bookedAt <= at;
}

/** Whether a notice and a booking contradict each other, and neither says which is the newer one. */
export function isUnclear({ kind, at }: ChannelNotice, bookedAt: Instant | undefined): boolean {
  return kind === 'CANCELLED' && (at === undefined || bookedAt === undefined);
}
