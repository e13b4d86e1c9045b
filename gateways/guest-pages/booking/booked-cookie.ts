import type { FastifyReply } from 'fastify';

import { bookingReference } from '../../../src/stay/operations/online/online-booking.ts';
import { bookingPath, type PageContext } from './page-context.ts';

const NAME = 'innkeeper-booking';

/** How long Back leads to the booking; a browser may be one that others use after. */
const SECONDS = 3_600;

/**
 * Has the browser remember the booking that it has just made: a part of what the guest wants, so no consent is needed
 * (docs/guide/booking-page.md#cookie). No script reads it, and no other page gets it.
 */
export function rememberBooked(page: PageContext, reply: FastifyReply, reference: string): void {
  const isSecure = page.origin.startsWith('https:');
  const cookie = `${NAME}=${reference}; Path=${bookingPath(page)}; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax`;
  reply.header('set-cookie', `${cookie}${isSecure ? '; Secure' : ''}`);
}

/** Whether the browser that has sent this has made a booking. @param header `Cookie` */
export function hasBooked(
  { services, to }: PageContext,
  header: string | undefined,
  booked: Parameters<typeof bookingReference>[2],
): boolean {
  const own = `${NAME}=${bookingReference(services, to, booked)}`;
  return header !== undefined && header.split(/;\s*/).includes(own);
}
