import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError, orError } from '../../../src/kernel/rules/domain-error.ts';
import type { Facts } from '../../../src/kernel/rules/journal.ts';
import type { Instant } from '../../../src/kernel/rules/property-time.ts';
import { totals } from '../../../src/money/rules/night.ts';
import { heldNights, type Hold, promisedRates } from '../../../src/stay/rules/hold.ts';
import { MAX_WAITING, OFFER_MS, type WaitlistEntry } from '../../../src/stay/rules/waitlist.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';
import type { State } from '../state.ts';
import { dropHold, takeHold } from '../stay/booking.ts';
import { firstSoldOut } from '../stay/stay-rules.ts';
import { checkGuests, planOnSale } from '../stay/terms.ts';
import { quotedHold } from './explicit-hold.ts';
import { freshHold } from './holds.ts';

/** Journal entity of offers. */
const WAITLIST = 'waitlist';

/** Rooms offered by one command at most, so that a batch stays small. */
const MAX_OFFERED = 100;

const FIELDS = {
  checkIn: { pointer: '/stayDetails/checkIn' },
  checkOut: { pointer: '/stayDetails/checkOut' },
};

/** Errors after which a request may wait: another booking may give its room back, or the price may fall. */
const WORTH_WAITING = new Set(['ROOM_NOT_AVAILABLE', 'PRICE_CHANGED']);

type SetupFacts = NonNullable<Facts['setup']>;

/**
 * Puts a request that was refused at the end of the waitlist (docs/reference/waitlist.md#waitlist).
 * @throws DomainError INVALID_STATE when the stay can be booked now; otherwise as a hold, where waiting does not help
 */
export function decideJoinWaitlist(
  draft: Draft,
  { entry: wanted }: CommandOf<'JOIN_WAITLIST'>,
  context: DecisionContext,
): Decision<'JOIN_WAITLIST'> {
  const { stay, expiresAt, waitlistId } = wanted;
  planOnSale(draft, stay, FIELDS, context.now);
  checkGuests(draft, stay);
  if (expiresAt !== undefined && expiresAt <= context.now)
    throw refused('/expiresAt', 'PAST', 'is not in the future');
  if (draft.waitlist.size >= MAX_WAITING)
    throw refused('/propertyId', 'TOO_MANY', `has ${MAX_WAITING} waiting requests, which is the most`);
  const number = Math.max(0, ...[...draft.waitlist.values()].map((one) => one.number)) + 1;
  const times = { createdAt: context.now, updatedAt: context.now };
  const entry: WaitlistEntry = { ...wanted, number, status: 'WAITING', ...times };
  const hold = orError(() => offeredHold(draft, entry, context));
  // What only the limits on unpaid rooms refuse can be paid for at once.
  if (!(hold instanceof DomainError) || hold.code === 'QUOTA_EXCEEDED')
    throw new DomainError('INVALID_STATE', 'The stay can be booked now: nobody has to wait for it.');
  if (!WORTH_WAITING.has(hold.code)) throw hold;
  draft.putWaiting(entry);
  const position = waiting(draft).length;
  return {
    result: { waitlistId, position, status: entry.status },
    entity: waitlistId,
    facts: { setup: [factOf(entry, undefined)] },
  };
}

/** Takes a request off the list; a room that is held for it is free at once. @throws DomainError WAITLIST_NOT_FOUND */
export function decideLeaveWaitlist(
  draft: Draft,
  { waitlistId }: CommandOf<'LEAVE_WAITLIST'>,
  { now }: DecisionContext,
): Decision<'LEAVE_WAITLIST'> {
  const before = draft.waitlist.get(waitlistId);
  if (!before) throw new DomainError('WAITLIST_NOT_FOUND', 'The property has no such request, or it is over.');
  const hold = before.offer && draft.holds.get(before.offer.holdId);
  const isHeld = hold !== undefined && hold.kind === 'EXPLICIT' && hold.rooms > 0;
  if (isHeld) dropHold(draft, hold);
  const setup = [end(draft, before, 'REMOVED', now)];
  const facts = { setup, ...(isHeld && quotedHold('RELEASED', hold, hold)) };
  return { result: { waitlistId, status: 'REMOVED' }, entity: waitlistId, facts };
}

/**
 * Ends requests that are over, and offers free rooms to the others in the order of their arrival: each that can be
 * booked on all its nights gets a hold of one room. One that does not fit stays where it is.
 */
export function decideOfferWaitlist(draft: Draft, context: DecisionContext): Decision<'OFFER_WAITLIST'> {
  const setup = endOver(draft, context.now);
  const holds: NonNullable<Facts['holds']> = [];
  for (const entry of waiting(draft)) {
    if (holds.length === MAX_OFFERED) break;
    if (!hasRooms(draft, entry)) continue;
    const hold = orError(() => offeredHold(draft, entry, context));
    if (hold instanceof DomainError) continue;
    takeHold(draft, hold);
    const { expiresAt } = hold;
    const { currency } = hold.terms;
    const { total } = totals(heldNights(hold, promisedRates(hold, entry.stay), entry.stay));
    const offer = { holdId: hold.id, expiresAt, total, currency };
    const next = { ...entry, status: 'OFFERED' as const, offer, updatedAt: context.now };
    draft.putWaiting(next);
    setup.push(factOf(next, entry));
    holds.push(...quotedHold('PLACED', hold).holds);
  }
  const facts = { setup, ...(holds.length > 0 && { holds }) };
  const decision = { result: { changed: setup.length }, entity: WAITLIST, facts };
  return setup.length === 0 ? { ...decision, dryRun: true } : decision;
}

