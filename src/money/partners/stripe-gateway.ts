import { Stripe } from 'stripe';
import { version } from 'uuid';

import type { Log } from '../../kernel/ports.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { faultCode } from '../../platform/partners/fault-code.ts';
import type { ChargeRequest, PaymentGateway, TakenCard } from '../ports.ts';
import type { Charge } from '../rules/payment.ts';
import { bankReason, providerReason, stripeAmount } from './stripe-terms.ts';

/** API version that this file was written and tested against, so that an account's default does not change answers. */
const API_VERSION = '2026-10-28.endive';

/** Frees the socket; callers get their timeout earlier, from `ResilientGateway`. */
const REQUEST_TIMEOUT_MS = 8_000;

/**
 * Stripe's search may lag a minute behind a payment, and an hour after an incident. Treating a charge as absent would
 * leave a guest who paid for nothing, and the reconciler's last query is 120 s after the attempt. Stripe's lists never
 * lag: until the index is surely up to date, payments that it does not have are looked for in the list of all payments
 * around the attempt.
 */
const INDEXED_AFTER_MS = 24 * 3_600_000;
/** Range of the payment's time around its attempt: clocks differ, and the same key repeats the attempt for 120 s. */
const LISTED_BEFORE_MS = 120_000;
const LISTED_AFTER_MS = 300_000;
const PAGE = 100;
const MAX_PAGES = 10;

/** The name of a card is worth little: it is not waited for. */
const CARD_REQUEST = { timeout: 1_000 };

/** Delay before the next query for a pending outcome. */
const UNSETTLED_SECONDS = 5;

/** Separates customer and card in the token of a stored card; no client token has a line break. */
const OF_CUSTOMER = '\n';

type Intent = Stripe.PaymentIntent;
type Refund = Awaited<ReturnType<PaymentGateway['refund']>>;
type Where = { host: string; port: number; protocol: 'http' };
const { StripeError, StripeCardError, StripeInvalidRequestError } = Stripe.errors;

/**
 * Stripe as the payment provider: a charge is a PaymentIntent that is created and confirmed in one request; its
 * idempotency key and metadata are the attempt's id. This class decides what a declined card, an invalid request or a
 * missing answer means; retries and the breaker are in `ResilientGateway`. Tokens, and Stripe's texts, which repeat
 * them, do not leave this class.
 */
export class StripeGateway implements PaymentGateway {
  readonly name = 'stripe';
  readonly hasRealCards = true;
  readonly #stripe: Stripe;
  readonly #log: Log;

