import { EventEmitter } from 'node:events';

import type { AgentTool } from '../../agents/rules/agent-bounds.ts';
import type { HoldBound } from '../../stay/rules/hold-bounds.ts';

/** Counters of operations, for metrics. */
export class MetricEvents extends EventEmitter<{
  /** Duration of an optimization in seconds. */
  optimization: [seconds: number];
  /** A reservation's amounts are inconsistent. */
  violation: [];
  /** Our keys do not open a card on file that is to be charged. */
  cardUnreadable: [];
  /** Change of the number of arrivals that wait for room assignment. */
  assignment: [more: number];
  /** A hold or an unpaid reservation was refused because it would take too much off sale. */
  holdRefused: [by: HoldBound];
  /** A tool of the MCP server has answered, or refused. */
  agentTool: [tool: AgentTool, done: boolean];
}> {}
