import type { CommandOf } from '../../src/kernel/rules/commands.ts';
import type { HousekeepingTask } from '../../src/rooms/rules/housekeeping.ts';

/** Commands about rooms that are cleaned. */
export type TaskCommand = CommandOf<
  'SET_ROOM_STATUS' | 'START_HOUSEKEEPING_TASK' | 'COMPLETE_HOUSEKEEPING_TASK' | 'INSPECT_HOUSEKEEPING_TASK'
>;

/** A task that a client saw. */
export type SeenTask = Pick<HousekeepingTask, 'taskId' | 'roomNumber' | 'status'>;

/** The task of a room; its id is known once somebody has seen it. */
type Current = { status: 'PENDING' | 'IN_PROGRESS' | 'COMPLETED'; taskId?: string };

/** Naive housekeeping of rooms without guests: at most one task a room. */
export class TaskModel {
  readonly #tasks = new Map<string, Current>();

  /** The error that the command would get now; undefined when it would be accepted. */
  rejection(command: TaskCommand): string | undefined {
    if (command.type === 'SET_ROOM_STATUS') return undefined;
    const status = this.#find(command.taskId)?.[1].status;
    if (status === undefined) return 'HOUSEKEEPING_TASK_NOT_FOUND';
    switch (command.type) {
      case 'START_HOUSEKEEPING_TASK':
        return status === 'PENDING' ? undefined : 'INVALID_STATE';
      case 'COMPLETE_HOUSEKEEPING_TASK':
        return status === 'COMPLETED' ? 'INVALID_STATE' : undefined;
      case 'INSPECT_HOUSEKEEPING_TASK':
        return status === 'COMPLETED' ? undefined : 'INVALID_STATE';
    }
  }

  /** Applies an accepted command. */
  apply(command: TaskCommand): void {
    if (command.type === 'SET_ROOM_STATUS') return this.#set(command);
    const [roomNumber, task] = this.#find(command.taskId) ?? [];
    if (roomNumber === undefined || !task) return;
    if (command.type === 'START_HOUSEKEEPING_TASK') task.status = 'IN_PROGRESS';
    else if (command.type === 'COMPLETE_HOUSEKEEPING_TASK') task.status = 'COMPLETED';
    else if (command.passed) this.#tasks.delete(roomNumber);
    else task.status = 'PENDING';
  }

  #set({ roomNumber, status }: CommandOf<'SET_ROOM_STATUS'>): void {
    const task = this.#tasks.get(roomNumber);
    if (status === 'DIRTY' && (!task || task.status === 'COMPLETED'))
      this.#tasks.set(roomNumber, { status: 'PENDING' });
    else if (status === 'CLEAN' && task) task.status = 'COMPLETED';
    else if (status === 'INSPECTED') this.#tasks.delete(roomNumber);
  }

  /** Compares tasks that somebody saw, and remembers their ids. @returns one line for each difference */
  see(seen: readonly SeenTask[], where: string): string[] {
    const shown = new Map(seen.map((task) => [task.roomNumber, task]));
    const wrong: string[] = [];
    for (const roomNumber of new Set([...shown.keys(), ...this.#tasks.keys()])) {
      const task = shown.get(roomNumber);
      const right = this.#tasks.get(roomNumber);
      if (task?.status !== right?.status || (right?.taskId ?? task?.taskId) !== task?.taskId)
        wrong.push(
          `I7: ${where}: the task of ${roomNumber} is ${task?.status} ${task?.taskId}, ` +
            `in the model ${right?.status} ${right?.taskId}`,
        );
      else if (right && task) right.taskId = task.taskId;
    }
    return wrong.slice(0, 2);
  }

  #find(taskId: string): [string, Current] | undefined {
    return [...this.#tasks].find(([, task]) => task.taskId === taskId);
  }
}
