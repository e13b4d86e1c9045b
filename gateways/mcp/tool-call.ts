import type { CallToolResult } from '@modelcontextprotocol/server';

import { AgentScope } from '../../src/agents/operations/agent-scope.ts';
import type { Services } from '../../src/kernel/operations/services.ts';
import type { Caller } from '../../src/kernel/rules/caller.ts';
import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { ForwardRequest } from '../../src/platform/coordination/ports.ts';
import { ruleOf } from '../auth/permissions.ts';
import { tenantAllows } from '../auth/tenant-rules.ts';
import { domainErrorOf } from '../http/domain-error-of.ts';
import { problemOf, retryAfterOf } from '../http/problem.ts';
import { unstorableIn } from '../http/unstorable.ts';
import { invalid } from '../http/validation.ts';
import type { Tool } from './tools.ts';

/** One request of an agent, while its tool runs. */
export type AgentRequest = {
  services: Services;
  caller: Caller;
  /** Why no tool runs: the agent has sent too many requests, or arguments that nothing could store. */
  refused: DomainError | undefined;
  /** Set where another node owns the property: it answers the whole request. */
  forward?: ForwardRequest;
  /** Whether the tool may run twice, when the answer of that node is lost. */
  isRepeatable?: boolean;
};

/**
 * Runs a tool for a request. Whatever is refused becomes an answer that the agent can read: code, detail, what else is
 * there, and whether and when to try again.
 */
export async function callTool(tool: Tool, request: AgentRequest, input: unknown): Promise<CallToolResult> {
  const { services, caller } = request;
  try {
    if (request.refused) throw request.refused;
    request.isRepeatable = tool.annotations.readOnlyHint === true || tool.annotations.idempotentHint === true;
    await mustBeAllowed(tool, services, caller);
    const answer = await tool.run(new AgentScope(services, caller), read(tool, input));
    services.metricEvents.emit('agentTool', tool.name, true);
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } };
  } catch (error) {
    if (error instanceof ForwardRequest) {
      request.forward = error;
      return { content: [], isError: true };
    }
    return refusedAnswer(tool, request, error);
  }
}

function refusedAnswer(tool: Tool, { services, caller }: AgentRequest, thrown: unknown): CallToolResult {
  const error = domainErrorOf(thrown);
  services.metricEvents.emit('agentTool', tool.name, false);
  const { requestId } = caller;
  if (error.code === 'INTERNAL') services.log.error({ requestId, tool: tool.name, err: thrown }, 'a tool has failed');
  else services.log.info({ requestId, tool: tool.name, code: error.code }, 'a tool has refused');
  const { type: _, title: __, instance: ___, status: ____, ...problem } = problemOf(error, '/mcp', requestId);
  const retryAfterSeconds = retryAfterOf(error);
  const answer = { ...problem, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer, isError: true };
}

/** The arguments as the schema reads them. @throws DomainError VALIDATION_FAILED with every wrong field */
function read({ input: schema }: Tool, input: unknown): unknown {
  const result = schema.safeParse(input);
  const unstorable = unstorableIn(input);
  if (result.success && unstorable.length === 0) return result.data;
  throw invalid([...(result.error?.issues ?? []), ...unstorable], input, true);
}

/**
 * What the status of the tenant allows. The role was checked when the request came in, on the node that took it.
 * @throws DomainError TENANT_NOT_ACTIVE
 */
async function mustBeAllowed({ needs }: Tool, { administration }: Services, { tenantId }: Caller): Promise<void> {
  const { operation } = ruleOf(needs);
  if (operation !== 'sell') return;
  const status = await administration.read(tenantId, async (records) => (await records.tenant())?.status);
  if (status === undefined || !tenantAllows(status, 'STAFF', operation))
    throw new DomainError('TENANT_NOT_ACTIVE', 'The tenant sells nothing at the moment.');
}
