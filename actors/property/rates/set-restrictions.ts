import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { type Day, WEEKDAYS, weekdayIndex } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { checkNights } from '../../../src/kernel/rules/sale-window.ts';
import { EVERY, rulesOf } from '../../../src/rates/rules/restriction-table.ts';
import {
  changedRestriction,
  limitsNamed,
  loosened,
  removes,
  type Restriction,
  type RestrictionChange,
  type RestrictionName,
  stricterOf,
  withoutLimits,
} from '../../../src/rates/rules/restriction.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import type { Draft } from '../draft.ts';
import { fewRuns, type NightRun, runsOf } from '../runs.ts';
import { saleWindow } from '../state.ts';

/** Nights of a plan in a type that one command may set, so that its rows fit well into one call. */
const MAX_CELLS = 10_000;

/** Sets or removes restrictions over a period (docs/reference/rates.md#restrictions). */
export function decideSetRestrictions(
  draft: Draft,
  command: CommandOf<'SET_RESTRICTIONS'>,
  context: DecisionContext,
): Decision<'SET_RESTRICTIONS'> {
  const { rateCode, roomType, otherTypes = [], start, end, weekdays, change } = command;
  checkNights(saleWindow(draft), command);
  if (rateCode !== undefined && !draft.plans.has(rateCode))
    throw new DomainError('UNKNOWN_RATE_CODE', `The property has no rate code ${rateCode}.`);
  const named = roomType === undefined ? [] : [roomType, ...otherTypes];
  const unknown = named.find((type) => !draft.roomTypes.has(type));
  if (unknown !== undefined) throw new DomainError('UNKNOWN_ROOM_TYPE', `The property has no room type ${unknown}.`);
  const days = Array.from({ length: end - start + 1 }, (_, index) => start + index).filter(
    (day) => !weekdays || weekdays.includes(WEEKDAYS[weekdayIndex(day)]!),
  );
  const codes = rateCode === undefined ? [...draft.plans.keys()] : [rateCode];
  const types = roomType === undefined ? [...draft.roomTypes.keys()] : named;
  const cells = codes.length * types.length * days.length;
  checkCells(cells);
  const was = rulesBefore(draft, { codes, types, days });
  const edits = new Edits(draft);
  for (const day of days) {
    if (rateCode === undefined)
      for (const type of roomType === undefined ? [undefined] : types) changeForAll(edits, type, day, change);
    else for (const type of types) changeForPlan(edits, { rateCode, roomType: type }, day, change);
    checkCells(edits.size);
  }
  edits.put();
  const others = otherTypes.length > 0 ? { otherTypes } : {};
  const after = { rateCode, roomType, ...others, start, end, weekdays, change };
  return {
    result: { cells, updatedAt: context.now },
    entity: rateCode ?? 'all',
    facts: { setup: [{ kind: 'restrictions', id: rateCode ?? 'all', before: fewRuns(was), after }] },
  };
}

function checkCells(cells: number): void {
  if (cells <= MAX_CELLS) return;
  throw new DomainError(
    'VALIDATION_FAILED',
    `${cells} nights of plans and types at once; at most ${MAX_CELLS}: name a type or a plan, or fewer nights.`,
    { errors: [{ pointer: '/endDate', code: 'TOO_MANY_NIGHTS', detail: `at most ${MAX_CELLS} in all` }] },
  );
}

type Before = NightRun<{ rateCode: string; roomType: string; restriction: Restriction }>;

/** Effective rules before the change, for the journal. */
function rulesBefore(
  { restrictions }: Draft,
  { codes, types, days }: { codes: string[]; types: string[]; days: Day[] },
): Before[] {
  return codes.flatMap((rateCode) =>
    types.flatMap((roomType) => {
      const before = rulesOf(restrictions, rateCode, roomType);
      return runsOf(days, (day) => {
        const restriction = before?.get(day);
        return restriction && { rateCode, roomType, restriction };
      });
    }),
  );
}

