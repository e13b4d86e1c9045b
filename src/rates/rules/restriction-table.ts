import type { Day } from '../../kernel/rules/dates.ts';
import { type Restriction, type RestrictionDays, sameRestriction, stricterOf } from './restriction.ts';

/** Code of every plan, and of every room type; no plan and no type has it. */
export const EVERY = '';

/**
 * Restrictions by plan and room type, as they were set. What is set for all plans, of one room type or of all, is one
 * rule under `EVERY`: it holds for each plan and type, existing or later, beside their own rules.
 */
export type RestrictionTable = ReadonlyMap<string, ReadonlyMap<string, RestrictionDays>>;

/** Effective rules by table: a table never changes, and each decision that changes one makes a new one. */
const EFFECTIVE = new WeakMap<RestrictionTable, Map<string, RestrictionDays | undefined>>();

/** Rules that hold for a plan in a room type: its own and those for all plans, the strictest of each. */
export function rulesOf(table: RestrictionTable, rateCode: string, roomType: string): RestrictionDays | undefined {
  const own = table.get(rateCode)?.get(roomType);
  const every = table.get(EVERY);
  if (!every || every.size === 0) return own;
  const known = EFFECTIVE.get(table) ?? new Map<string, RestrictionDays | undefined>();
  EFFECTIVE.set(table, known);
  const key = `${rateCode}\n${roomType}`;
  if (!known.has(key)) known.set(key, joined([every.get(EVERY), every.get(roomType), own]));
  return known.get(key);
}

function joined(parts: readonly (RestrictionDays | undefined)[]): RestrictionDays | undefined {
  const some = parts.filter((days) => days !== undefined && days.size > 0);
  if (some.length < 2) return some[0];
  const days = new Map<Day, Restriction>();
  for (const part of some) for (const [day, rule] of part!) days.set(day, stricterOf(days.get(day), rule));
  return days;
}

/** Rule for all plans on a night of a room type. */
export function ruleOfAll(table: RestrictionTable, roomType: string, day: Day): Restriction | undefined {
  const every = table.get(EVERY);
  return stricterOf(every?.get(EVERY)?.get(day), every?.get(roomType)?.get(day));
}

/** Code under which the own rule of a plan is stored where a rule for all plans holds beside it. */
export function ownCode(planId: string): string {
  return `=${planId}`;
}

/**
 * Stored rows as a table. A release before rules for all plans reads and writes effective rules under the code of the
 * plan; own rules are stored beside them. A row that it has changed counts as an own rule.
 */
export function tableOfRows(
  rows: RestrictionTable,
  plans: readonly { id: string; code: string }[],
): RestrictionTable {
  if (!rows.has(EVERY)) return rows;
  const table = new Map(rows);
  for (const { id } of plans) table.delete(ownCode(id));
  for (const { id, code } of plans) {
    const types = new Map<string, RestrictionDays>();
    for (const [roomType, days] of rows.get(code) ?? []) {
      const own = rows.get(ownCode(id))?.get(roomType);
      const after = ownDays(days, own, (day) => ruleOfAll(rows, roomType, day));
      if (after.size > 0) types.set(roomType, after);
    }
    if (types.size > 0) table.set(code, types);
    else table.delete(code);
  }
  return table;
}

function ownDays(
  days: RestrictionDays,
  own: RestrictionDays | undefined,
  ruleOn: (day: Day) => Restriction | undefined,
): RestrictionDays {
  const after = new Map<Day, Restriction>();
  for (const [day, stored] of days) {
    const rule = ruleOn(day);
    const isOurs = rule !== undefined && sameRestriction(stored, stricterOf(own?.get(day), rule));
    const ownRule = isOurs ? own?.get(day) : stored;
    if (ownRule) after.set(day, ownRule);
  }
  return after;
}
