import type { Request } from '../section.ts';

/** A write of a form to the reservation service. */
export const reservationRequest = (method: Request['method'], path: string, body?: object): Request => {
  return { service: 'reservation', method, path, ...(body && { body }) };
};
