import type { CommandOf } from '../../../src/kernel/rules/commands.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { MAX_AMOUNT, negated } from '../../../src/kernel/rules/money.ts';
import { type FolioWindow, hasPayer, isHonoured, type RoutingRule } from '../../../src/money/rules/folio-window.ts';
import { type ExtraOfNights, type FolioCharge, folioTotals } from '../../../src/money/rules/folio.ts';
import { type FolioPosting, postingOf } from '../../../src/money/rules/postings.ts';
import { followersOf, nightlyCharge, nightsLeft } from '../../../src/stay/rules/extra-nights.ts';
import type { Reservation } from '../../../src/stay/rules/reservation.ts';
import type { Decision, DecisionContext } from '../decision.ts';
import { derivedId } from '../derived-id.ts';
import type { Draft } from '../draft.ts';
import { changeFacts, factOf } from '../facts.ts';
import { checkVersion, loaded } from '../stay/cancel.ts';
import { storeSettled } from '../stay/confirm.ts';
import { checkCurrency } from '../stay/terms.ts';
import { checkAction } from '../stay/transition.ts';
import { checkExtrasLeft } from './extra-stays.ts';

/** Postings of one folio, without those that reverse others: they are stored with the reservation. */
const MAX_POSTINGS = 500;

type FolioCommand = CommandOf<'POST_CHARGE' | 'VOID_POSTING' | 'ROUTE_FOLIO'>;

/**
 * Posts a charge to the folio of a stay (docs/reference/folio.md#post). Before check-in only items of the price list
 * are accepted.
 * @throws DomainError INVALID_STATE, also for an extra by night when no night is left; EXTRA_NOT_AVAILABLE, FOLIO_FULL,
 * VALIDATION_FAILED where the total would exceed what can be stored, and for a window without a payer;
 * CURRENCY_MISMATCH for an item of a price list in another currency
 */
export function decidePostCharge(
  draft: Draft,
  command: CommandOf<'POST_CHARGE'>,
  context: DecisionContext,
): Decision<'POST_CHARGE'> {
  const before = openFolio(draft, command, 'post');
  const { postingId: id, code, unitAmount, window, by } = command;
  if (window) checkWindows(before, [[window, '/window']]);
  if (before.status !== 'CHECKED_IN' && code === undefined)
    throw new DomainError('INVALID_STATE', 'Before the check-in only extras of the price list are posted.');
  if (code !== undefined) checkCurrency(draft, before);
  checkPostings(before, 1);
  const posting = {
    day: draft.today,
    ...(code !== undefined && { code }),
    id,
    kind: 'EXTRA' as const,
    unitAmount,
    ...(window && { window }),
    by,
  };
  const charge: FolioCharge =
    command.stock === undefined
      ? { ...posting, ...ofQuantity(command) }
      : nightlyCharge(posting, nightsOf(draft, before, command));
  const changes = { charges: [...(before.charges ?? []), charge] };
  if (code !== undefined && command.stock !== undefined)
    checkExtrasLeft(draft, before, { ...before, ...changes }, { [code]: command.stock });
  const next = put(draft, before, changes, context);
  return answer(draft, before, next, id);
}

/** @param further postings that are to be added @throws DomainError FOLIO_FULL */
export function checkPostings({ charges = [] }: Pick<Reservation, 'charges'>, further: number): void {
  const posted = charges.filter((one) => one.id !== undefined && one.voids === undefined);
  if (posted.length + further > MAX_POSTINGS)
    throw new DomainError('FOLIO_FULL', `The folio has ${MAX_POSTINGS} postings, which is all that it may have.`);
}

function ofQuantity({
  description,
  unitAmount,
  quantity,
  taxLines,
}: CommandOf<'POST_CHARGE'>): Pick<FolioCharge, 'description' | 'amount' | 'quantity' | 'taxLines'> {
  const amount = unitAmount * quantity;
  if (!taxLines) return { description, amount, quantity };
  return {
    description,
    amount,
    quantity,
    taxLines: taxLines.map((tax) => ({ ...tax, amount: tax.amount * quantity })),
  };
}

