import type { RealBooking } from './bookings.ts';

/** What one amendment sets; absent members stay. */
export type Amendment = { adults?: number; nights?: number; specialRequests?: string[] };

/** Initial booking and its amendments up to the recorded state. */
export type Story = { adults: number; nights: number; specialRequests: string[]; amendments: Amendment[] };

/**
 * The file has the number of changes and the final state of a booking, not its changes. So that every change is a real
 * one and the last state is the recorded one, the booking starts smaller and grows back: the first amendment adds an
 * adult, the second a night, each further one special requests. A part that cannot be smaller (one adult, one night) is
 * skipped. A night that is sold out meanwhile leaves the booking a night short.
 */
export function storyOf(booking: RealBooking): Story {
  const requests = Array.from({ length: booking.specialRequests }, (_, index) => `request ${index + 1}`);
  const { adults, nights } = booking;
  const story: Story = { adults, nights, specialRequests: requests, amendments: [] };
  let left = booking.changes;
  if (left > 0 && adults > 1) {
    story.adults = adults - 1;
    story.amendments.push({ adults });
    left -= 1;
  }
  if (left > 0 && nights > 1) {
    story.nights = nights - 1;
    story.amendments.push({ nights });
    left -= 1;
  }
  if (left > 0) story.specialRequests = [];
  for (let step = 1; step <= left; step += 1) {
    const known = requests.slice(0, Math.round((requests.length * step) / left));
    story.amendments.push({ specialRequests: [...known, `change ${step} of ${left}`] });
  }
  return story;
}

/** A booking as recorded: for those that the service will reject. */
export function asRecorded(booking: RealBooking): Story {
  return { ...storyOf({ ...booking, changes: 0 }), amendments: [] };
}
