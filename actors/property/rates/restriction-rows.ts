import type { Day } from '../../../src/kernel/rules/dates.ts';
import type { StoredRestriction } from '../../../src/property-store/ports.ts';
import { EVERY, ownCode, ruleOfAll, rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import type { Draft } from '../draft.ts';

/**
 * Rows of changed restrictions. A rule for all plans has rows under `EVERY`. Rows under the code of a plan have its
 * effective rule, because nodes of release 0.1.0 read only those; where a rule for all plans is part of it, the own
 * rule of the plan is stored beside it under `ownCode`.
 */
export function restrictionRows(draft: Draft): StoredRestriction[] {
  const rows: StoredRestriction[] = [];
  const cells = new Map<string, { code: string; type: string; days: Set<Day> }>();
  const touch = (code: string, type: string, days: Iterable<Day>): void => {
    const key = `${code}\n${type}`;
    const cell = cells.get(key) ?? { code, type, days: new Set() };
    for (const day of days) cell.days.add(day);
    cells.set(key, cell);
  };
  for (const { rateCode, roomType, days } of draft.restrictionsPut.values()) {
    if (rateCode !== EVERY) {
      touch(rateCode, roomType, days);
      continue;
    }
    const all = draft.restrictions.get(EVERY)?.get(roomType);
    for (const day of days) rows.push({ rateCode, roomType, day, restriction: all?.get(day) });
    for (const type of roomType === EVERY ? draft.roomTypes.keys() : [roomType])
      for (const code of draft.plans.keys()) touch(code, type, days);
  }
  for (const { code, type, days } of cells.values()) rows.push(...cellRows(draft, code, type, days));
  return [...rows, ...removedRows(draft)];
}

function cellRows(draft: Draft, rateCode: string, roomType: string, days: Iterable<Day>): StoredRestriction[] {
  const { restrictions, plans, base } = draft;
  const rules = rulesOf(restrictions, rateCode, roomType);
  const own = restrictions.get(rateCode)?.get(roomType);
  const before = base.restrictions.get(rateCode)?.get(roomType);
  const plan = plans.get(rateCode);
  return [...days].flatMap((day) => {
    const row = { rateCode, roomType, day, restriction: rules?.get(day) };
    const isShared = ruleOfAll(restrictions, roomType, day) !== undefined;
    const wasShared = ruleOfAll(base.restrictions, roomType, day) !== undefined;
    const ownRule = isShared ? own?.get(day) : undefined;
    if (!plan || (!ownRule && !(wasShared && before?.has(day)))) return [row];
    return [row, { rateCode: ownCode(plan.id), roomType, day, restriction: ownRule }];
  });
}

/** Deletes the own rules of removed plans, which are not stored under the code of the plan. */
function removedRows({ base, plansRemoved }: Draft): StoredRestriction[] {
  return [...plansRemoved.values()].flatMap(({ id, code }) =>
    [...(base.restrictions.get(code) ?? [])].flatMap(([roomType, days]) =>
      [...days.keys()]
        .filter((day) => ruleOfAll(base.restrictions, roomType, day) !== undefined)
        .map((day) => ({ rateCode: ownCode(id), roomType, day, restriction: undefined })),
    ),
  );
}
