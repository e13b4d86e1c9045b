import { hash } from 'node:crypto';
import type { z } from 'zod';

import { type ClientKey, isAnswered } from '../../kernel/operations/send.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { decimalText } from '../../kernel/rules/money.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import { totals } from '../../money/rules/night.ts';
import { sendPaymentLink } from '../../notifications/operations/payment-links.ts';
import { createBody } from '../../stay/contracts/reservations.ts';
import { cancelReservation } from '../../stay/operations/cancel-reservation.ts';
import { createReservation } from '../../stay/operations/create-reservation.ts';
import { placeHold } from '../../stay/operations/holds/place-hold.ts';
import { type ExplicitHold, heldNights, promisedRates } from '../../stay/rules/hold.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import type { BookInput, CancelInput, GetInput, HoldInput } from '../contracts/tool-inputs.ts';
import type { BookOutput, CancelOutput, HoldOutput, StayOutput } from '../contracts/tool-outputs.ts';
import { AGENT_BOUNDS, AGENT_CHANNEL } from '../rules/agent-bounds.ts';
import { decimalOf, stayAnswer } from './agent-answers.ts';
import type { AgentScope } from './agent-scope.ts';

/**
 * Holds rooms for an agent, within its bounds (docs/reference/mcp.md#limits).
 * @throws DomainError as `placeHold`
 */
export async function holdForAgent(scope: AgentScope, { idempotencyKey, ...body }: HoldInput): Promise<HoldOutput> {
  const { services, caller } = scope;
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId: body.propertyId });
  scope.planOf(view, body.rateCode);
  const key = idempotencyKey === undefined ? undefined : keyOf('hold', idempotencyKey, body);
  const { result } = await scope.inTurn(() => placeHold(services, caller, body, key));
  const hold = result as ExplicitHold;
  const { terms } = hold;
  return {
    holdId: hold.id,
    propertyId: body.propertyId,
    roomType: hold.roomType,
    rateCode: terms.rateCode,
    rooms: terms.rooms,
    total: decimalOf(totals(heldNights(hold, promisedRates(hold, terms), terms)).total),
    currency: terms.currency,
    expiresAt: formatInstant(hold.expiresAt),
  };
}

/**
 * Books a stay for an agent's person, at a promised price that is no more than `maxTotal`. The guest pays at the
 * property, or by a link that is mailed (docs/reference/payment-links.md#payment-links).
 * @throws DomainError as `createReservation`; UNKNOWN_RATE_CODE, HOLD_NOT_FOUND for what is not an agent's
 */
export async function bookForAgent(scope: AgentScope, input: BookInput): Promise<BookOutput> {
  const { services, caller } = scope;
  const view = await services.properties.view({ tenantId: caller.tenantId, propertyId: input.propertyId });
  const { payment: way } = scope.planOf(view, input.rateCode);
  const key = keyOf('book', input.idempotencyKey, input);
  const { result, replayed } = await scope.inTurn(async () => {
    // A repeat takes nothing: what was booked is counted, and a hold that was booked is no longer found.
    if (!(await isAnswered(services, caller, key))) {
      if (input.holdId !== undefined) await scope.mustBeOwnHold(input.holdId);
      await scope.mustBeWithinLimits(input.guest.email, way);
    }
    return createReservation(services, caller, createBody.parse(bodyOf(input)), key);
  });
  // The answer to a repeat shows what has become of the stay since.
  const { reservation } = replayed ? await scope.reservation(result.reservation.id) : result;
  const payment = await paymentOf(scope, reservation, key);
  return { ...stayAnswer(reservation, view.setup.property), payment, replayed };
}

/** A booking as the REST API takes it. */
function bodyOf(input: BookInput): z.input<typeof createBody> {
  const {
    propertyId,
    guest: guestInfo,
    specialRequests,
    idempotencyKey: _,
    holdId,
    quoteToken,
    maxTotal,
    ...stay
  } = input;
  return {
    propertyId,
    holdId,
    guestInfo,
    stayDetails: {
      ...stay,
      checkIn: formatDay(stay.checkIn),
      checkOut: formatDay(stay.checkOut),
      quoteToken,
      maxTotal: decimalOf(maxTotal),
    },
    specialRequests,
    source: { channel: AGENT_CHANNEL, medium: 'MCP' },
  };
}

