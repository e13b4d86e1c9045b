import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';

/** What may happen to one request: nothing done and no answer, done and no answer, or an answer that helps nobody. */
export type Mishap = 'RESET' | 'HANG' | 'LOST' | { status: number; code?: string; type?: string };

type Intent = {
  id: string;
  object: 'payment_intent';
  status: string;
  amount: number;
  currency: string;
  created: number;
  metadata: Record<string, string>;
  last_payment_error: object | null;
  latest_charge?: string;
};
type Refund = { id: string; amount: number; status: string; created: number; metadata: Record<string, string> };
type Answer = { status: number; body: object };
type Asked = { method: string; path: string; form: URLSearchParams; key: string | undefined; headers: object };

const SUCCESS = 'pm_visa';

/**
 * As much of Stripe's API as the gateway needs, on a real socket: form bodies, idempotency keys that keep the first
 * answer, an index that is behind, and cards that behave as they are named: `pm_visa` and `tok_visa` are charged,
 * `pm_declined` is not, `pm_action`, `pm_processing` and `pm_capture` leave the payment in that state.
 */
export class FakeStripe {
  readonly asked: Asked[] = [];
  readonly intents = new Map<string, Intent>();
  readonly refunds: (Refund & { payment_intent: string })[] = [];
  /** Taken one by one by the requests that come. */
  readonly mishaps: (Mishap | undefined)[] = [];
  /** Whether the search has caught up with what is stored. */
  indexed = true;
  refundStatus = 'succeeded';
  /** Last digits of the cards; without them its charges name no card. */
  last4: string | undefined;
  /** Seconds by which its clock is ahead. */
  ahead = 0;
  where!: { host: string; port: number; protocol: 'http' };
  readonly #server: Server;
  readonly #stored = new Map<string, Answer & { sent: string }>();

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async open(t: Test): Promise<FakeStripe> {
    const fake = new FakeStripe();
    await new Promise<void>((done) => fake.#server.listen(0, '127.0.0.1', done));
    fake.where = { host: '127.0.0.1', port: (fake.#server.address() as AddressInfo).port, protocol: 'http' };
    t.teardown(() => fake.close());
    return fake;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Requests of one kind, such as `POST /v1/payment_intents`. */
  count(what: string): number {
    return this.asked.filter(({ method, path }) => `${method} ${path}` === what).length;
  }

  /** Other people's payments of this moment. */
  crowd(count: number): void {
    for (let n = 0; n < count; n++)
      this.#newIntent({ amount: 1, currency: 'eur', status: 'succeeded', metadata: {} });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    const sent = request.method === 'POST' ? await text(request) : url.search.slice(1);
    const { method = '', headers } = request;
    const key = headers['idempotency-key'] as string | undefined;
    const asked = { method, path: url.pathname, form: new URLSearchParams(sent), key, headers };
    this.asked.push(asked);
    const mishap = this.mishaps.shift();
    if (mishap === 'HANG') return;
    if (mishap === 'RESET') return void response.destroy();
    if (typeof mishap === 'object') return reply(response, failure(mishap.status, mishap));
    const answer = this.#once(asked, sent);
    if (mishap === 'LOST') return void response.destroy();
    reply(response, answer);
  }

  /** The first answer under a key is the only one; what is refused before it is begun is not recorded. */
  #once(request: Asked, sent: string): Answer {
    const { key, method, path } = request;
    if (method !== 'POST' || key === undefined) return this.#answer(request);
    const recorded = this.#stored.get(key);
    if (recorded && recorded.sent !== `${path}?${sent}`) return failure(400, { type: 'idempotency_error' });
    if (recorded) return recorded;
    const answer = this.#answer(request);
    if (answer.status !== 400) this.#stored.set(key, { ...structuredClone(answer), sent: `${path}?${sent}` });
    return answer;
  }

  #answer(request: Asked): Answer {
    const { method, path, form } = request;
    const [, id = '', action] = /^\/v1\/payment_intents\/(pi_\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    const intent = this.intents.get(id);
    if (intent) return action === 'cancel' ? this.#cancel(intent) : { status: 200, body: intent };
    if (method === 'GET' && path.startsWith('/v1/charges/'))
      return { status: 200, body: { payment_method_details: { card: { last4: this.last4 } } } };
    switch (`${method} ${path}`) {
      case 'POST /v1/payment_methods':
        return { status: 200, body: { id: form.get('card[token]')!.replace('tok_', 'pm_') } };
      case 'POST /v1/customers':
        return { status: 200, body: { id: `cus_${this.asked.length}` } };
      case 'POST /v1/setup_intents':
        return this.#setUp(form);
      case 'POST /v1/payment_intents':
        return this.#charge(form);
      case 'GET /v1/payment_intents/search': {
        const [, attemptId] = /^metadata\['attemptId'\]:'([\w-]+)'$/.exec(form.get('query') ?? '') ?? [];
        const all = [...this.intents.values()].filter(({ metadata }) => metadata.attemptId === attemptId);
        return list(this.indexed ? all.map((one) => ({ ...one, status: 'processing' })) : []);
      }
      case 'GET /v1/payment_intents':
        return this.#list(form);
      case 'GET /v1/refunds':
        return list(this.refunds.filter(({ payment_intent: of }) => of === form.get('payment_intent')));
      case 'POST /v1/refunds':
        return this.#refund(form);
      default:
        return failure(404, { code: 'resource_missing' });
    }
  }

  #setUp(form: URLSearchParams): Answer {
    const card = form.get('payment_method') ?? '';
    if (card === 'pm_declined')
      return failure(402, { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' });
    const status = card === 'pm_action' ? 'requires_action' : 'succeeded';
    return { status: 200, body: { id: `seti_${this.asked.length}`, status } };
  }

  #charge(form: URLSearchParams): Answer {
    const card = form.get('payment_method') ?? '';
    const status = /^pm_(action|capture)$/.test(card) ? card.replace('pm', 'requires') : card.replace('pm_', '');
    if (!/^pm_(visa|declined|action|processing|capture)$/.test(card))
      return failure(400, {
        code: 'resource_missing',
        param: 'payment_method',
        message: `No such PaymentMethod: '${card}'`,
      });
    const declined = { code: 'card_declined', decline_code: 'insufficient_funds', message: `${card} has no money` };
    const intent = this.#newIntent({
      amount: Number(form.get('amount')),
      currency: form.get('currency') ?? '',
      status: card === SUCCESS ? 'succeeded' : card === 'pm_declined' ? 'requires_payment_method' : status,
      metadata: { attemptId: form.get('metadata[attemptId]') ?? '' },
      error: card === 'pm_declined' ? declined : undefined,
    });
    return card === 'pm_declined'
      ? failure(402, { ...declined, payment_intent: intent })
      : { status: 200, body: intent };
  }

  #newIntent({ error, ...rest }: Pick<Intent, 'amount' | 'currency' | 'status' | 'metadata'> & { error?: object }) {
    const id = `pi_${this.intents.size + 1}`;
    const created = Math.floor(Date.now() / 1_000) + this.ahead;
    const charge = this.last4 === undefined ? {} : { latest_charge: id.replace('pi', 'ch') };
    const about = { created, last_payment_error: error ?? null, ...charge };
    const intent: Intent = { id, object: 'payment_intent', ...about, ...rest };
    this.intents.set(id, intent);
    return intent;
  }

