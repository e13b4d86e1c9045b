import { formatInstant, instantAt } from '../../../src/kernel/rules/property-time.ts';
import type { OnlineBooking } from '../../../src/stay/operations/online/online-booking.ts';
import type { Texts } from '../texts.ts';

/** Octets of a line of a calendar file (RFC 5545, 3.1). */
const LINE = 70;

/** A booking as an event of a calendar (RFC 5545), from the time of check-in to that of check-out. */
export function calendarFile({ reservations, property }: OnlineBooking, texts: Texts, now: number): string {
  const { name, address, metadata } = property;
  const { stay, id } = reservations[0]!;
  const at = (instant: number): string => formatInstant(instant).replaceAll(/[-:]|\.\d{3}/g, '');
  const place = [name, address?.addressLine1, address?.zipCode, address?.city].filter(Boolean).join(', ');
  const numbers = reservations.map((one) => one.confirmationNumber).join(', ');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Innkeeper//Booking page//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${at(now)}`,
    `DTSTART:${at(instantAt(stay.checkIn, metadata.checkInTime, metadata.timezone))}`,
    `DTEND:${at(instantAt(stay.checkOut, metadata.checkOutTime, metadata.timezone))}`,
    `SUMMARY:${escaped(texts.text('booked.event', { name }))}`,
    `LOCATION:${escaped(place)}`,
    `DESCRIPTION:${escaped(texts.text('booked.number', { count: reservations.length, numbers }))}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}

const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\n`);

function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  for (const character of line) {
    if (Buffer.byteLength(part + character) > LINE) {
      parts.push(part);
      part = ' ';
    }
    part += character;
  }
  return [...parts, part].join('\r\n');
}