  /** @param where address of another server than Stripe's, for tests */
  constructor(secretKey: string, log: Log, where?: Where) {
    this.#log = log;
    this.#stripe = new Stripe(secretKey, {
      apiVersion: API_VERSION,
      telemetry: false,
      maxNetworkRetries: 0,
      timeout: REQUEST_TIMEOUT_MS,
      // The same on both runtimes. Hosts come from configuration alone: redirects are not followed.
      httpClient: Stripe.createFetchHttpClient((url: URL | string | Request, init?: RequestInit) =>
        fetch(url, { ...init, redirect: 'manual' }),
      ),
      ...where,
    });
  }

  async charge(request: ChargeRequest): Promise<Charge> {
    let begun: Intent;
    try {
      begun = await this.#begin(request);
    } catch (error) {
      return this.#notBegun(error);
    }
    // Stripe repeats its first answer, so the payment is read again.
    return this.#request('charge', async () =>
      this.#end(begun.status === 'succeeded' ? begun : await this.#now(begun)),
    );
  }

  /** A card to be charged later needs a customer; it is created for this guarantee alone. */
  async takeCard({ requestId, cardToken }: { requestId: string; cardToken: string }): Promise<TakenCard> {
    try {
      const payment_method = await this.#paymentMethod(cardToken, requestId);
      const key = (what: string) => ({ idempotencyKey: `${requestId}-${what}` });
      const { id: customer } = await this.#stripe.customers.create({ metadata: { requestId } }, key('customer'));
      const { status } = await this.#stripe.setupIntents.create(
        { customer, payment_method, confirm: true, usage: 'off_session', allowed_payment_method_types: ['card'] },
        key('setup'),
      );
      if (status === 'succeeded')
        return { outcome: 'TAKEN', cardToken: `${customer}${OF_CUSTOMER}${payment_method}` };
      return { outcome: 'DECLINED', reason: bankReason({ code: 'authentication_required' }) };
    } catch (error) {
      if (error instanceof StripeCardError) return { outcome: 'DECLINED', reason: bankReason(error) };
      if (!(error instanceof StripeInvalidRequestError)) throw this.#error('takeCard', error);
      this.#log.warn(factsOf('takeCard', error), 'the payment provider does not take a request');
      return { outcome: 'DECLINED', reason: providerReason(error) };
    }
  }

  async find(attemptId: string): Promise<Charge | undefined> {
    return this.#request('find', async () => {
      const intent = await this.#intentOf(attemptId);
      return intent && this.#end(intent);
    });
  }

  async refund({ refundId, attemptId, amount, currency }: Parameters<PaymentGateway['refund']>[0]): Promise<Refund> {
    return this.#request('refund', async () => {
      const intent = await this.#intentOf(attemptId);
      if (!intent) throw new DomainError('INTERNAL', 'The payment provider knows nothing of the charge.');
      // Stripe forgets idempotency keys after a day, and a refund may stay open longer.
      const made = await this.#stripe.refunds.list({ payment_intent: intent.id, limit: PAGE });
      const refund =
        made.data.find(({ metadata }) => metadata?.refundId === refundId) ??
        (await this.#stripe.refunds.create(
          { payment_intent: intent.id, amount: stripeAmount(amount, currency), metadata: { refundId } },
          { idempotencyKey: refundId },
        ));
      if (refund.status !== 'succeeded' && refund.status !== 'pending')
        throw new DomainError('INTERNAL', 'The payment provider could not give the money back.');
      return { transactionId: refund.id, processedAt: refund.created * 1_000 };
    });
  }

  async #begin({ attemptId, amount, currency, cardToken }: ChargeRequest): Promise<Intent> {
    const [customer, method] = ownerOf(cardToken);
    return this.#stripe.paymentIntents.create(
      {
        amount: stripeAmount(amount, currency),
        currency: currency.toLowerCase(),
        payment_method: await this.#paymentMethod(method, attemptId),
        ...(customer !== undefined && { customer, off_session: true }),
        allowed_payment_method_types: ['card'],
        confirm: true,
        // No one can answer a bank's challenge here, so it counts as declined: a payment has no third outcome.
        error_on_requires_action: true,
        metadata: { attemptId },
      },
      { idempotencyKey: attemptId },
    );
  }

  /** Converts older forms of tokens to a payment method; the idempotency key makes it the same one on a repeat. */
  async #paymentMethod(cardToken: string, attemptId: string): Promise<string> {
    if (!cardToken.startsWith('tok_')) return cardToken;
    const made = await this.#stripe.paymentMethods.create(
      { type: 'card', card: { token: cardToken } },
      { idempotencyKey: `${attemptId}-card` },
    );
    return made.id;
  }

  async #intentOf(attemptId: string): Promise<Intent | undefined> {
    const { paymentIntents } = this.#stripe;
    const startedAt = timeOf(attemptId);
    const found = await paymentIntents.search({ query: `metadata['attemptId']:'${attemptId}'`, limit: 1 });
    // The index may also lag in the status. (Ids and Stripe use real time, not the development clock.)
    if (found.data[0]) return this.#now(found.data[0]);
    if (Date.now() - startedAt > INDEXED_AFTER_MS) return undefined;
    const seconds = (ms: number): number => Math.round((startedAt + ms) / 1_000);
    const created = { gte: seconds(-LISTED_BEFORE_MS), lte: seconds(LISTED_AFTER_MS) };
    let last: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const { data, has_more: more } = await paymentIntents.list({ created, limit: PAGE, starting_after: last });
      const intent = data.find(({ metadata }) => metadata.attemptId === attemptId);
      if (intent || !more) return intent;
      last = data.at(-1)?.id;
    }
    throw unsettled('has not indexed the payment yet');
  }

  #now({ id }: Intent): Promise<Intent> {
    return this.#stripe.paymentIntents.retrieve(id);
  }

  /** Outcome of an attempt. A payment that waits for an action is cancelled, so that it can never be charged later. */
  async #end(intent: Intent): Promise<Charge> {
    const ended = isWaiting(intent) ? await this.#cancel(intent) : intent;
    if (ended.status === 'succeeded') {
      const charged = { outcome: 'CHARGED', transactionId: ended.id, processedAt: ended.created * 1_000 } as const;
      return { ...charged, ...(await this.#cardOf(ended)) };
    }
    if (ended.status === 'canceled')
      return { outcome: 'DECLINED', reason: bankReason(intent.last_payment_error ?? waitingFor(intent)) };
    throw unsettled('is still at work on the payment');
  }

  /** Last digits of the card of a charge. What was charged stays so where Stripe does not say them in time. */
  async #cardOf({ latest_charge: charge }: Intent): Promise<{ cardLast4?: string }> {
    if (typeof charge !== 'string') return {};
    try {
      const { payment_method_details: paid } = await this.#stripe.charges.retrieve(charge, {}, CARD_REQUEST);
      const last4 = paid?.card?.last4;
      return last4 ? { cardLast4: last4 } : {};
    } catch (error) {
      this.#log.warn(factsOf('cardOf', error), 'the payment provider did not name the card of a charge');
      return {};
    }
  }

  async #cancel(intent: Intent): Promise<Intent> {
    try {
      return await this.#stripe.paymentIntents.cancel(intent.id);
    } catch (error) {
      if (!(error instanceof StripeInvalidRequestError)) throw error;
      // Its status has changed meanwhile.
      return this.#now(intent);
    }
  }

  /** @returns DECLINED when the answer says that nothing was charged, and nothing will be */
  async #notBegun(error: unknown): Promise<Charge> {
    if (error instanceof StripeCardError) return { outcome: 'DECLINED', reason: bankReason(error) };
    if (!(error instanceof StripeInvalidRequestError)) throw this.#error('charge', error);
    const { payment_intent: begun } = error;
    if (begun) return this.#request('charge', async () => this.#end(await this.#now(begun)));
    // The request may be wrong, so the error is logged.
    this.#log.warn(factsOf('charge', error), 'the payment provider does not take a request');
    return { outcome: 'DECLINED', reason: providerReason(error) };
  }

  async #request<T>(what: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw this.#error(what, error);
    }
  }

  #error(what: string, error: unknown): DomainError {
    if (error instanceof DomainError) return error;
    this.#log.warn(factsOf(what, error), 'the payment provider did not report the outcome');
    return error instanceof StripeInvalidRequestError
      ? new DomainError('INTERNAL', 'The payment provider does not take the request.')
      : new DomainError('PARTNER_UNAVAILABLE', 'The payment provider did not answer.');
  }
}

