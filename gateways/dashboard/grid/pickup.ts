import type { RevenueStore } from '../revenue/store.ts';

/** Net room nights sold since the roll, for the shown nights; `undefined` while none is known. */
export function shownPickup(desk: RevenueStore): number | undefined {
  let pickup = 0;
  let known = false;
  for (const { date } of desk.days.value) {
    const night = desk.night(date).value;
    if (night) [pickup, known] = [pickup + night.pickupToday, true];
  }
  return known ? pickup : undefined;
}
