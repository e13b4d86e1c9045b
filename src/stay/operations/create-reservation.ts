import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

import type { GuestIdentity } from '../../guests/ports.ts';
import { guestKeys } from '../../guests/rules/guest-keys.ts';
import { oneAtATime } from '../../kernel/operations/one-at-a-time.ts';
import { paymentGatewayOf } from '../../kernel/operations/payment-gateway-of.ts';
import { claim, type ClientKey, send, withFreshNames } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import { type PropertyView } from '../../kernel/property-actors.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import type { CommandOf, CommandResults, Reply } from '../../kernel/rules/commands.ts';
import type { BookingRequest } from '../../kernel/rules/commands/stay.ts';
import type { ReservationId } from '../../kernel/rules/ids.ts';
import { mustBeInvoiceable } from '../../money/operations/find-companies.ts';
import { pay, type PaidBy } from '../../money/operations/pay-booking.ts';
import { takeCard } from '../../money/operations/take-card.ts';
import type { PaymentMethod } from '../../money/rules/payment.ts';
import { verifyQuote } from '../../rates/operations/quote-token.ts';
import type { PlanGuarantee } from '../../rates/rules/plan-terms.ts';
import { stayFrom } from '../../rates/rules/stay.ts';
import type { CreateBody } from '../contracts/reservations.ts';
import { confirmationNumber } from '../rules/confirmation-number.ts';
import { guaranteeUnder, isCardEnough } from '../rules/guarantee.ts';
import type { HoldQuota } from '../rules/hold-bounds.ts';
import type { Reservation } from '../rules/reservation.ts';
import { countBooked } from './holds/count-booked.ts';
import { countingRejections, quotaOf } from './holds/hold-quota.ts';
import { type Created, onceForChannel } from './known-booking.ts';

/**
 * Creates a reservation (docs/reference/reservations.md#book). With a card: one commit holds the rooms and records the
 * payment attempt, the card is charged outside the actor, and a second commit confirms or releases
 * (docs/concepts/money.md#payments). Without a card the reservation is PENDING until it is paid.
 * @throws DomainError of any rule of a sale; after a 503, a request with the same key resumes the same hold and payment
 */
export async function createReservation(
  services: Services,
  caller: Caller,
  body: CreateBody,
  key?: ClientKey,
): Promise<Created> {
  return oneAtATime(caller, key, () =>
    onceForChannel(services, caller, [body], { key, isBooking: false }, () => create(services, caller, body, key)),
  );
}

async function create(
  services: Services,
  caller: Caller,
  body: CreateBody,
  key: ClientKey | undefined,
): Promise<Reply<{ reservation: Reservation }>> {
  const to = { tenantId: caller.tenantId, propertyId: body.propertyId };
  // Activation may take longer than a command may wait, and for a missing property no guest needs to be found.
  const view = await services.properties.view(to);
  const reply = await bookOrStart(services, caller, { to, view }, body, key);
  if (!reply.replayed) countBooked(services, to, view, [body]);
  return reply;
}

async function bookOrStart(
  services: Services,
  caller: Caller,
  { to, view }: { to: Address; view: PropertyView },
  body: CreateBody,
  key: ClientKey | undefined,
): Promise<Reply<{ reservation: Reservation }>> {
  await mustKnowCompany(services, view, caller, body);
  const card = cardOf(body);
  const secured = expectedGuarantee(view, body);
  if (!card || !secured.isCharged) {
    // Rooms taken from a hold are already counted there.
    const quota = secured.mayWait ? await quotaOf(services, caller, to, body.holdId === undefined) : undefined;
    const taken = card && (await takeCard(services, to, card.cardToken));
    return countingRejections(services, () =>
      withFreshNames(() => bookUnpaid(services, caller, to, body, { key, quota, taken })),
    );
  }
  const started = await withFreshNames(() => start(services, caller, to, body, card.method, key));
  const { result } = started;
  if (!isStarted(result)) return { ...started, result };
  return pay(services, caller, to, result, card, key && { ...key, ref: result.holdId });
}