/** Ends every request of a property that is deleted. */
export function endWaitlist(draft: Draft, now: Instant): void {
  for (const entry of draft.waitlist.values()) end(draft, entry, 'REMOVED', now);
}

/** What of a waitlist has to be done: at once after a change of the property, and at a moment. */
export function waitlistWork(state: State): { now: boolean; at: Instant } {
  let at = Infinity;
  if (!state.property) return { now: false, at };
  for (const entry of state.waitlist.values()) {
    const isDue =
      entry.status === 'OFFERED'
        ? offerEnd(state.holds, entry) !== undefined || hasOtherTime(state.holds, entry)
        : entry.stay.checkIn < state.today || hasRooms(state, entry);
    if (isDue) return { now: true, at };
    if (entry.status === 'WAITING') at = Math.min(at, entry.expiresAt ?? Infinity);
  }
  return { now: false, at };
}

function endOver(draft: Draft, now: Instant): SetupFacts {
  const setup: SetupFacts = [];
  for (const entry of draft.waitlist.values()) {
    const isPast = entry.stay.checkIn < draft.today || (entry.expiresAt ?? Infinity) <= now;
    const ended = entry.status === 'OFFERED' ? offerEnd(draft.holds, entry) : isPast ? 'EXPIRED' : undefined;
    if (ended) setup.push(end(draft, entry, ended, now));
    else if (entry.offer && hasOtherTime(draft.holds, entry)) {
      const { expiresAt } = draft.holds.get(entry.offer.holdId)!;
      const next = { ...entry, offer: { ...entry.offer, expiresAt }, updatedAt: now };
      draft.putWaiting(next);
      setup.push(factOf(next, entry));
    }
  }
  return setup;
}

/** The hold of an offer was extended. */
function hasOtherTime(holds: State['holds'], { offer }: WaitlistEntry): boolean {
  const hold = offer && holds.get(offer.holdId);
  return hold !== undefined && hold.kind === 'EXPLICIT' && hold.expiresAt !== offer!.expiresAt;
}

/** How an offer has ended: its room is booked, or its time has run out; `undefined` while it is open or being paid. */
function offerEnd(holds: State['holds'], { offer }: WaitlistEntry): 'BOOKED' | 'LAPSED' | undefined {
  const hold = holds.get(offer!.holdId);
  if (!hold) return 'LAPSED';
  if (hold.kind === 'LATE') return isPaidFor(holds, hold) ? undefined : hold.lapsed === 0 ? 'BOOKED' : 'LAPSED';
  return hold.rooms > 0 || isPaidFor(holds, hold) ? undefined : 'BOOKED';
}

/** Whether a booking out of the hold is being paid: its room may come back. */
function isPaidFor(holds: State['holds'], { id }: Hold): boolean {
  return [...holds].some(([, { kind, fromHold }]) => kind === 'PAYING' && fromHold === id);
}

const waiting = ({ waitlist }: Draft): WaitlistEntry[] =>
  [...waitlist.values()].filter(({ status }) => status === 'WAITING').sort((a, b) => a.number - b.number);

/** Whether each night of a request has a room; a cheap check before its rules are read. */
function hasRooms({ slabs, property }: Pick<State, 'slabs' | 'property'>, { stay }: WaitlistEntry): boolean {
  const slab = slabs.get(stay.roomType);
  if (!slab || !slab.has(stay.checkIn) || !slab.has(stay.checkOut - 1)) return false;
  const { policies } = property!.metadata;
  return firstSoldOut(slab, policies, stay.checkIn, stay.checkOut, 1) === undefined;
}

function offeredHold(draft: Draft, { waitlistId, stay, maxTotal }: WaitlistEntry, context: DecisionContext) {
  const as = { id: derivedId(waitlistId, 'offer'), subject: WAITLIST, expiresAt: context.now + OFFER_MS };
  return freshHold(draft, { stay, rooms: 1, maxTotal }, as, context);
}

/** A request that is over keeps its stay and drops its guest. */
function end(
  draft: Draft,
  { guest: _guest, ...before }: WaitlistEntry,
  status: Exclude<WaitlistEntry['status'], 'WAITING' | 'OFFERED'>,
  now: Instant,
): SetupFacts[0] {
  const next = { ...before, status, updatedAt: now };
  draft.putWaiting(next);
  return factOf(next, before);
}

function factOf(next: WaitlistEntry, before: WaitlistEntry | undefined): SetupFacts[0] {
  const said = ({ status, stay: { roomType, checkIn, checkOut }, offer }: WaitlistEntry) => {
    return { status, roomType, checkIn, checkOut, ...(offer && { holdId: offer.holdId, total: offer.total }) };
  };
  return { kind: 'waitlist', id: next.waitlistId, before: before ? said(before) : null, after: said(next) };
}

function refused(pointer: string, code: string, detail: string): DomainError {
  return new DomainError('VALIDATION_FAILED', 'The request cannot wait.', { errors: [{ pointer, code, detail }] });
}
