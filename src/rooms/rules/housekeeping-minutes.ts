import { sum } from '../../kernel/rules/figures.ts';
import type { HousekeepingTaskType } from './housekeeping.ts';

/** Completed tasks of an attendant and a type: all, those with known minutes, and their minutes. */
export type RoomsDone = {
  attendant?: string;
  taskType: HousekeepingTaskType;
  rooms: number;
  timedRooms: number;
  minutes: number;
};
type Counted = Pick<RoomsDone, 'rooms' | 'timedRooms' | 'minutes'>;
/** The same with the average of a room. */
export type MinutesPerRoom = Counted & { minutesPerRoom: number | null };

/** Sum of lines, with the average over those whose minutes are known. */
export function minutesPerRoom(lines: readonly Counted[]): MinutesPerRoom {
  const rooms = sum(lines, (line) => line.rooms);
  const timedRooms = sum(lines, (line) => line.timedRooms);
  const minutes = sum(lines, (line) => line.minutes);
  return { rooms, timedRooms, minutes, minutesPerRoom: timedRooms === 0 ? null : toTenths(minutes / timedRooms) };
}

const toTenths = (value: number): number => Math.round(value * 10) / 10;