/** The nights of an extra by night: all of the stay, or those that are left. @throws DomainError INVALID_STATE */
function nightsOf(
  { today }: Draft,
  { stay }: Reservation,
  { description: name, quantity: pieces, taxLines }: CommandOf<'POST_CHARGE'>,
): ExtraOfNights {
  const { from, to } = nightsLeft(stay, today);
  if (to <= from) throw new DomainError('INVALID_STATE', 'The stay has no night left for which the extra is needed.');
  return { name, pieces, from, to, ...(taxLines && { taxLines }) };
}

/**
 * Voids a posting (docs/reference/folio.md#void): the line stays, and a second one with the opposite amount counts on
 * today's business date, so that no past day changes.
 * @throws DomainError POSTING_NOT_FOUND, INVALID_STATE for a voided posting or one that was not posted by hand, such as
 * the further nights of an extra
 */
export function decideVoidPosting(
  draft: Draft,
  command: CommandOf<'VOID_POSTING'>,
  context: DecisionContext,
): Decision<'VOID_POSTING'> {
  const before = openFolio(draft, command, 'voidPosting');
  const { postingId, reversalId, reason, by } = command;
  const { charges = [] } = before;
  const posting = charges.find(({ id }) => id === postingId);
  if (!posting) throw notPosted(draft, before, postingId);
  const isTaken = charges.some(({ voids }) => voids === postingId);
  if (isTaken || posting.voids !== undefined)
    throw new DomainError('INVALID_STATE', 'The posting was taken back already, or takes another one back.');
  if (posting.follows !== undefined)
    throw new DomainError('INVALID_STATE', 'The nights of the stay have changed it: void the posting of the extra.');
  const reverse = (one: FolioCharge, id: string): FolioCharge =>
    reversed(one, { id, day: draft.today, by, notes: reason });
  // What was added or given back since goes with the extra.
  const others = followersOf(charges, postingId).map((one) => reverse(one, derivedId(reversalId, one.id!)));
  const next = put(draft, before, { charges: [...charges, ...others, reverse(posting, reversalId)] }, context);
  return answer(draft, before, next, reversalId);
}

/** The posting that voids another one. */
function reversed(posting: FolioCharge, by: Pick<FolioCharge, 'id' | 'day' | 'by' | 'notes'>): FolioCharge {
  const { amount, quantity = 1, taxLines, id } = posting;
  return {
    ...posting,
    amount: negated(amount),
    quantity: negated(quantity),
    ...(taxLines && { taxLines: taxLines.map((tax) => ({ ...tax, amount: negated(tax.amount) })) }),
    ...by,
    voids: id!,
  };
}

/** Error for a line that the folio has by itself, such as a night or a payment: it cannot be voided. */
function notPosted(draft: Draft, before: Reservation, postingId: string): DomainError {
  const isOther =
    postingOf(before, draft.today, postingId) !== undefined ||
    before.payments.some(({ paymentId }) => paymentId === postingId);
  return isOther
    ? new DomainError('INVALID_STATE', 'Only what somebody has posted is taken back: change the stay, or refund.')
    : new DomainError('POSTING_NOT_FOUND', 'The folio has no such posting.');
}

/**
 * Sets which window pays for which charges, and the company of the stay (docs/reference/folio.md#windows).
 * @throws DomainError INVALID_STATE, also for another company while the account of the first one has paid;
 * VALIDATION_FAILED for a window without a payer
 */
export function decideRouteFolio(
  draft: Draft,
  command: CommandOf<'ROUTE_FOLIO'>,
  context: DecisionContext,
): Decision<'ROUTE_FOLIO'> {
  const before = openFolio(draft, command, 'routeFolio');
  const { rules, companyId = before.companyId } = command;
  if (companyId !== before.companyId) checkAccountUnused(before);
  checkWindows(
    { ...before, companyId },
    rules.map(({ window }, index) => [window, `/rules/${index}/window`]),
  );
  checkPenalties(rules);
  const next = put(draft, before, { routing: rules.length > 0 ? rules : undefined, companyId }, context);
  const result = { reservationId: next.id, version: next.version, rules, ...(companyId && { companyId }) };
  return { result, entity: next.id, facts: { bookings: [factOf('MODIFIED', next)] } };
}

