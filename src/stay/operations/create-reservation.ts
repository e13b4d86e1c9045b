import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

import { oneAtATime } from '../../kernel/operations/one-at-a-time.ts';
import { claim, type ClientKey, send, withFreshNames } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import { type PropertyView } from '../../kernel/property-actors.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { BookingRequest } from '../../kernel/rules/commands/stay.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { mustBeInvoiceable } from '../../money/operations/find-companies.ts';
import { pay, type PaidBy } from '../../money/operations/pay-booking.ts';
import type { PaymentMethod } from '../../money/rules/payment.ts';
import { verifyQuote } from '../../rates/operations/quote-token.ts';
import { stayFrom } from '../../rates/rules/stay.ts';
import type { CreateBody } from '../contracts/reservations.ts';
import { confirmationNumber } from '../rules/confirmation-number.ts';
import { guaranteeUnder, isCardEnough } from '../rules/guarantee.ts';
import type { HoldQuota } from '../rules/hold-bounds.ts';
import type { Reservation } from '../rules/reservation.ts';
import { countingRejections, quotaOf } from './hold-quota.ts';

/**
 * Creates a reservation (docs/reference/reservations.md#book). With a card: rooms held and the attempt on record, paid
 * outside of the actor, then confirmed or released (docs/concepts/money.md#payments). Without: PENDING until paid.
 * @throws DomainError of any rule of a sale; after 503 the same key resumes the same hold and payment
 */
export async function createReservation(
  services: Services,
  caller: Caller,
  body: CreateBody,
  key?: ClientKey,
): Promise<Reply<{ reservation: Reservation }>> {
  return oneAtATime(caller, key, () => create(services, caller, body, key));
}

async function create(
  services: Services,
  caller: Caller,
  body: CreateBody,
  key: ClientKey | undefined,
): Promise<Reply<{ reservation: Reservation }>> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  // Activation may take longer than a command may wait, and a missing property needs no guest.
  const view = await services.properties.view(to);
  await mustKnowCompany(services, view, caller, body);
  const card = cardOf(body);
  const secured = securedBy(view, body);
  if (!card || !secured.isCharged) {
    // What comes out of a hold is counted already.
    const quota = secured.mayWait ? await quotaOf(services, caller, to, body.holdId === undefined) : undefined;
    const taken = card && (await takeCard(services, card));
    return countingRejections(services, () =>
      withFreshNames(() => bookUnpaid(services, caller, to, body, { key, quota, taken })),
    );
  }
  const started = await withFreshNames(() => start(services, caller, to, body, card.method, key));
  const { result } = started;
  if (!isStarted(result)) return { ...started, result };
  return pay(services, caller, to, result, card, key && { ...key, ref: result.holdId });
}

/** @throws DomainError COMPANY_NOT_FOUND, VALIDATION_FAILED where who would be invoiced is not to be booked on */
async function mustKnowCompany(
  services: Services,
  { setup }: PropertyView,
  { tenantId }: Caller,
  { companyId, groupId, stayDetails: { rateCode } }: CreateBody,
): Promise<void> {
  if (companyId !== undefined) return mustBeInvoiceable(services, tenantId, companyId, '/companyId');
  const plan = groupId === undefined ? setup.plans.find(({ code }) => code === rateCode) : undefined;
  if (plan?.guarantee === 'COMPANY' && plan.companyId !== undefined)
    await mustBeInvoiceable(services, tenantId, plan.companyId, '/stayDetails/rateCode');
}

type Unpaid = { key: ClientKey | undefined; quota: HoldQuota | undefined; taken: string | undefined };

/**
 * How a create is about to be guaranteed, as far as can be known outside of the actor, which decides: whether a card is
 * charged with the booking, and whether it may come to wait for its payment.
 */
function securedBy(
  { setup, businessDate }: PropertyView,
  { groupId, source, comp, stayDetails: { rateCode, checkIn } }: CreateBody,
): { isCharged: boolean; mayWait: boolean } {
  const plan = groupId === undefined ? setup.plans.find(({ code }) => code === rateCode) : undefined;
  const guarantee = guaranteeUnder(plan, setup.property.metadata.policies, source);
  const { kind } = guarantee;
  const mayWait = kind !== 'NONE' && kind !== 'CHANNEL' && !comp;
  if (kind === 'CHANNEL' || comp) return { isCharged: false, mayWait };
  if (plan?.guarantee === undefined) return { isCharged: true, mayWait };
  return { isCharged: kind === 'PREPAY' && !isCardEnough(guarantee, checkIn, businessDate), mayWait };
}

