import { setImmediate as turn } from 'node:timers/promises';
import {
  BrokenCircuitError,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhenResult,
  type IPolicy,
  retry,
  wrap,
} from 'cockatiel';

import { competitorRow } from '../contracts/competitors.ts';
import type { CompetitorRate } from '../domain/competitor-rate.ts';
import { formatDay } from '../domain/dates.ts';
import { Refusal } from '../domain/refusal.ts';
import type { CompetitorFeed, FeedAnswer, FeedQuestion } from '../ports/competitor-feed.ts';
import { faultCode } from './fault-code.ts';

/** Contracts.md 8, partners. */
const TIMEOUT_MS = 10_000;

/** An answer is parsed at once while bookings wait: 4 MB are 25,000 rows or so, a year of three types at 20 hotels. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Rows that are checked before others have a turn. */
const ROWS_A_TURN = 500;

/** A request that failed in a way that may pass is sent again twice. */
const MORE_TRIES = 2;
const FIRST_PAUSE_MS = 500;

/** After so many failures in a row nobody waits for this source, for a while. */
const FAILURES = 5;
const BROKEN_MS = 60_000;

type Options = { timeoutMs?: number; firstPauseMs?: number; mostBytes?: number };

/** An answer, or what is wrong with it, and whether that may pass. */
type Fetched = { text: string } | { fault: string; passing: boolean };

/**
 * A feed as contracts.md 8 describes it: `GET {url}?propertyId&from&to`. The tenant goes along in a header, since
 * another one may have a house of the same name. Redirects are not followed: hosts come from the environment only.
 */
export class HttpCompetitorFeed implements CompetitorFeed {
  readonly source: string;
  readonly #url: URL;
  readonly #authorization: string | undefined;
  readonly #timeoutMs: number;
  readonly #mostBytes: number;
  readonly #policy: IPolicy;

  /** @param source name to show, such as the host: the address itself may hold a key */
  constructor(source: string, url: string, options: Options = {}) {
    const { timeoutMs = TIMEOUT_MS, firstPauseMs = FIRST_PAUSE_MS, mostBytes = MOST_BYTES } = options;
    this.source = source;
    this.#url = new URL(url);
    const { username, password } = this.#url;
    // fetch refuses addresses with a password in them.
    const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
    this.#authorization = username === '' ? undefined : `Basic ${basic}`;
    this.#url.username = this.#url.password = '';
    this.#timeoutMs = timeoutMs;
    this.#mostBytes = mostBytes;
    const passing = handleWhenResult((fetched) => (fetched as { passing?: boolean }).passing === true);
    this.#policy = wrap(
      retry(passing, { maxAttempts: MORE_TRIES, backoff: new ExponentialBackoff({ initialDelay: firstPauseMs }) }),
      circuitBreaker(passing, { halfOpenAfter: BROKEN_MS, breaker: new ConsecutiveBreaker(FAILURES) }),
    );
  }

  async read(question: FeedQuestion, signal: AbortSignal): Promise<FeedAnswer> {
    const fetched = await this.#fetchPatiently(question, signal);
    if ('fault' in fetched) throw new Refusal('PARTNER_UNAVAILABLE', fetched.fault);
    return rowsOf(parse(fetched.text));
  }

  async #fetchPatiently(question: FeedQuestion, signal: AbortSignal): Promise<Fetched> {
    try {
      return await this.#policy.execute(({ signal: either }) => this.#fetch(question, either), signal);
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      return { fault: 'it has failed several times in a row and is left alone for a minute', passing: true };
    }
  }

  async #fetch({ to, start, end }: FeedQuestion, signal: AbortSignal): Promise<Fetched> {
    const url = new URL(this.#url);
    url.searchParams.set('propertyId', to.propertyId);
    url.searchParams.set('from', formatDay(start));
    url.searchParams.set('to', formatDay(end));
    const headers: Record<string, string> = { accept: 'application/json', 'x-tenant-id': to.tenantId };
    if (this.#authorization !== undefined) headers.authorization = this.#authorization;
    const late = AbortSignal.timeout(this.#timeoutMs);
    try {
      const response = await fetch(url, {
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([signal, late]),
      });
      return await this.#readAnswer(response);
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return { fault: `it did not answer within ${this.#timeoutMs / 1_000} s`, passing: true };
      const code = faultCode(error);
      return { fault: `it cannot be reached${code === undefined ? '' : ` (${code})`}`, passing: true };
    }
  }

  async #readAnswer(response: Response): Promise<Fetched> {
    const { status, ok, body } = response;
    if (ok) {
      const text = await textWithin(body, this.#mostBytes);
      return text === undefined
        ? { fault: `it answers more than ${this.#mostBytes} bytes`, passing: false }
        : { text };
    }
    await body?.cancel();
    // Some runtimes hide the status of a redirect that is not followed.
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400))
      return { fault: 'it redirects, which is not followed', passing: false };
    return { fault: `it answers ${status}`, passing: status >= 500 || status === 429 };
  }
}

/** The text of a body; `undefined` when it is longer than allowed, which is found out without reading all of it. */
async function textWithin(body: Response['body'], mostBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    throw new Refusal('PARTNER_UNAVAILABLE', 'its answer is no JSON');
  }
  if (!Array.isArray(rows)) throw new Refusal('PARTNER_UNAVAILABLE', 'its answer is no list');
  return rows;
}

async function rowsOf(rows: readonly unknown[]): Promise<FeedAnswer> {
  const rates: CompetitorRate[] = [];
  let malformed = 0;
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_A_TURN === ROWS_A_TURN - 1) await turn();
    const parsed = competitorRow.safeParse(row);
    if (parsed.success) rates.push(parsed.data);
    else malformed += 1;
  }
  return { rates, malformed };
}

/** A feed for each address, named by its host; a second one of a host has a number. */
export function httpCompetitorFeeds(addresses: readonly string[]): HttpCompetitorFeed[] {
  const seen = new Map<string, number>();
  return addresses.map((address) => {
    const { host } = new URL(address);
    const count = (seen.get(host) ?? 0) + 1;
    seen.set(host, count);
    return new HttpCompetitorFeed(count === 1 ? host : `${host} #${count}`, address);
  });
}
