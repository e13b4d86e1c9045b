import type { RealBooking } from './bookings.ts';

/** What one amendment sets; absent members stay. */
export type Amendment = { adults?: number; nights?: number; specialRequests?: string[] };

/** How a booking began and what changed it until it looked as the file records it. */
export type Story = { adults: number; nights: number; specialRequests: string[]; amendments: Amendment[] };

/**
 * The file says how often a booking was changed and how it looked at the end, not what changed. So that every change
 * is a real one and the last state is the recorded one, the booking is made smaller than recorded and grows back: the
 * first amendment adds an adult, the second a night, each further one special requests. A part that cannot be smaller
 * (one adult, one night) is passed over. A night that is sold out meanwhile leaves the booking a night short.
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

/** A booking sent exactly as recorded: for those that the service is going to refuse. */
export function asRecorded(booking: RealBooking): Story {
  return { ...storyOf({ ...booking, changes: 0 }), amendments: [] };
}
