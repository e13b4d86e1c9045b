import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

import { fieldMessage } from '../../src/kernel/contracts/field-messages.ts';
import { CODES, type Code, type FieldError, DomainError } from '../../src/kernel/rules/domain-error.ts';
import { fieldErrorsOf, type Issue } from './field-errors.ts';
import { unstorableIn } from './unstorable.ts';

// Validation messages of this process, HTTP and live, are the service's own.
z.config({ localeError: fieldMessage });

/** Wrong fields listed in one answer: it may not be many times as long as its request. */
const MAX_FIELD_ERRORS = 50;

/**
 * Validates every parameter with a schema (`@Body({ schema })`, `@Query({ schema })`, `@Param({ schema })`) and passes
 * on the parsed value. All wrong fields are reported at once (docs/reference/api.md#problems), bodies by JSON pointer,
 * query and path by name. An issue with `params: { code: 'RAW_CARD_NUMBER' }` selects another code for the whole
 * answer.
 */
export class SchemaPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { schema, type, data } = metadata;
    if (schema === undefined) return value;
    // A missing body counts as an empty one: the answer then lists its missing fields.
    const input = value ?? (type === 'body' ? {} : undefined);
    const result = schema['~standard'].validate(input);
    // zod tries again asynchronously when a schema throws; that rejection must be a fault of this request alone.
    if (result instanceof Promise) return result.then(neverAsync);
    const unstorable = unstorableIn(input);
    if (result.issues === undefined && unstorable.length === 0) return result.value;
    const prefix = typeof data === 'string' ? [data] : [];
    const issues = [...(result.issues ?? []), ...unstorable].map((issue) => under(prefix, issue));
    throw invalid(issues, prefix.length > 0 ? { [String(data)]: input } : input, type === 'body');
  }
}

function neverAsync(): never {
  throw new Error('schemas of the edge are synchronous');
}

const NO_FIELDS = z.strictObject({});

/** Hook of routes without a body: unknown fields are rejected there too (docs/reference/api.md#every-request). */
export async function refuseFields({ body }: Pick<FastifyRequest, 'body'>): Promise<void> {
  const result = NO_FIELDS.safeParse(body ?? {});
  if (!result.success) throw invalid(result.error.issues, body, true);
}

/** The error for a list of zod issues. */
export function invalid(issues: readonly Issue[], input: unknown, isBody: boolean): DomainError {
  const faults = issues.flatMap((issue) => fieldErrorsOf(issue, input));
  const errors: FieldError[] = faults
    .slice(0, MAX_FIELD_ERRORS)
    .map(({ path, pointer, code, detail }) =>
      isBody ? { pointer, code, detail } : { parameter: path, code, detail },
    );
  if (faults.length > errors.length) {
    const detail = `${faults.length - errors.length} more fields are wrong`;
    errors.push(isBody ? { pointer: '', code: 'MORE', detail } : { parameter: '', code: 'MORE', detail });
  }
  const chosen = issues.map(codeOf).find((code) => code !== undefined);
  if (chosen !== undefined) return new DomainError(chosen, CODES[chosen].cause, { errors });
  const detail = faults.length === 1 ? 'One field is wrong.' : `${faults.length} fields are wrong.`;
  return new DomainError('VALIDATION_FAILED', detail, { errors });
}

function codeOf(issue: Issue): Code | undefined {
  const code = issue.params?.code;
  return typeof code === 'string' && isCode(code) ? code : undefined;
}

function isCode(code: string): code is Code {
  return Object.hasOwn(CODES, code);
}

function under(prefix: readonly string[], issue: Issue): Issue {
  return prefix.length === 0 ? issue : { ...issue, path: [...prefix, ...(issue.path ?? [])] };
}
