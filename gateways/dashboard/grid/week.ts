import { computed } from '@preact/signals';

import { WEEKDAYS } from '../../../src/kernel/rules/dates.ts';
import { firstDay } from '../theme.ts';

/** Weekdays in the order of the user's week; 0 is Sunday, as of `Date`. */
export const weekOrder = computed((): readonly number[] => {
  const first = WEEKDAYS.indexOf(firstDay.value);
  return WEEKDAYS.map((_, index) => (first + index) % WEEKDAYS.length);
});

/** Whether the user's week begins with a date. */
export const startsWeek = (date: string): boolean => new Date(`${date}T00:00:00Z`).getUTCDay() === weekOrder.value[0];
