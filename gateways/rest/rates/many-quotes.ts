import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import type { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { ForwardRequest } from '../../../src/platform/coordination/ports.ts';
import { MAX_QUOTED_STAYS, type QuotesBody } from '../../../src/rates/contracts/quotes.ts';
import { quoteStays } from '../../../src/rates/operations/quote-stays.ts';
import { domainErrorOf } from '../../http/domain-error-of.ts';
import { problemOf, retryAfterOf } from '../../http/problem.ts';
import { invalid } from '../../http/validation.ts';
import type { AnsweredStay } from './render/quotes.ts';

const PATH = '/api/v1/rates/quotes';

/** Stays of a body that is not checked yet: the limits count each as a request. */
export function countOfStays(body: unknown): number {
  return Math.min(staysOf(body).length, MAX_QUOTED_STAYS);
}

/** Whether the stays are at several properties, whose owners may be several nodes: the receiving node answers then. */
export function namesSeveralProperties(body: unknown): boolean {
  return new Set(staysOf(body).map((stay) => memberOf(stay, 'propertyId'))).size > 1;
}

const staysOf = (body: unknown): unknown[] => [memberOf(body, 'stays')].flat();

const memberOf = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;

/**
 * Answers each stay by its price or its problem, in their order.
 * @throws ForwardRequest where another node owns their only property
 */
export async function answerStays(
  services: Services,
  caller: Caller,
  stays: QuotesBody['stays'],
): Promise<AnsweredStay[]> {
  const wanted = stays.flatMap(({ read }, index) =>
    read.success ? [{ stay: read.data, fields: fieldsAt(index) }] : [],
  );
  const quoted = (await quoteStays(services, caller, wanted)).values();
  return stays.map(({ given, read }, index) => {
    if (!read.success) return { problem: problemAt(refusedAt(index, given, read.error.issues), caller) };
    const one = quoted.next().value!;
    if (one.status === 'fulfilled') return { stay: read.data, quoted: one.value };
    if (one.reason instanceof ForwardRequest) throw one.reason;
    const error = domainErrorOf(one.reason);
    if (error.code === 'INTERNAL')
      services.log.error({ requestId: caller.requestId, err: one.reason }, 'a stay of a batch could not be quoted');
    return { problem: problemAt(error, caller) };
  });
}

function fieldsAt(index: number) {
  return { checkIn: { pointer: `/stays/${index}/checkIn` }, checkOut: { pointer: `/stays/${index}/checkOut` } };
}

function refusedAt(index: number, given: unknown, issues: Parameters<typeof invalid>[0]): DomainError {
  const stays = Object.assign([], { [index]: given });
  const placed = issues.map((issue) => ({ ...issue, path: ['stays', index, ...(issue.path ?? [])] }));
  return invalid(placed, { stays }, true);
}

function problemAt(error: DomainError, { requestId }: Caller) {
  const retryAfterSeconds = retryAfterOf(error);
  return { ...problemOf(error, PATH, requestId), ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