/** Customer and payment method of a stored card. */
function ownerOf(cardToken: string): [customer: string | undefined, method: string] {
  const [first = '', second] = cardToken.split(OF_CUSTOMER);
  return second === undefined ? [undefined, first] : [first, second];
}

/** Error for a payment whose outcome is pending. */
function unsettled(what: string): DomainError {
  return new DomainError('PARTNER_UNAVAILABLE', `The payment provider ${what}.`, {
    retryAfterSeconds: UNSETTLED_SECONDS,
  });
}

/** Loggable facts: only names from Stripe's own lists, and its request id, which its support needs. */
function factsOf(what: string, error: unknown): Record<string, unknown> {
  if (!(error instanceof StripeError)) return { what, fault: error instanceof Error ? error.name : 'unknown' };
  const { type, code, statusCode, requestId, detail } = error;
  return { what, fault: type, code, status: statusCode, stripeRequest: requestId, system: faultCode(detail) };
}

function isWaiting({ status }: Intent): boolean {
  return status !== 'succeeded' && status !== 'canceled' && status !== 'processing';
}

function waitingFor({ status }: Intent): { code?: string } {
  return status === 'requires_action' ? { code: 'authentication_required' } : {};
}

/** Creation time of an attempt's id in milliseconds since 1970: the first 48 bits of a UUID of version 7. */
function timeOf(attemptId: string): number {
  if (version(attemptId) !== 7) throw new DomainError('INTERNAL', 'The id of the payment attempt contains no time.');
  return Number.parseInt(attemptId.replace('-', '').slice(0, 12), 16);
}
