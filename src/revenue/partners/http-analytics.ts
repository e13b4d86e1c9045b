import type { BreakerState, Delivery } from '../../kernel/ports.ts';
import { HttpPartner, type PartnerPatience } from '../../platform/partners/http-partner.ts';
import type { AnalyticsService, Push } from '../ports.ts';

/**
 * Sends reports by `POST {url}` with an `Idempotency-Key` (docs/guide/production.md#partners), so that a repeat is
 * safe.
 */
export class HttpAnalytics implements AnalyticsService {
  readonly #partner: HttpPartner;

  constructor(url: string, patience?: PartnerPatience) {
    this.#partner = new HttpPartner(url, patience);
  }

  get breaker(): BreakerState {
    return this.#partner.breaker;
  }

  async push({ key, body }: Push, signal: AbortSignal): Promise<Delivery> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    // The body is not needed, and may be long.
    const unread = async (response: Response): Promise<void> => response.body?.cancel();
    const answer = await this.#partner.send({ method: 'POST', headers, body: JSON.stringify(body) }, unread, signal);
    return 'got' in answer ? { outcome: 'SENT' } : answer;
  }
}
