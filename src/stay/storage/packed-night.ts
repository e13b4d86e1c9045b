import type { Night } from '../../money/rules/night.ts';

/** A night as `reservations.details` keeps it: day, rate, taxes, fees. Every booking has some; names would double them. */
export type PackedNight = [number, number, number, number];

export function packNight({ day, rate, taxes, fees }: Night): PackedNight {
  return [day, rate, taxes, fees];
}

export function unpackNight([day, rate, taxes, fees]: PackedNight): Night {
  return { day, rate, taxes, fees };
}