  #cancel(intent: Intent): Answer {
    if (intent.status === 'succeeded') return failure(400, { code: 'payment_intent_unexpected_state' });
    intent.status = 'canceled';
    return { status: 200, body: intent };
  }

  /** Newest first, in pages. */
  #list(form: URLSearchParams): Answer {
    const from = Number(form.get('created[gte]'));
    const to = Number(form.get('created[lte]'));
    const all = [...this.intents.values()].filter(({ created }) => created >= from && created <= to).reverse();
    const after = all.findIndex(({ id }) => id === form.get('starting_after')) + 1;
    const limit = Number(form.get('limit'));
    return list(all.slice(after, after + limit), all.length > after + limit);
  }

  #refund(form: URLSearchParams): Answer {
    const refund = {
      id: `re_${this.refunds.length + 1}`,
      object: 'refund',
      created: Math.floor(Date.now() / 1_000),
      amount: Number(form.get('amount')),
      status: this.refundStatus,
      metadata: { refundId: form.get('metadata[refundId]') ?? '' },
      payment_intent: form.get('payment_intent') ?? '',
    };
    this.refunds.push(refund);
    return { status: 200, body: refund };
  }

  /** A day later. */
  forgetKeys(): void {
    this.#stored.clear();
  }
}

function list(data: object[], more = false): Answer {
  return { status: 200, body: { object: 'list', data, has_more: more } };
}

function failure(status: number, error: object): Answer {
  const type = status === 402 ? 'card_error' : status < 500 ? 'invalid_request_error' : 'api_error';
  return { status, body: { error: { type, message: 'no', ...error } } };
}

function reply(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(JSON.stringify(body));
}