/** @throws DomainError COMPANY_NOT_FOUND, or VALIDATION_FAILED when the company may not be invoiced for bookings */
export async function mustKnowCompany(
  services: Services,
  view: PropertyView,
  { tenantId }: Caller,
  body: CreateBody,
): Promise<void> {
  const { companyId, groupId } = body;
  if (companyId !== undefined) return mustBeInvoiceable(services, tenantId, companyId, '/companyId');
  const agreed = agreedBy(view, body);
  const pointer = groupId === undefined ? '/stayDetails/rateCode' : '/groupId';
  if (agreed?.guarantee === 'COMPANY' && agreed.companyId !== undefined)
    await mustBeInvoiceable(services, tenantId, agreed.companyId, pointer);
}

/** The group or the plan that determines the guarantee of a booking. */
function agreedBy(
  { setup, groups }: PropertyView,
  { groupId, stayDetails: { rateCode } }: CreateBody,
): PlanGuarantee | undefined {
  if (groupId === undefined) return setup.plans.find(({ code }) => code === rateCode);
  return groups.find((group) => group.groupId === groupId)?.agreed;
}

type Unpaid = { key: ClientKey | undefined; quota: HoldQuota | undefined; taken: string | undefined };

/**
 * Expected guarantee of a new booking, as far as it is known outside the actor, which decides: whether a card is
 * charged with the booking, and whether the booking may have to wait for its payment.
 */
export function expectedGuarantee(view: PropertyView, body: CreateBody): { isCharged: boolean; mayWait: boolean } {
  const { source, stayDetails, comp } = body;
  const { setup, businessDate } = view;
  const agreed = agreedBy(view, body);
  const guarantee = guaranteeUnder(agreed, setup.property.metadata.policies, source);
  const { kind } = guarantee;
  const mayWait = kind !== 'NONE' && kind !== 'CHANNEL' && !comp;
  if (kind === 'CHANNEL' || comp) return { isCharged: false, mayWait };
  if (agreed?.guarantee === undefined) return { isCharged: true, mayWait };
  return { isCharged: kind === 'PREPAY' && !isCardEnough(guarantee, stayDetails.checkIn, businessDate), mayWait };
}

async function bookUnpaid(
  services: Services,
  caller: Caller,
  to: Address,
  body: CreateBody,
  { key, quota, taken }: Unpaid,
): Promise<Reply<{ reservation: Reservation }>> {
  const booking = await bookingRequest(services, caller, to, body, { takenCard: taken });
  const guarantee = await cardGuarantee(services, to, body);
  const limits = { ...(guarantee && { guarantee }), ...(quota && { quota }) };
  const command: CommandOf<'BOOK'> = { type: 'BOOK', booking, pendingPaymentId: uuidv7(), ...limits };
  return send(services, caller, to, command, claim(key, booking.reservationId));
}

/** First commit. A repeat of a finished request gets its answer; a repeat of an interrupted one gets its hold back. */
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

/** Whether the answer is a payment attempt, and not that of a finished request. */
export function isStarted(
  result: CommandResults['START_BOOKING'] | { reservation: Reservation },
): result is CommandResults['START_BOOKING'] {
  return 'holdId' in result;
}

/** The card that pays at once, if there is one. */
export function cardOf({ paymentDetails }: CreateBody): PaidBy | undefined {
  if (!paymentDetails?.cardToken) return undefined;
  const { method, cardToken } = paymentDetails;
  return method === 'CREDIT_CARD' || method === 'DEBIT_CARD' ? { method, cardToken } : undefined;
}

/** Card behind a reservation that is paid later or in another way. A client that pays at once is never counted. */
export async function cardGuarantee(
  services: Services,
  to: Address,
  { paymentDetails }: CreateBody,
): Promise<CommandOf<'BOOK'>['guarantee']> {
  const { sales, signed } = services;
  if (paymentDetails?.cardToken === undefined || !paymentGatewayOf(services, to).hasRealCards) return undefined;
  // A keyed hash, so that a copy of the database cannot be used to test card tokens.
  const card = signed.sign('guarantee', '', `${to.tenantId} ${paymentDetails.cardToken}`);
  return { card, openElsewhere: await sales.openHoldsOfCard(to, card) };
}

