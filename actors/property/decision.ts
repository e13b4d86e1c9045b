import type { CommandResults, CommandType, KeyClaim } from '../../src/kernel/rules/commands.ts';
import type { Facts } from '../../src/kernel/rules/journal.ts';
import type { Instant } from '../../src/kernel/rules/property-time.ts';

/** Context of a decision besides the state: time, caller and idempotency key. */
export type DecisionContext = { now: Instant; subject: string; requestId: string; key?: KeyClaim };

/** An accepted command: its answer, and the facts for the journal. */
export type Decision<T extends CommandType = CommandType> = {
  result: CommandResults[T];
  entity: string;
  facts: Facts;
  /** Nothing was changed: no journal row is written and `seq` stays. */
  dryRun?: true;
};
