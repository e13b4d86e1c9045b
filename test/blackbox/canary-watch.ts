import { Canary } from './canary.ts';
import { listenIn, type Overheard } from './overheard.ts';
import type { Service } from './service.ts';
import { makeTenants } from './tenants.ts';

/** The same property as the tenant `demo` has, so that what forgets the tenant finds the wrong one. */
const PROPERTY_ID = 'harbor-hotel';
const CANARIES = [
  { tenantId: 'watch-finch', mark: 'Finchmark', price: 73_913.37, propertyId: PROPERTY_ID },
  { tenantId: 'watch-serin', mark: 'Serinmark', price: 84_627.43, propertyId: PROPERTY_ID },
] as const;
/** A word may lie across two pieces of a log. */
const LONGEST_MARK = 20;
const SHOWN = 160;
const MAX_LEAKS = 20;

/**
 * Two tenants with the ids of `demo` and of each other, in the services that are watched (launched.ts). Their marks (names,
 * wishes, offers, prices) may be shown to themselves and to nobody else: every answer, frame and log line of the whole
 * file is checked, for every caller (I8).
 */
export class CanaryWatch {
  readonly #service: Service;
  readonly #leaks: string[] = [];
  readonly #stop: () => void;
  readonly #tails = new Map<string, string>();
  #canaries: Canary[] = [];
  #heard = 0;

  private constructor(service: Service) {
    this.#service = service;
    this.#stop = listenIn((said) => this.#hear(said));
  }

  /** Both live a day at the same moment, with their dashboards open. */
  static async begin(service: Service): Promise<CanaryWatch> {
    const watch = new CanaryWatch(service);
    await makeTenants(service, CANARIES);
    watch.#canaries = await Promise.all(CANARIES.map((one) => Canary.hatch(service, one)));
    const all = watch.#canaries;
    await Promise.all(all.map((one) => one.build()));
    await Promise.all(all.map((one) => one.listen()));
    await Promise.all(all.map((one) => one.live()));
    for (const one of all) one.deafen();
    return watch;
  }

  /** Reads on behalf of everybody what the file itself may not have read. */
  async sweep(): Promise<void> {
    const { rateUrl, reservationUrl, liveUrl } = this.#service.dev;
    await Promise.all(this.#canaries.map((one) => one.read()));
    const paths = [
      '/api/v1/reservations?limit=200',
      '/api/v1/guests?q=canary',
      '/api/v1/guests?email=canary@example.com',
      '/dev/events?limit=200',
      '/dev/outbox',
      '/api/v1/admin/audit-trail?limit=200',
      '/api/v1/tenants/demo/properties',
      '/api/v1/analytics/reports',
    ];
    for (const path of paths) await this.#service.call('GET', reservationUrl + path);
    for (const path of [
      '/api/v1/rates/promotions?propertyId=harbor-hotel',
      '/api/v1/rates/plans?propertyId=harbor-hotel',
    ])
      await this.#service.call('GET', rateUrl + path);
    for (const base of [rateUrl, reservationUrl, liveUrl])
      await this.#service.call('GET', `${base}/actuator/prometheus`, { tenantHeader: null, authorization: null });
  }

  /** @throws Error when a canary's data reached somebody else, or not the canary itself */
  end(): void {
    this.#stop();
    if (this.#heard === 0) throw new Error('the canaries never heard of themselves: nothing was watched');
    if (this.#leaks.length > 0) throw new Error(`a canary's data was shown to others:\n${this.#leaks.join('\n')}`);
  }

  #hear({ what, tenant, text }: Overheard): void {
    const whole = (this.#tails.get(what) ?? '') + text;
    if (tenant === undefined) this.#tails.set(what, text.slice(-LONGEST_MARK));
    for (const { tenantId, mark, price } of CANARIES)
      for (const word of [mark, price.toFixed(2)]) {
        const at = whole.indexOf(word);
        if (at < 0) continue;
        if (tenant === tenantId) this.#heard += 1;
        else if (this.#leaks.length < MAX_LEAKS)
          this.#leaks.push(`${what} of ${tenant ?? 'nobody'}: ${whole.slice(Math.max(0, at - SHOWN), at + SHOWN)}`);
      }
  }
}
