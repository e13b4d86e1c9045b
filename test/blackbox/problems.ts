import type { Test } from 'tap';

import type { Answer } from './http.ts';
import type { Problem } from './shapes.ts';

/** Frames of a stack, statements, paths of ours: nothing of the inside may be seen. */
const INSIDE =
  /(\\n|\n)\s*at .+:\d+:\d+|"stack"\s*:|\b(SELECT|INSERT|UPDATE)\b.+\b(FROM|INTO|SET)\b|node_modules[\\/]/;

export type Expected = {
  code?: string;
  /** Fields that must be among those complained about, as JSON pointers. */
  pointers?: string[];
  /** The same for query and headers; compared without regard to case. */
  parameters?: string[];
};

/** Checks an answer for being the problem that docs/reference/api.md#problems describes. */
export function isProblem(t: Test, answer: Answer<unknown>, status: number, expected: Expected = {}): void {
  const problem = problemOf(answer);
  const said = `${answer.status} ${answer.text.slice(0, 300)}`;
  t.equal(answer.status, status, `status ${status}: ${said}`);
  if (expected.code) t.equal(problem.code, expected.code, `code ${expected.code}: ${said}`);
  t.match(answer.headers['content-type'], /^application\/problem\+json/, 'content type of a problem');
  t.match(problem, {
    type: /^\/problems\/[a-z0-9-]+$/,
    title: /./,
    status,
    detail: /./,
    instance: String,
    requestId: /./,
    retryable: Boolean,
  });
  // A idempotency record is given again as it was: it names the request that it was decided for.
  if (answer.headers['idempotency-replayed'] === undefined) {
    t.equal(problem.requestId, answer.headers['x-request-id'], 'the problem names the request');
  }
  t.notMatch(answer.text, INSIDE, 'nothing of the inside is shown');
  if (status === 429 || status === 503) t.match(answer.headers['retry-after'], /^\d+$/, 'says when to come back');
  const pointers = new Set((problem.errors ?? []).map((error) => error.pointer));
  for (const pointer of expected.pointers ?? []) t.ok(pointers.has(pointer), `complains about ${pointer}: ${said}`);
  const parameters = new Set((problem.errors ?? []).map((error) => error.parameter?.toLowerCase()));
  for (const parameter of expected.parameters ?? []) {
    t.ok(parameters.has(parameter.toLowerCase()), `complains about ${parameter}: ${said}`);
  }
}

/** The problem in an answer; an empty one when there is none, so that a test fails instead of breaking. */
export function problemOf(answer: Answer<unknown>): Partial<Problem> {
  try {
    const problem: Partial<Problem> | null = JSON.parse(answer.text);
    return problem ?? {};
  } catch {
    return {};
  }
}
