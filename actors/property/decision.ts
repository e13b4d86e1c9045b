import type { CommandResults, CommandType, KeyClaim } from '../../src/kernel/rules/commands.ts';
import type { Facts } from '../../src/kernel/rules/journal.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';

/** What a rule may know besides the state: when it decides, for whom, and under which key. */
export type DecisionContext = { now: Instant; subject: string; requestId: string; key?: KeyClaim };

/** An accepted command: its answer, and what the journal says of it. */
export type Decision<T extends CommandType = CommandType> = {
  result: CommandResults[T];
  entity: string;
  facts: Facts;
  /** Nothing was changed: no journal row, no `seq`. */
  dryRun?: true;
};
