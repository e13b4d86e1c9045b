import type { DayInfo } from './days.ts';
import { startsWeek } from './week.ts';

/** Classes that a day's head and cells share. */
export function dayClass(day: DayInfo, isToday: boolean): string {
  const classes = [day.isWeekend && 'weekend', isToday && 'today', startsWeek(day.date) && 'week-start'];
  return classes.filter((one) => one !== false).join(' ');
}
