import { z } from 'zod';

import type { DomainError } from '../../src/kernel/rules/domain-error.ts';
import type { Issue } from '../http/field-errors.ts';
import { unstorableIn } from '../http/unstorable.ts';
import { invalid } from '../http/validation.ts';

/** A single message of JSON-RPC; lists of them belong to earlier revisions of the protocol, and would evade limits. */
const MESSAGE = z.looseObject({ jsonrpc: z.literal('2.0') });

/** A message, and what is wrong with the arguments of its tool, which are left out then. */
type AgentMessage = { message: Record<string, unknown>; fault?: DomainError };

/**
 * Reads a message. What is wrong with the arguments of a tool is for the tool to answer: an agent reads no refused
 * request.
 * @throws DomainError VALIDATION_FAILED for everything else
 */
export function readMessage(body: unknown): AgentMessage {
  const result = MESSAGE.safeParse(body ?? {});
  const issues: Issue[] = [...(result.error?.issues ?? []), ...unstorableIn(body)];
  if (issues.length === 0 && result.success) return { message: result.data };
  if (!result.success || result.data['method'] !== 'tools/call' || !issues.every(isOfArguments))
    throw invalid(issues, body, true);
  const params = result.data['params'] as Record<string, unknown>;
  const own = issues.map((issue) => ({ ...issue, path: issue.path?.slice(2) ?? [] }));
  const fault = invalid(own, params['arguments'], true);
  return { message: { ...result.data, params: { ...params, arguments: {} } }, fault };
}

const isOfArguments = ({ path = [] }: Issue): boolean => path[0] === 'params' && path[1] === 'arguments';
