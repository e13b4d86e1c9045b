import { batch, effect } from '@preact/signals';

import { parseDay } from '../../../src/kernel/rules/dates.ts';
import { parameter, writeParameters } from '../address.ts';
import { MODES } from '../grid/cell-face.ts';
import { addDays } from '../grid/days.ts';
import { NIGHT_COUNTS } from './night-counts.ts';
import type { RevenueStore } from './store.ts';

/** Nights further ahead are not on sale at any property. */
const FARTHEST_DAYS = 1_100;

/** Shows the nights, the mode, the chosen night and the instant that the address names; otherwise the usual ones. */
export function showRevenueAddress(desk: RevenueStore): void {
  const today = desk.today.peek();
  const from = dayIn(parameter('from')) ?? today;
  const farthest = addDays(today, FARTHEST_DAYS);
  const start = from < today ? today : from > farthest ? farthest : from;
  const nights = NIGHT_COUNTS.find((count) => String(count) === parameter('days')) ?? 90;
  // All at once: half of it would be a step of its own in the history.
  batch(() => {
    if (start !== desk.start.peek() || nights !== desk.nights.peek()) desk.show(start, nights);
    desk.mode.value = MODES.find((mode) => mode === parameter('mode')) ?? 'occupancy';
    desk.selected.value = nightIn(parameter('night'), start, nights) ?? desk.firstCell;
  });
  const at = Date.parse(parameter('at') ?? '');
  if (!Number.isNaN(at)) {
    desk.travel.open.value = true;
    if (at !== desk.travel.wanted.peek()) desk.travel.seek(at);
  } else desk.travel.back();
}

/** A day that exists; an address may have been typed, or cut by a mail program. */
const dayIn = (text = ''): string | undefined => (parseDay(text) === undefined ? undefined : text);

/** The key of a cell, where its night is one of those shown. */
function nightIn(key: string | undefined, start: string, nights: number): string | undefined {
  const date = dayIn(key?.slice(0, 10));
  return date !== undefined && date >= start && date < addDays(start, nights) ? key : undefined;
}

/**
 * Keeps the address as the view changes. What a person goes Back from is the property, the mode, the number of nights,
 * and the way into the past; moves along the nights are small.
 */
export function writeRevenueAddress(desk: RevenueStore): () => void {
  return effect(() => {
    const start = desk.start.value;
    const nights = desk.nights.value;
    const selected = desk.selected.value;
    const asOf = desk.travel.wanted.value;
    const at = asOf === undefined ? undefined : new Date(asOf).toISOString();
    const isDeparture = at !== undefined && parameter('at') === undefined;
    if (start === '' || desk.property.value === undefined) return;
    const days = nights === 90 ? undefined : String(nights);
    const mode = desk.mode.value === 'occupancy' ? undefined : desk.mode.value;
    const isLarge = days !== parameter('days') || mode !== parameter('mode');
    writeParameters(
      {
        from: start === desk.today.value ? undefined : start,
        days,
        mode,
        night: selected === desk.firstCell ? undefined : selected,
        at,
      },
      isDeparture || isLarge ? 'push' : 'replace',
    );
  });
}
