import type { CommandOf } from '../../src/kernel/rules/commands.ts';
import type { Day } from '../../src/kernel/rules/dates.ts';
import { BEDS } from '../../src/testing/property-world.ts';

/** Commands about extra beds, which cost nothing here: the lives have the money. */
export type BedCommand = CommandOf<'POST_CHARGE' | 'VOID_POSTING'>;

/** Beds of a night that a client saw. */
export type SeenBeds = { day: Day; taken: number };

type Booking = { checkIn: Day; checkOut: Day; status: string };
type Posting = { reservationId: string; beds: number; isVoided: boolean };

/** Naive extra beds: postings, whose nights are those of their bookings, counted anew for every question. */
export class BedModel {
  readonly #bookings: ReadonlyMap<string, Booking>;
  readonly #postings = new Map<string, Posting>();

  constructor(bookings: ReadonlyMap<string, Booking>) {
    this.#bookings = bookings;
  }

  /** The error that the command would get now; undefined when it would be accepted. */
  rejection(command: BedCommand): string | undefined {
    const booking = this.#bookings.get(command.reservationId);
    if (!booking || booking.status === 'CANCELLED') return 'INVALID_STATE';
    if (command.type === 'POST_CHARGE') {
      const isThere = nightsOf(booking).every((night) => this.taken(night) + command.quantity <= BEDS);
      return isThere ? undefined : 'EXTRA_NOT_AVAILABLE';
    }
    const posting = this.#postings.get(command.postingId);
    if (!posting) return 'POSTING_NOT_FOUND';
    return posting.isVoided ? 'INVALID_STATE' : undefined;
  }

  apply(command: BedCommand): void {
    const { reservationId, postingId } = command;
    const posting = this.#postings.get(postingId);
    if (command.type === 'POST_CHARGE')
      this.#postings.set(postingId, { reservationId, beds: command.quantity, isVoided: false });
    else if (posting) posting.isVoided = true;
  }

  /** The error for a booking that gets other nights, or its own ones back. */
  missing(reservationId: string, nights: { checkIn: Day; checkOut: Day }): string | undefined {
    const booking = this.#bookings.get(reservationId)!;
    const own = this.#of(reservationId);
    const has = booking.status === 'CANCELLED' ? [] : nightsOf(booking);
    const isShort = nightsOf(nights).some((night) => !has.includes(night) && this.taken(night) + own > BEDS);
    return own > 0 && isShort ? 'EXTRA_NOT_AVAILABLE' : undefined;
  }

  taken(night: Day): number {
    let beds = 0;
    for (const [id, { status, checkIn, checkOut }] of this.#bookings)
      if (status !== 'CANCELLED' && checkIn <= night && night < checkOut) beds += this.#of(id);
    return beds;
  }

  #of(reservationId: string): number {
    let own = 0;
    for (const posting of this.#postings.values())
      if (posting.reservationId === reservationId && !posting.isVoided) own += posting.beds;
    return own;
  }
}

function nightsOf({ checkIn, checkOut }: { checkIn: Day; checkOut: Day }): Day[] {
  return Array.from({ length: checkOut - checkIn }, (_, night) => checkIn + night);
}
