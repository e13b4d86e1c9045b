import { cellKey } from '../../../packages/client/src/live/replica.ts';
import { type Cell, type ConsecutiveNights, consecutive } from './chosen-nights.ts';
import type { RestrictionsWanted } from './shapes.ts';

/** A restriction that the editor sets. */
export type EditedLimit = keyof RestrictionsWanted;
type Value = true | number | null;

/** One request that takes a part of a change back; without a rate code it is for all plans. */
type StepBack = { nights: ConsecutiveNights; rateCode?: string; change: RestrictionsWanted };

/** What a restriction was before a change, for each plan that had it. */
type Before = { rateCode: string; roomType: string; date: string } & Partial<Record<EditedLimit, unknown>>;

/**
 * Requests that bring a restriction back to what it was. What all plans had was a rule for all, and is one again; what
 * only some had was their own.
 * @param rateCodes all plans of the property
 */
export function stepsBack(
  cells: readonly Cell[],
  limit: EditedLimit,
  before: readonly Before[],
  rateCodes: readonly string[],
): StepBack[] {
  const values = new Map<string, Map<string, Value>>();
  for (const item of before) {
    const value = valueOf(item[limit]);
    const key = cellKey(item);
    if (value !== null) values.set(key, (values.get(key) ?? new Map<string, Value>()).set(item.rateCode, value));
  }
  const alike = Map.groupBy(cells, (cell) => JSON.stringify([...(values.get(cellKey(cell)) ?? [])].sort(byCode)));
  return [...alike].flatMap(([text, group]) =>
    consecutive(group).flatMap((nights) => stepsOf(nights, limit, new Map(JSON.parse(text)), rateCodes)),
  );
}

function stepsOf(
  nights: ConsecutiveNights,
  limit: EditedLimit,
  had: ReadonlyMap<string, Value>,
  rateCodes: readonly string[],
): StepBack[] {
  const [first = null] = had.values();
  const isRule = first !== null && rateCodes.every((code) => had.get(code) === first);
  const all = { nights, change: { [limit]: isRule ? first : null } };
  if (isRule) return [all];
  return [all, ...[...had].map(([rateCode, value]) => ({ nights, rateCode, change: { [limit]: value } }))];
}

const byCode = ([one]: [string, Value], [other]: [string, Value]): number => one.localeCompare(other);

/** False and nothing are one value. */
const valueOf = (value: unknown): Value => (value === true || typeof value === 'number' ? value : null);