/** Profiles of the guests of a room. */
type Identities = { identity: GuestIdentity; sharerIdentity?: GuestIdentity | undefined };

async function identitiesOf(
  { guests }: Services,
  { tenantId }: Caller,
  { guestInfo, sharer }: CreateBody,
): Promise<Identities> {
  const [identity, sharerIdentity] = await Promise.all([
    guests.identify(tenantId, guestInfo),
    sharer && guests.identify(tenantId, sharer),
  ]);
  return { identity, sharerIdentity };
}

/** A body as the actor takes it. @param of the card that the provider has taken, and the guests where known */
async function bookingRequest(
  services: Services,
  caller: Caller,
  to: Address,
  body: CreateBody,
  { takenCard, identities }: { takenCard?: string | undefined; identities?: Identities } = {},
): Promise<BookingRequest> {
  const { guestInfo, stayDetails, paymentDetails, specialRequests, companions, sharer, roomWishes, source } = body;
  const { quoteToken, maxTotal, promoCode } = stayDetails;
  const stay = stayFrom(stayDetails);
  // One that is over has no price any more: the actor says so, unless it knows the key.
  const kept =
    body.inquiryId === undefined ? undefined : (await services.properties.view(to)).inquiry(body.inquiryId);
  const quote = quoteToken === undefined ? kept?.quote : verifyQuote(services.signed, quoteToken, to, stay);
  const { identity: known, sharerIdentity } = identities ?? (await identitiesOf(services, caller, body));
  const reservationId = uuidv7();
  const name = known.seal(`${guestInfo.firstName} ${guestInfo.lastName}`);
  return {
    reservationId,
    confirmationNumber: confirmationNumber(randomBytes(9)),
    guest: { guestId: known.guestId, ...guestInfo },
    stay,
    source,
    specialRequests,
    ...(companions && { companions }),
    ...(sharer && { sharer: { guestId: sharerIdentity!.guestId, ...sharer }, sharerKey: sharerIdentity!.wrappedKey }),
    ...(roomWishes && { roomWishes }),
    billing: paymentDetails && billingOf(services, reservationId, paymentDetails, takenCard),
    quote,
    maxTotal,
    ...(body.override && { override: { ...body.override, sealed: known.seal(body.override.reason) } }),
    ...(body.comp && { comp: body.comp }),
    promoCode: quote ? quote.promoCode : promoCode,
    companyId: body.companyId,
    groupId: body.groupId,
    fromHold: body.holdId,
    inquiryId: body.inquiryId,
    personal: { guestId: known.guestId, name },
    wrappedKey: known.wrappedKey,
  };
}

/** The same for several rooms; a guest of several is identified once, so that one profile comes of it. */
export async function bookingRequests(
  services: Services,
  caller: Caller,
  to: Address,
  bodies: readonly CreateBody[],
  takenCard?: string,
): Promise<BookingRequest[]> {
  const known = new Map<string, Promise<GuestIdentity>>();
  const identityOf = (guest: NonNullable<CreateBody['sharer']>): Promise<GuestIdentity> => {
    const name = Object.values(guestKeys(guest)).join(' ');
    const identity = known.get(name) ?? services.guests.identify(caller.tenantId, guest);
    // Nobody knows whether two guests without an address are one.
    if (guest.email !== '') known.set(name, identity);
    return identity;
  };
  return Promise.all(
    bodies.map(async (body) => {
      const identity = await identityOf(body.guestInfo);
      const sharerIdentity = body.sharer && (await identityOf(body.sharer));
      return bookingRequest(services, caller, to, body, { takenCard, identities: { identity, sharerIdentity } });
    }),
  );
}

/** The card stays on file, encrypted, for amounts that are due later. */
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
