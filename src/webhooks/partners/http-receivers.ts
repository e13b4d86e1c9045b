import { OutboundHttp } from '../../platform/partners/outbound-http.ts';
import type { ReceiverAnswer, Receivers, WebhookRequest } from '../ports.ts';

const TIMEOUT_MS = 15_000;
/** What is read of an answer, so that its connection can be used again; more is cut off. */
const MAX_ANSWER_BYTES = 16 * 1024;

type Options = {
  /** Addresses of own networks and plain http are allowed. */
  allowPrivate: boolean;
  timeoutMs?: number;
  /** All addresses of a name. */
  resolve?(name: string): Promise<string[]>;
};

/** Receivers over HTTP. The status of an answer decides: its body changes nothing. */
export class HttpReceivers implements Receivers {
  readonly #http: OutboundHttp;

  constructor({ timeoutMs = TIMEOUT_MS, ...options }: Options) {
    this.#http = new OutboundHttp({ ...options, timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES, readsBody: false });
  }

  [Symbol.dispose](): void {
    this.#http[Symbol.dispose]();
  }

  faultOf(url: string): string | undefined {
    return this.#http.faultOf(url);
  }

  async send(request: WebhookRequest): Promise<ReceiverAnswer> {
    const began = performance.now();
    const answer = await this.#http.send({ method: 'POST', ...request });
    const durationMs = Math.round(performance.now() - began);
    if ('failure' in answer) return { isTaken: false, durationMs, failure: answer.failure };
    const { status, retryAfterMs } = answer;
    const answered = { durationMs, httpStatus: status };
    if (status >= 200 && status < 300) return { ...answered, isTaken: true };
    const failure = status >= 300 && status < 400 ? 'it redirects, which is not followed' : `it answers ${status}`;
    const isAsked = retryAfterMs !== undefined && failure.startsWith('it answers');
    return { ...answered, isTaken: false, failure, ...(isAsked && { retryAfterMs }) };
  }
}
