import type { FastifyReply, FastifyRequest } from 'fastify';

import type { RequestCounters } from '../../src/platform/coordination/ports.ts';
import { stampedSlowly } from '../http/admission/admission.ts';
import { countedAddress } from '../http/admission/client-address.ts';
import { QuotaExceeded } from '../http/admission/rate-limit.ts';

/** What an address may do on the pages for guests, each in a time of its own. */
const QUOTAS = {
  /** A search prices every room type under every plan. */
  search: { most: 120, seconds: 60 },
  /** Bookings begun: what a robot holds is bounded by its unpaid rooms too. */
  book: { most: 30, seconds: 600 },
  /** Pages of a stay: who guesses links, or tries dates. */
  stay: { most: 120, seconds: 60 },
  /** Changes of stays: each is a command. */
  change: { most: 30, seconds: 600 },
  /** Cards tried: a list of stolen cards is not tested here. */
  pay: { most: 30, seconds: 600 },
} as const;

export type Counted = keyof typeof QUOTAS;

/** Counts what guests do by their network address (docs/guide/booking-page.md#robots). */
export class GuestLimits {
  readonly #counters: Readonly<Record<Counted, ReturnType<RequestCounters>>> | undefined;

  /** @param isOn false where addresses have no limits at all */
  constructor(counters: RequestCounters, isOn: boolean) {
    const counter = (what: Counted) => counters(`guest-${what}`, QUOTAS[what].seconds);
    const [search, book, pay] = [counter('search'), counter('book'), counter('pay')];
    const [stay, change] = [counter('stay'), counter('change')];
    this.#counters = isOn ? { search, book, pay, stay, change } : undefined;
  }

  /** @throws QuotaExceeded */
  async count(what: Counted, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // The node that received the request has counted it.
    if (!this.#counters || request.requestScope?.admitted) return;
    await stampedSlowly(reply, this.#quota(what, countedAddress(request.ip), this.#counters[what]));
  }

  async #quota(what: Counted, address: string, counter: ReturnType<RequestCounters>): Promise<undefined> {
    const standing = counter.count(address);
    const { most } = QUOTAS[what];
    if (standing.used > most) throw new QuotaExceeded(most, standing);
  }
}
