import type { DayInfo } from './days.ts';

/** Classes that a day's head and cells share. */
export function dayClass(day: DayInfo, isToday: boolean): string {
  return `${day.isWeekend ? 'weekend' : ''} ${isToday ? 'today' : ''}`.trim();
}