/** The token by which the provider charges the card later. @throws DomainError PAYMENT_DECLINED, PARTNER_UNAVAILABLE */
async function takeCard({ payments }: Services, { cardToken }: PaidBy): Promise<string> {
  const taken = await payments.takeCard({ requestId: uuidv7(), cardToken });
  if (taken.outcome === 'TAKEN') return taken.cardToken;
  throw new DomainError('PAYMENT_DECLINED', `The card was declined: ${taken.reason}.`);
}

async function bookUnpaid(
  services: Services,
  caller: Caller,
  to: Address,
  body: CreateBody,
  { key, quota, taken }: Unpaid,
): Promise<Reply<{ reservation: Reservation }>> {
  const booking = await bookingRequest(services, caller, to, body, taken);
  const guarantee = await guaranteeOf(services, to, body);
  const asked = { ...(guarantee && { guarantee }), ...(quota && { quota }) };
  const command: CommandOf<'BOOK'> = { type: 'BOOK', booking, pendingPaymentId: uuidv7(), ...asked };
  return send(services, caller, to, command, claim(key, booking.reservationId));
}

/** Step one. A repeat whose first request had ended gets that answer; one that was cut off gets its hold back. */
async function start(
  services: Services,
  caller: Caller,
  to: Address,
  body: CreateBody,
  method: PaymentMethod,
  key: ClientKey | undefined,
): Promise<Reply<CommandResults['START_BOOKING'] | { reservation: Reservation }>> {
  const booking = await bookingRequest(services, caller, to, body);
  const holdId = uuidv7();
  const createdAt = services.clock.now();
  const attempt = {
    paymentId: uuidv7(),
    type: 'CHARGE' as const,
    amount: 0,
    method,
    status: 'PROCESSING' as const,
    createdAt,
  };
  return send(services, caller, to, { type: 'START_BOOKING', holdId, booking, attempt }, claim(key, holdId));
}

function isStarted(
  result: CommandResults['START_BOOKING'] | { reservation: Reservation },
): result is CommandResults['START_BOOKING'] {
  return 'holdId' in result;
}

function cardOf({ paymentDetails }: CreateBody): PaidBy | undefined {
  if (!paymentDetails?.cardToken) return undefined;
  const { method, cardToken } = paymentDetails;
  return method === 'CREDIT_CARD' || method === 'DEBIT_CARD' ? { method, cardToken } : undefined;
}

/** The card behind a reservation that is paid in another way, or later. Who pays with one at once is never counted. */
async function guaranteeOf(
  { payments, sales, signed }: Services,
  to: Address,
  { paymentDetails }: CreateBody,
): Promise<CommandOf<'BOOK'>['guarantee']> {
  if (paymentDetails?.cardToken === undefined || !payments.hasRealCards) return undefined;
  // Keyed: tokens cannot be tried out against what is stored.
  const card = signed.sign('guarantee', '', `${to.tenantId} ${paymentDetails.cardToken}`);
  return { card, openElsewhere: await sales.openHoldsOfCard(to, card) };
}

async function bookingRequest(
  services: Services,
  caller: Caller,
  to: Address,
  body: CreateBody,
  takenCard?: string,
): Promise<BookingRequest> {
  const { guestInfo, stayDetails, paymentDetails, specialRequests, source } = body;
  const { quoteToken, maxTotal, promoCode } = stayDetails;
  const stay = stayFrom(stayDetails);
  const quote = quoteToken === undefined ? undefined : verifyQuote(services.signed, quoteToken, to, stay);
  const identity = await services.guests.identify(caller.tenantId, guestInfo);
  const reservationId = uuidv7();
  const name = identity.seal(`${guestInfo.firstName} ${guestInfo.lastName}`);
  return {
    reservationId,
    confirmationNumber: confirmationNumber(randomBytes(9)),
    guest: { guestId: identity.guestId, ...guestInfo },
    stay,
    source,
    specialRequests,
    billing: paymentDetails && billingOf(services, reservationId, paymentDetails, takenCard),
    quote,
    maxTotal,
    ...(body.override && { override: body.override }),
    ...(body.comp && { comp: body.comp }),
    promoCode: quote ? quote.promoCode : promoCode,
    companyId: body.companyId,
    groupId: body.groupId,
    fromHold: body.holdId,
    personal: { guestId: identity.guestId, name },
    wrappedKey: identity.wrappedKey,
  };
}

/** Its card stays on file, encrypted, for what is due later. */
function billingOf(
  { sealed }: Services,
  reservationId: ReservationId,
  { method, billingAddress: address, cardToken }: NonNullable<CreateBody['paymentDetails']>,
  taken?: string,
): BookingRequest['billing'] {
  const onFile = taken ?? cardToken;
  return {
    method,
    address,
    ...(onFile !== undefined && { card: sealed.seal(onFile, reservationId) }),
    ...(taken !== undefined && { isCardTaken: true as const }),
  };
}
