import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';

import * as inputs from '../../src/agents/contracts/tool-inputs.ts';
import * as outputs from '../../src/agents/contracts/tool-outputs.ts';
import type { AgentScope } from '../../src/agents/operations/agent-scope.ts';
import { bookForAgent, cancelForAgent, holdForAgent, stayForAgent } from '../../src/agents/operations/book-stays.ts';
import {
  explainForAgent,
  propertiesForAgent,
  quoteForAgent,
  searchForAgent,
} from '../../src/agents/operations/search-stays.ts';
import type { AgentTool } from '../../src/agents/rules/agent-bounds.ts';
import type { Permission } from '../auth/permissions.ts';

/** A tool: what it takes and answers, what its user must be permitted, and the operation that it calls. */
export type Tool = {
  name: AgentTool;
  title: string;
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  needs: Permission;
  annotations: ToolAnnotations;
  /** @param input as its schema has read it */
  run(scope: AgentScope, input: unknown): Promise<object>;
};

/** Types input and answer of a tool by its schemas. */
const tool = <I extends z.ZodType, O extends z.ZodType>({
  run,
  ...rest
}: Omit<Tool, 'run' | 'input' | 'output'> & {
  input: I;
  output: O;
  run: (scope: AgentScope, input: z.output<I>) => Promise<z.output<O> & object>;
}): Tool => ({ ...rest, run: (scope, input) => run(scope, input as z.output<I>) });

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const ADDS = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** All tools of the MCP server (docs/reference/mcp.md#tools). */
export const TOOLS: readonly Tool[] = [
  tool({
    name: 'list_properties',
    title: 'List properties',
    description: 'Lists the hotels that you can search, with their ids. Call it once when no property id is known.',
    input: inputs.listPropertiesInput,
    output: outputs.propertiesOutput,
    needs: 'property.read',
    annotations: READS,
    run: (scope, { cursor }) => propertiesForAgent(scope, cursor),
  }),
  tool({
    name: 'search_availability',
    title: 'Search rooms',
    description:
      'Finds room types and rate plans of a hotel that are available for the whole stay, cheapest first, with totals ' +
      'that include all taxes and fees. Promises nothing: call quote_stay before you name a price as certain.',
    input: inputs.searchInput,
    output: outputs.searchOutput,
    needs: 'availability.read',
    annotations: READS,
    run: searchForAgent,
  }),
  tool({
    name: 'quote_stay',
    title: 'Quote a stay',
    description:
      'Prices one room type under one rate plan and promises that price for 15 minutes by a quote token. Tell the ' +
      'person total, currency, cancellation terms and how it is paid, and wait for a yes before you book.',
    input: inputs.quoteInput,
    output: outputs.quoteOutput,
    needs: 'rate.read',
    annotations: { ...READS, idempotentHint: false },
    run: quoteForAgent,
  }),
  tool({
    name: 'explain_price',
    title: 'Explain a price',
    description: 'Says night by night how the price of a stay comes about. Promises nothing and changes nothing.',
    input: inputs.quoteInput,
    output: outputs.explainOutput,
    needs: 'rate.read',
    annotations: READS,
    run: explainForAgent,
  }),
  tool({
    name: 'hold_room',
    title: 'Hold rooms',
    description:
      'Takes rooms off sale for a short time at the price of this moment, for a person who is about to decide. Only ' +
      'hold what the person has asked for: few holds are allowed at a time. They end by themselves.',
    input: inputs.holdInput,
    output: outputs.holdOutput,
    needs: 'hold.place',
    annotations: { ...ADDS, idempotentHint: false },
    run: holdForAgent,
  }),
  tool({
    name: 'book_stay',
    title: 'Book a stay',
    description:
      'Books a stay at the price of a quote token, or out of a hold, if that is no more than maxTotal. Needs the yes ' +
      'of the person to total and terms. Takes no card: the guest pays at the hotel, or by a link that is mailed. A ' +
      'repeated call with the same token books once.',
    input: inputs.bookInput,
    output: outputs.bookOutput,
    needs: 'reservation.create',
    annotations: { ...ADDS, idempotentHint: true },
    run: bookForAgent,
  }),
  tool({
    name: 'get_reservation',
    title: 'Look up a reservation',
    description: 'Reads a reservation that you have booked, by its id or confirmation number.',
    input: inputs.getInput,
    output: outputs.stayOutput,
    needs: 'reservation.read',
    annotations: READS,
    run: stayForAgent,
  }),
  tool({
    name: 'cancel_reservation',
    title: 'Cancel a reservation',
    description:
      'Cancels a reservation that you have booked. Call it first as it is: it only says what cancelling would cost. ' +
      'Tell the person, and after a yes call it with dryRun false and that amount as maxPenalty. It cannot be undone.',
    input: inputs.cancelInput,
    output: outputs.cancelOutput,
    needs: 'reservation.cancel',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: cancelForAgent,
  }),
];
