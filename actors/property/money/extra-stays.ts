import { type Day, formatDay } from '../../../src/kernel/rules/dates.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import type { ExtraStock } from '../../../src/money/rules/extra.ts';
import { extrasAfter, type ExtraStay, extraStaysOf } from '../../../src/stay/rules/extra-nights.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { DecisionContext } from '../decision.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';
import { withRecord } from '../own-map.ts';
import type { State } from '../state.ts';
import { isHeldTonight } from '../stay/overdue-rooms.ts';

type Taken = Pick<State, 'extraStays' | 'holds' | 'today'>;

/**
 * Pieces of an extra that stays have on a night (docs/concepts/money.md#extras-by-night). As with rooms, a guest who
 * has not left by the check-out time has them tonight.
 */
export function extrasTaken(state: Taken, code: string, night: Day): number {
  let taken = 0;
  for (const one of state.extraStays.values()) if (one.code === code && has(state, one, night)) taken += one.quantity;
  return taken;
}

function has(state: Taken, { firstNight, lastNight, reservationId }: ExtraStay, night: Day): boolean {
  if (firstNight <= night && night <= lastNight) return true;
  return night === state.today && lastNight < night && isHeldTonight(state, reservationId);
}

/**
 * Checks that the extras of a changed reservation are there, on each night from the business date on for which it needs
 * more of them than it has. Writes nothing.
 * @param stock pieces of each extra on a night; an extra that is not in it is not counted
 * @throws DomainError EXTRA_NOT_AVAILABLE with the first such night
 */
export function checkExtrasLeft(draft: Draft, before: Reservation, after: Reservation, stock: ExtraStock): void {
  const wanted = extraStaysOf(after);
  if (wanted.length === 0) return;
  const own = extraStaysOf(before);
  const first = Math.max(draft.today, Math.min(...wanted.map(({ firstNight }) => firstNight)));
  const last = Math.max(...wanted.map(({ lastNight }) => lastNight));
  const piecesOf = (stays: readonly ExtraStay[], code: string, night: Day): number =>
    stays.reduce((all, one) => all + (one.code === code && has(draft, one, night) ? one.quantity : 0), 0);
  const codes = [...new Set(wanted.map(({ code }) => code))].filter((code) => stock[code] !== undefined);
  for (let night = first; night <= last; night++)
    for (const code of codes) {
      const further = piecesOf(wanted, code, night) - piecesOf(own, code, night);
      if (further > 0) checkNight(draft, { code, night, further, stock: stock[code]! });
    }
}

type Further = { code: string; night: Day; further: number; stock: number };

function checkNight(draft: Draft, { code, night, further, stock }: Further): void {
  const left = Math.max(0, stock - extrasTaken(draft, code, night));
  if (further <= left) return;
  const date = formatDay(night);
  const detail = `${code} has ${left} left on ${date}, and ${further} more are needed. Take fewer, or void the posting of the extra first.`;
  throw new DomainError('EXTRA_NOT_AVAILABLE', detail, { date, extra: { extra: { code, left } } });
}

/** A changed reservation with its extras by night as its nights are now; writes nothing. */
export function withExtrasOfNights(
  { today }: Pick<Draft, 'today'>,
  before: Reservation,
  changed: Reservation,
  { subject: by }: DecisionContext,
): Reservation {
  const idOf = (postingId: string, nth: number): string => derivedId(postingId, 'nights', String(nth));
  const charges = extrasAfter(changed.charges, before, changed.stay, { today, by, idOf });
  return charges === changed.charges ? changed : { ...changed, charges: charges && [...charges] };
}

/**
 * Moves the stock of extras with the reservations that a command has changed: the only place where pieces are taken or
 * given back, so that no command can forget it.
 * @returns what changed, as facts for the journal
 */
export function followExtraStays(
  draft: Draft,
  changes: Iterable<{ before: Reservation | undefined; after: Reservation }>,
): NonNullable<Facts['setup']> {
  const setup: NonNullable<Facts['setup']> = [];
  for (const { before, after } of changes) {
    const were = new Map((before ? extraStaysOf(before) : []).map((one) => [one.postingId, one]));
    for (const is of extraStaysOf(after)) {
      const was = were.get(is.postingId);
      were.delete(is.postingId);
      if (was && was.firstNight === is.firstNight && was.lastNight === is.lastNight) continue;
      put(draft, is.postingId, is);
      setup.push(factOf(is.postingId, was, is));
    }
    for (const [postingId, was] of were) {
      put(draft, postingId, null);
      setup.push(factOf(postingId, was, undefined));
    }
  }
  return setup;
}

function put(draft: Draft, postingId: string, stay: ExtraStay | null): void {
  draft.extraStays = withRecord(draft.extraStays, draft.base.extraStays, postingId, stay ?? false);
  draft.extraStaysPut.set(postingId, stay);
}

function factOf(
  id: string,
  was: ExtraStay | undefined,
  is: ExtraStay | undefined,
): NonNullable<Facts['setup']>[number] {
  const shown = (stay: ExtraStay | undefined): Omit<ExtraStay, 'postingId'> | null => {
    if (!stay) return null;
    const { postingId: _, ...rest } = stay;
    return rest;
  };
  return { kind: 'extraStay', id, before: shown(was), after: shown(is) };
}
