import { formatDay } from '../../../src/kernel/rules/dates.ts';
import { type Alternative, type Code, DomainError, orError } from '../../../src/kernel/rules/domain-error.ts';
import { departureOf } from '../../../src/kernel/rules/stay-days.ts';
import type { RatePlan } from '../../../src/rates/rules/rate-plan.ts';
import type { Stay } from '../../../src/rates/rules/stay.ts';
import type { Draft } from '../draft.ts';
import { saleWindow } from '../state.ts';
import { firstSoldOut } from '../stay/stay-rules.ts';
import { checkStay, nightsAt, type WantedTerms } from '../stay/terms.ts';

/** Offered alternatives, and the days by which dates are shifted (docs/reference/api.md#problems). */
const MOST = 3;
const SHIFT_DAYS = 7;

/** Errors that another stay may avoid. */
const HELPED = new Set<Code>([
  ...(['ROOM_NOT_AVAILABLE', 'NO_RATE', 'STOP_SELL', 'CLOSED_TO_ARRIVAL', 'CLOSED_TO_DEPARTURE'] as const),
  ...(['MIN_STAY', 'MAX_STAY', 'MIN_ADVANCE', 'MAX_ADVANCE', 'OCCUPANCY_EXCEEDED'] as const),
]);

/** Runs the checks of a stay. An error that another stay would avoid lists available alternatives. */
export function offering<T>(draft: Draft, wanted: WantedTerms, plan: RatePlan, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof DomainError) || !HELPED.has(error.code)) throw error;
    error.details.alternatives = alternatives(draft, wanted, plan, error.code);
    throw error;
  }
}

/** Available alternatives: longer or shorter stays, the same nights in another type, the same type near by. */
function alternatives(draft: Draft, wanted: WantedTerms, plan: RatePlan, code: Code): Alternative[] {
  const found: Alternative[] = [];
  const remaining = candidates(draft, wanted.stay, code);
  for (let next = remaining.next(); !next.done && found.length < MOST; next = remaining.next()) {
    const { roomType, checkIn } = next.value;
    if (canBeHad(draft, { ...wanted, stay: next.value }, plan))
      found.push({ roomType, checkIn: formatDay(checkIn), checkOut: formatDay(departureOf(next.value)) });
  }
  return found;
}

function* candidates(draft: Draft, stay: Stay, code: Code): Generator<Stay, void> {
  const { checkIn, checkOut } = stay;
  const step = code === 'MIN_STAY' ? 1 : -1;
  if (code === 'MIN_STAY' || code === 'MAX_STAY')
    for (let by = 1; by <= SHIFT_DAYS; by++) yield { ...stay, checkOut: checkOut + step * by };
  for (const { roomType } of draft.roomTypes.values()) if (roomType !== stay.roomType) yield { ...stay, roomType };
  for (let shift = 1; shift <= SHIFT_DAYS; shift++)
    for (const by of [shift, -shift]) yield { ...stay, checkIn: checkIn + by, checkOut: checkOut + by };
}

/** Whether a stay is available on the same terms: its promotion, or its group's blocks. */
function canBeHad(draft: Draft, wanted: WantedTerms, plan: RatePlan): boolean {
  const { roomType, checkIn, checkOut } = wanted.stay;
  const { businessDate, lastNight } = saleWindow(draft);
  if (checkOut <= checkIn || checkIn < businessDate || checkOut - 1 > lastNight) return false;
  const { policies } = draft.property!.metadata;
  // Most candidates are sold out as well; this check is cheaper than an error.
  const soldOut = firstSoldOut(draft.slab(roomType)!, policies, checkIn, checkOut, wanted.rooms ?? 1) !== undefined;
  if (soldOut && wanted.groupId === undefined) return false;
  const nights = orError(() => {
    checkStay(draft, wanted, plan);
    return nightsAt(draft, wanted, plan);
  });
  return !(nights instanceof DomainError);
}
