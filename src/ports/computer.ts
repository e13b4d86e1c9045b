import type { HouseRooms } from '../domain/arrange-rooms.ts';
import type { Day } from '../domain/dates.ts';
import type { RoomAssignments } from '../domain/assign-rooms.ts';
import type { RoomConflict } from '../domain/room-conflicts.ts';
import type { YieldAnswer, YieldProblem } from '../domain/yield-problem.ts';
import type { HouseForecast, HouseHistory } from '../domain/house-forecast.ts';
import type { Fold, Folded } from '../domain/journal-fold.ts';

/** Pure work that would hold up the event loop, by name: what goes in and what comes out are plain data. */
export type Tasks = {
  arrangeArrivals: {
    input: HouseRooms & { last: Day; better: Record<string, string[]> };
    output: RoomAssignments;
  };
  findConflicts: { input: HouseRooms; output: RoomConflict[] };
  foldJournal: { input: Fold; output: Folded };
  forecastHouse: { input: HouseHistory; output: HouseForecast };
  optimizeYield: { input: YieldProblem; output: YieldAnswer };
};

/** Does heavy work beside the event loop. */
export interface Computer {
  /**
   * @param onProgress told now and then how many percent of a long task are done
   * @throws Refusal NOT_EXECUTED when too much waits already
   */
  run<T extends keyof Tasks>(
    task: T,
    input: Tasks[T]['input'],
    onProgress?: (percent: number) => void,
  ): Promise<Tasks[T]['output']>;
}