/** Changed nights of one command, before they are put into the draft. */
class Edits {
  readonly #draft: Draft;
  readonly #days = new Map<string, { code: string; type: string; rules: Map<Day, Restriction | undefined> }>();
  /** Equal rules share one object: a year under the same restriction needs one. */
  readonly #known = new Map<string, Restriction>();
  size = 0;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  get plans(): string[] {
    return [...this.#draft.plans.keys()];
  }

  get types(): string[] {
    return [...this.#draft.roomTypes.keys()];
  }

  get(code: string, type: string, day: Day): Restriction | undefined {
    const edited = this.#days.get(`${code}\n${type}`)?.rules;
    return edited?.has(day) ? edited.get(day) : this.#draft.restrictions.get(code)?.get(type)?.get(day);
  }

  set(code: string, type: string, day: Day, rule: Restriction | undefined): void {
    if (rule === undefined && this.get(code, type, day) === undefined) return;
    const key = `${code}\n${type}`;
    const edited = this.#days.get(key) ?? { code, type, rules: new Map<Day, Restriction | undefined>() };
    this.#days.set(key, edited);
    if (!edited.rules.has(day)) this.size++;
    edited.rules.set(day, rule && this.#shared(rule));
  }

  put(): void {
    for (const { code, type, rules } of this.#days.values()) {
      const all = new Map(this.#draft.restrictions.get(code)?.get(type));
      for (const [day, rule] of rules)
        if (rule) all.set(day, rule);
        else all.delete(day);
      this.#draft.putRestrictions(code, type, all, [...rules.keys()]);
    }
  }

  #shared(rule: Restriction): Restriction {
    const text = JSON.stringify(rule);
    const known = this.#known.get(text) ?? rule;
    this.#known.set(text, known);
    return known;
  }
}

/**
 * Changes the rule for all plans on a day, of one room type or of all. When the rule has a limit that the change
 * removes, the own rules of the plans apply again. When it does not have the limit, it is removed from the rules of
 * every plan.
 */
function changeForAll(edits: Edits, roomType: string | undefined, day: Day, change: RestrictionChange): void {
  const before = edits.get(EVERY, roomType ?? EVERY, day);
  const gone = removedBy(change).filter((name) => before?.[name] === undefined);
  if (roomType !== undefined) {
    const wide = edits.get(EVERY, EVERY, day);
    const names = wide ? loosened(wide, change).filter((name) => !isLifted(before, change, name)) : [];
    exceptType(edits, { roomType, day, names });
  }
  if (gone.length > 0)
    for (const type of roomType === undefined ? edits.types : [roomType])
      for (const code of roomType === undefined ? [EVERY, ...edits.plans] : edits.plans)
        edits.set(code, type, day, withoutLimits(edits.get(code, type, day), gone));
  edits.set(EVERY, roomType ?? EVERY, day, changedRestriction(before, change));
}

/**
 * Changes the own rule of a plan. A limit for all plans that the change loosens moves to the own rules of the other
 * plans.
 */
function changeForPlan(
  edits: Edits,
  { rateCode, roomType }: { rateCode: string; roomType: string },
  day: Day,
  change: RestrictionChange,
): void {
  const before = edits.get(rateCode, roomType, day);
  const ofType = edits.get(EVERY, roomType, day);
  const ofAll = stricterOf(edits.get(EVERY, EVERY, day), ofType);
  const names = ofAll ? loosened(ofAll, change).filter((name) => !isLifted(before, change, name)) : [];
  if (names.length > 0) {
    const held = limitsNamed(ofAll, names)!;
    exceptType(edits, { roomType, day, names });
    edits.set(EVERY, roomType, day, withoutLimits(ofType, names));
    for (const code of edits.plans)
      if (code !== rateCode) edits.set(code, roomType, day, stricterOf(edits.get(code, roomType, day), held));
  }
  edits.set(rateCode, roomType, day, changedRestriction(before, change));
}

/** Takes a room type out of limits for all types: they move to the rules of each other type. */
function exceptType(
  edits: Edits,
  { roomType, day, names }: { roomType: string; day: Day; names: readonly RestrictionName[] },
): void {
  const wide = edits.get(EVERY, EVERY, day);
  const held = limitsNamed(wide, names);
  if (!held) return;
  edits.set(EVERY, EVERY, day, withoutLimits(wide, names));
  for (const type of edits.types)
    if (type !== roomType) edits.set(EVERY, type, day, stricterOf(edits.get(EVERY, type, day), held));
}

function removedBy(change: RestrictionChange): RestrictionName[] {
  return (Object.keys(change) as RestrictionName[]).filter((name) => removes(change, name));
}

/** Whether a change removes a limit of the rule itself (`own`): limits of wider rules then stay. */
function isLifted(own: Restriction | undefined, change: RestrictionChange, name: RestrictionName): boolean {
  return own?.[name] !== undefined && removes(change, name);
}

/** Writes the rules for all plans to the rows of a new plan: nodes of release 0.1.0 read only those. */
export function restrictAsAll(draft: Draft, rateCode: string): void {
  const every = draft.restrictions.get(EVERY);
  if (!every) return;
  for (const roomType of draft.roomTypes.keys()) {
    const days = [...new Set([...(every.get(EVERY)?.keys() ?? []), ...(every.get(roomType)?.keys() ?? [])])];
    if (days.length > 0) draft.putRestrictions(rateCode, roomType, new Map(), days);
  }
}
