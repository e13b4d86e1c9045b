import type { GridCell } from '../../src/rates/rules/queries.ts';
import type { SeenBeds } from './bed-model.ts';
import type { PlayedCommand } from './model.ts';
import type { SeenTask } from './task-model.ts';

/** Final outcome of a command for the client who sent it. */
export type OperationOutcome =
  | { kind: 'accepted'; seq: number; result: unknown }
  /** `seq` is that of the state on which it was refused. */
  | { kind: 'refused'; seq: number; code: string };

/** What a client saw of one command: start, end and outcome. */
export type Observed = {
  property: string;
  client: string;
  command: PlayedCommand;
  invokedAt: number;
  returnedAt: number;
  outcome: OperationOutcome;
};

/** What a client read. */
export type Seen = {
  property: string;
  seq: number;
  cells: GridCell[];
  tasks: readonly SeenTask[];
  beds: readonly SeenBeds[];
  invokedAt: number;
  returnedAt: number;
};

/** Everything that clients know at the end of a run; nothing comes from inside the service. */
export class OperationHistory {
  readonly observed: Observed[] = [];
  readonly seen: Seen[] = [];
  /** Errors that no client may ever get. */
  readonly strange: string[] = [];
}