/** What is on the account of a company stays there. @throws DomainError INVALID_STATE */
function checkAccountUnused({ payments }: Reservation): void {
  if (payments.some(({ method, status }) => method === 'INVOICE' && status !== 'FAILED'))
    throw new DomainError('INVALID_STATE', 'An account has paid for the stay already: give that back first.');
}

/**
 * Checks that windows have a payer: what is posted to one without would stay open for ever.
 * @param named windows, each with the pointer to it in the request
 * @throws DomainError VALIDATION_FAILED
 */
export function checkWindows(before: Reservation, named: readonly (readonly [FolioWindow, string])[]): void {
  const errors = named.flatMap(([window, pointer]) => {
    if (hasPayer(before, window)) return [];
    return { pointer, code: 'NO_PAYER', detail: NO_PAYER[window] };
  });
  if (errors.length > 0) throw new DomainError('VALIDATION_FAILED', 'The window has no payer.', { errors });
}

/** A sharer pays no penalty (docs/reference/sharers.md#penalties). @throws DomainError VALIDATION_FAILED */
function checkPenalties(rules: readonly RoutingRule[]): void {
  const index = rules.findIndex((rule) => !isHonoured(rule));
  if (index === -1) return;
  const detail = 'a penalty is paid by who has booked, or by the account';
  throw new DomainError('VALIDATION_FAILED', 'A penalty is not for the sharer.', {
    errors: [{ pointer: `/rules/${index}/window`, code: 'NOT_FOR_SHARER', detail }],
  });
}

const NO_PAYER: Readonly<Record<FolioWindow, string>> = {
  GUEST: 'the stay has no guest',
  SHARER: 'the stay names no sharer',
  COMPANY: 'the stay names no company',
  CHANNEL: 'no channel collects for the stay',
};

/** @throws DomainError RESERVATION_NOT_FOUND, STALE_VERSION, INVALID_STATE also while the stay is being checked out */
function openFolio(
  draft: Draft,
  { reservationId, ifVersion }: FolioCommand,
  action: Parameters<typeof checkAction>[1],
): Reservation {
  const before = loaded(draft, reservationId);
  checkVersion(before, ifVersion);
  checkAction(before, action);
  if (before.leaving) throw new DomainError('INVALID_STATE', 'The stay is being checked out.');
  return before;
}

/** Stores a folio. The awaited payment of a PENDING reservation follows its total. */
function put(
  draft: Draft,
  before: Reservation,
  changes: Pick<Reservation, 'charges' | 'routing' | 'companyId'>,
  context: DecisionContext,
): Reservation {
  const changed = { ...before, ...changes, version: before.version + 1, updatedAt: context.now };
  checkFolioTotal(changed);
  return storeSettled(draft, before, changed, context);
}

/** @throws DomainError VALIDATION_FAILED */
export function checkFolioTotal(changed: Reservation, pointer = '/unitAmount'): void {
  const { total, fees } = folioTotals(changed);
  if (total <= MAX_AMOUNT && Math.abs(fees) <= MAX_AMOUNT) return;
  const detail = `the stay may come to ${MAX_AMOUNT / 100} at most`;
  throw new DomainError('VALIDATION_FAILED', 'The stay would cost more than an amount can hold.', {
    errors: [{ pointer, code: 'TOO_BIG', detail }],
  });
}

type Answered = Decision<'POST_CHARGE'> & Decision<'VOID_POSTING'>;

function answer(draft: Draft, before: Reservation, next: Reservation, postingId: string): Answered {
  const posting: FolioPosting = postingOf(next, draft.today, postingId)!;
  return {
    result: { reservationId: next.id, version: next.version, posting },
    entity: next.id,
    facts: changeFacts(before, next),
  };
}