/** Mails the link by which an unpaid stay is paid, once. A booking is made, whatever becomes of its mail. */
async function paymentOf(
  { services, caller }: AgentScope,
  { id, status, holdExpiresAt }: Reservation,
  { key, fingerprint }: ClientKey,
): Promise<BookOutput['payment']> {
  if (status !== 'PENDING') return { next: 'NOTHING', detail: 'The stay is confirmed; it is paid at the property.' };
  const body = { to: undefined, validDays: AGENT_BOUNDS.linkDays };
  try {
    const options = { key: { key: `${key}-link`, fingerprint }, dryRun: false };
    await sendPaymentLink(services, caller, id, body, options);
    const until = holdExpiresAt === undefined ? '' : ` until ${formatInstant(holdExpiresAt)}`;
    return { next: 'LINK_MAILED', detail: `The guest pays by the link in the mail${until}; unpaid, the stay ends.` };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
    return { next: 'ASK_PROPERTY', detail: `${error.message} The guest has to ask the property how to pay.` };
  }
}

/** Reads a reservation that the agent has made. @throws DomainError RESERVATION_NOT_FOUND */
export async function stayForAgent(scope: AgentScope, input: GetInput): Promise<StayOutput> {
  const { reservationId, confirmationNumber = '' } = input;
  const found = await (reservationId === undefined
    ? scope.numbered(confirmationNumber)
    : scope.reservation(reservationId));
  return stayAnswer(found.reservation, found.property);
}

/**
 * Cancels a reservation that the agent has made, for no more than `maxPenalty`; a dry run says what it would cost.
 * @throws DomainError RESERVATION_NOT_FOUND, INVALID_STATE, PRICE_CHANGED where it costs more
 */
export async function cancelForAgent(scope: AgentScope, input: CancelInput): Promise<CancelOutput> {
  const { services, caller } = scope;
  const { reservationId: id, dryRun, maxPenalty, reason, idempotencyKey } = input;
  const { reservation: before } = await scope.reservation(id);
  const key = keyOf('cancel', idempotencyKey, input);
  const body = { reason, refundRequested: true };
  const isRepeat = !dryRun && (await isAnswered(services, caller, key));
  if (isRepeat) return cancelled(await cancelReservation(services, caller, id, body, { key }), false);
  const tried = await cancelReservation(services, caller, id, body, { dryRun: true });
  if (dryRun) return cancelled(tried, true);
  const { currency, cancellation } = tried.result.reservation;
  if (cancellation!.penalty > maxPenalty!) {
    const penalty = decimalText(cancellation!.penalty);
    throw new DomainError('PRICE_CHANGED', `Cancelling costs ${penalty} ${currency} now.`, {
      extra: { penalty: decimalOf(cancellation!.penalty), currency },
    });
  }
  // A change meanwhile is not cancelled at another price.
  const options = { key, ifVersion: before.version };
  return cancelled(await cancelReservation(services, caller, id, body, options), false);
}

function cancelled(
  { result: { reservation }, replayed }: Awaited<ReturnType<typeof cancelReservation>>,
  dryRun: boolean,
): CancelOutput {
  const { id, status, currency, cancellation } = reservation;
  return {
    reservationId: id,
    status,
    dryRun,
    penalty: decimalOf(cancellation!.penalty),
    refund: decimalOf(cancellation!.refund),
    currency,
    replayed,
  };
}

/**
 * The key of a call, with the fingerprint by which a repeat differs from another call. Without a key of the agent's own,
 * calls that say the same are one: a token or a stay is in each of them.
 */
function keyOf(what: string, own: string | undefined, input: object): ClientKey {
  const fingerprint = hash('sha256', JSON.stringify([what, input]), 'hex');
  return { key: `${what}-${own ?? fingerprint}`, fingerprint };
}
