import { setImmediate as turn } from 'node:timers/promises';

import type { BreakerState } from '../../kernel/ports.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { HttpPartner, type PartnerPatience } from '../../platform/partners/http-partner.ts';
import type { CompetitorRate } from '../../rates/rules/competitor-rate.ts';
import { competitorRow } from '../contracts/competitors.ts';
import type { CompetitorFeed, FeedAnswer, FeedQuestion } from '../ports.ts';

/** An answer is parsed at once while bookings wait: 4 MB are about 25,000 rows, a year of three types at 20 hotels. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Rows that are checked before yielding. */
const ROWS_A_TURN = 500;

/**
 * A feed (docs/guide/production.md#partners): `GET {url}?propertyId&from&to`. A header names the tenant, since another
 * one may have a property with the same id.
 */
export class HttpCompetitorFeed implements CompetitorFeed {
  readonly source: string;
  readonly #partner: HttpPartner;
  readonly #maxBytes: number;

  /** @param source name to show, such as the host: the address itself may contain a key */
  constructor(source: string, url: string, options: PartnerPatience & { maxBytes?: number } = {}) {
    this.source = source;
    this.#partner = new HttpPartner(url, options);
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
  }

  get breaker(): BreakerState {
    return this.#partner.breaker;
  }

  async read({ to, start, end }: FeedQuestion, signal: AbortSignal): Promise<FeedAnswer> {
    const query = { propertyId: to.propertyId, from: formatDay(start), to: formatDay(end) };
    const headers = { accept: 'application/json', 'x-tenant-id': to.tenantId };
    const read = ({ body }: Response): Promise<string | undefined> => textWithin(body, this.#maxBytes);
    const answer = await this.#partner.send({ query, headers }, read, signal);
    if (!('got' in answer)) throw new DomainError('PARTNER_UNAVAILABLE', answer.reason);
    if (answer.got === undefined)
      throw new DomainError('PARTNER_UNAVAILABLE', `the answer has more than ${this.#maxBytes} bytes`);
    return rowsOf(parse(answer.got));
  }
}

/** Text of a body; `undefined` when it exceeds the limit, without reading all of it. */
async function textWithin(body: Response['body'], maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    throw new DomainError('PARTNER_UNAVAILABLE', 'its answer is no JSON');
  }
  if (!Array.isArray(rows)) throw new DomainError('PARTNER_UNAVAILABLE', 'its answer is no list');
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

/** A feed for each address, named by its host; further ones of a host are numbered. */
export function httpCompetitorFeeds(addresses: readonly string[]): HttpCompetitorFeed[] {
  const seen = new Map<string, number>();
  return addresses.map((address) => {
    const { host } = new URL(address);
    const count = (seen.get(host) ?? 0) + 1;
    seen.set(host, count);
    return new HttpCompetitorFeed(count === 1 ? host : `${host} #${count}`, address);
  });
}
