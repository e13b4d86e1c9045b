import type { Problem } from '../../api.ts';
import type { FormField } from './fields.ts';

/**
 * What a service says of the members of a body, by the field that stands for each: `/metadata/timezone` belongs to the
 * field `metadata/timezone`, and `/metadata/policies/taxes/2/value` to `value` of a form at `/metadata/policies/taxes/2`.
 */
export function fieldProblems(
  problem: Problem | undefined,
  at: string,
  fields: readonly FormField[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { pointer, detail } of problem?.errors ?? []) {
    if (pointer === undefined) continue;
    const path = pointer.startsWith(`${at}/`) ? pointer.slice(at.length + 1) : pointer.slice(1);
    const field = fields
      .filter(({ name }) => path === name || path.startsWith(`${name}/`))
      .sort((one, other) => other.name.length - one.name.length)[0];
    if (field && !found.has(field.name))
      found.set(field.name, `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`);
  }
  return found;
}
