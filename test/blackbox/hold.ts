import type { Answer } from './http.ts';
import { type BlackboxProperty, must } from './property.ts';
import type { CallOptions, Service } from './service.ts';
import type { Hold } from './shapes.ts';

/** Requests a hold of one DLX from the thirtieth day on, or as said. */
export function place(
  property: BlackboxProperty,
  more: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Answer<Hold>> {
  const stay = { roomType: 'DLX', checkIn: property.day(30), checkOut: property.day(32), rooms: 1 };
  const body = { propertyId: property.propertyId, ...stay, ...more };
  return property.service.reservations<Hold>('POST', '/holds', { body, ...options });
}

/** A hold that must come to be. */
export async function placed(property: BlackboxProperty, more: Record<string, unknown> = {}): Promise<Hold> {
  return must(await place(property, more), 201).json;
}

export function readHold(service: Service, holdId: string, options: CallOptions = {}): Promise<Answer<Hold>> {
  return service.reservations<Hold>('GET', `/holds/${holdId}`, options);
}
