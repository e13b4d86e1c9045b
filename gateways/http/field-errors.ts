import { type Path, pointerOf, valueAt } from './pointer.ts';

/** The fields of a zod issue that are used; other Standard Schema libraries have at least the first two. */
export type Issue = {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>;
  readonly code?: string;
  readonly keys?: readonly string[];
  readonly errors?: ReadonlyArray<readonly Issue[]>;
  readonly params?: Readonly<Record<string, unknown>>;
};

type FieldFault = { path: string; pointer: string; code: string; detail: string };

/** Field error codes by zod's kinds of issues (docs/reference/api.md#problems). */
const FIELD_CODES: Readonly<Record<string, string>> = {
  invalid_type: 'WRONG_TYPE',
  too_small: 'TOO_SMALL',
  too_big: 'TOO_BIG',
  invalid_format: 'BAD_FORMAT',
  not_multiple_of: 'TOO_PRECISE',
  invalid_value: 'NOT_ONE_OF',
  invalid_union: 'NO_MATCH',
  invalid_key: 'BAD_KEY',
  unrecognized_keys: 'UNKNOWN_FIELD',
};

/** Field errors of one issue: several for unknown fields, or for the closest branch of a union. */
export function fieldErrorsOf(issue: Issue, input: unknown, base: Path = []): FieldFault[] {
  const path = [...base, ...(issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step))];
  if (issue.code === 'unrecognized_keys' && issue.keys !== undefined) {
    return issue.keys.map((key) => fault([...path, key], 'UNKNOWN_FIELD', 'is not a field of this request'));
  }
  const branch = closest(issue.errors);
  if (branch !== undefined) return branch.flatMap((inner) => fieldErrorsOf(inner, input, path));
  const missing = (issue.code === 'invalid_type' || issue.code === 'invalid_value') && isAbsent(input, path);
  if (missing) return [fault(path, 'MISSING', 'is required')];
  const own = issue.params?.field;
  const code = typeof own === 'string' ? own : (FIELD_CODES[issue.code ?? ''] ?? 'INVALID');
  return [fault(path, code, issue.message)];
}

function fault(path: Path, code: string, detail: string): FieldFault {
  return { path: path.map(String).join('.'), pointer: pointerOf(path), code, detail };
}

function isAbsent(input: unknown, path: Path): boolean {
  return path.length > 0 && valueAt(input, path) === undefined;
}

/** The branch of a union with the fewest issues. */
function closest(branches: Issue['errors']): readonly Issue[] | undefined {
  return branches?.filter((branch) => branch.length > 0).toSorted((a, b) => a.length - b.length)[0];
}
