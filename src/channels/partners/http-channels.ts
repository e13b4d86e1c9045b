import { OutboundHttp } from '../../platform/partners/outbound-http.ts';
import type { ChannelLinkAnswer, ChannelLinkRequest, ChannelLinks } from '../ports.ts';

/** Time limit of a request (docs/reference/channels.md#limits). */
const TIMEOUT_MS = 20_000;
/** What is read of an answer: 500 nights of a large property that a channel says it has. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

type Options = {
  /** Addresses of own networks and plain http are allowed. */
  allowPrivate: boolean;
  timeoutMs?: number;
  resolve?(name: string): Promise<string[]>;
};

/** Channels over HTTP, whatever their protocol. */
export class HttpChannels implements ChannelLinks {
  readonly #http: OutboundHttp;

  constructor({ timeoutMs = TIMEOUT_MS, ...options }: Options) {
    this.#http = new OutboundHttp({ ...options, timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES, readsBody: true });
  }

  [Symbol.dispose](): void {
    this.#http[Symbol.dispose]();
  }

  faultOf(url: string): string | undefined {
    return this.#http.faultOf(url);
  }

  async ask(request: ChannelLinkRequest): Promise<ChannelLinkAnswer> {
    const answer = await this.#http.send(request);
    return 'failure' in answer ? { why: answer.failure } : answer;
  }
}
