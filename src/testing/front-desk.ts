import { MetricEvents } from '../kernel/operations/metric-events.ts';
import { SealedText } from '../kernel/operations/sealed-text.ts';
import type { Services } from '../kernel/operations/services.ts';
import { SignedText } from '../kernel/operations/signed-text.ts';
import type { Address, Caller } from '../kernel/rules/caller.ts';
import { dayOf, formatDay } from '../kernel/rules/dates.ts';
import { DomainError } from '../kernel/rules/domain-error.ts';
import type { ChargeRequest, OpenPayment, PaymentGateway, TakenCard } from '../money/ports.ts';
import type { Charge } from '../money/rules/payment.ts';
import { QuoteCounter } from '../rates/operations/quote-counter.ts';
import { AnalysisCache } from '../revenue/operations/analysis-cache.ts';
import { DemandModels } from '../revenue/operations/demand/demand-models.ts';
import { PropertyForecasts } from '../revenue/operations/property-forecast.ts';
import { createBody, type CreateBody } from '../stay/contracts/reservations.ts';
import { TenantChanges } from '../tenants/operations/tenant-changes.ts';
import { TenantSettings } from '../tenants/operations/tenant-settings.ts';
import type { Administration } from '../tenants/ports.ts';
import { perform } from '../wiring/worker/tasks.ts';
import { RunningHost, type HostTeardown, quiet } from './actors/running-host.ts';
import { MemoryAcceptedRates } from './partners/memory-accepted-rates.ts';
import { MemoryPriceExperiments } from './partners/memory-price-experiments.ts';
import { DAY, freshId, PROPERTY_ID, type PropertyOptions } from './property-world.ts';

export const CALLER: Caller = {
  tenantId: PROPERTY_ID.tenantId,
  subject: 'tester',
  role: 'STAFF',
  requestId: 'request-1',
};

/** A scripted provider that records its calls. */
class FakeGateway implements PaymentGateway {
  readonly name = 'fake';
  hasRealCards = false;
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, number>();
  /** Charged amounts less refunds. */
  readonly left = new Map<string, number>();
  /** Runs before a charge is booked: to wait, to crash, to decline. */
  before: (request: ChargeRequest) => Promise<void> = async () => {};
  /** Runs after a charge was booked, before it is answered. */
  after: (request: ChargeRequest) => Promise<void> = async () => {};
  down = false;

  async charge(request: ChargeRequest): Promise<Charge> {
    await this.before(request);
    const { attemptId, cardToken } = request;
    const known = this.charges.get(attemptId);
    if (known) return known;
    const charge: Charge =
      cardToken === 'tok_declined'
        ? { outcome: 'DECLINED', reason: 'no money' }
        : { outcome: 'CHARGED', transactionId: `tx_${attemptId}`, processedAt: 1 };
    this.charges.set(attemptId, charge);
    if (charge.outcome === 'CHARGED') this.left.set(attemptId, request.amount);
    await this.after(request);
    if (cardToken === 'tok_timeout') throw new DomainError('PARTNER_UNAVAILABLE', 'no answer');
    return charge;
  }

  async takeCard({ cardToken }: { cardToken: string }): Promise<TakenCard> {
    if (this.down) throw new DomainError('PARTNER_UNAVAILABLE', 'no answer');
    if (cardToken === 'tok_declined') return { outcome: 'DECLINED', reason: 'no money' };
    return { outcome: 'TAKEN', cardToken: `taken ${cardToken}` };
  }

  async find(attemptId: string): Promise<Charge | undefined> {
    return this.charges.get(attemptId);
  }

  async refund({ refundId, attemptId, amount }: { refundId: string; attemptId: string; amount: number }) {
    if (this.down) throw new DomainError('PARTNER_UNAVAILABLE', 'no answer');
    const left = (this.left.get(attemptId) ?? 0) - (this.refunds.has(refundId) ? 0 : amount);
    if (left < 0) throw new DomainError('INTERNAL', 'more than the charge has left');
    this.refunds.set(refundId, amount);
    this.left.set(attemptId, left);
    return { transactionId: `tx_${refundId}`, processedAt: 2 };
  }
}

/** No tenant settings: defaults apply. */
const NO_TENANTS = { read: async () => ({}) } as unknown as Administration;

/** Services that bookings do not need; nothing is stored. */
function besideTheDesk(): Omit<
  Services,
  | 'properties'
  | 'reservations'
  | 'guests'
  | 'payments'
  | 'holds'
  | 'openPayments'
  | 'computer'
  | 'clock'
  | 'log'
  | 'signed'
  | 'sealed'
> {
  return {
    administration: NO_TENANTS,
    tenants: undefined as never,
    photos: undefined as never,
    webhooks: undefined as never,
    agentBookings: async () => ({ unpaidStays: 0, ofDay: { count: 0 }, ofAddress: { count: 0 } }),
    agentLock: async (_, work) => work().then(() => true),
    channels: undefined as never,
    channelNotices: { waiting: async () => [] } as never,
    channelLinks: undefined as never,
    imports: undefined as never,
    importMaxBytes: 0,
    receivers: undefined as never,
    subscriptionChanges: undefined as never,
    tenantShares: { enter: () => ({ end: () => {} }), away: (_, wait) => wait(), rest: async () => {} },
    tenantChanges: new TenantChanges(),
    settings: new TenantSettings(NO_TENANTS, new TenantChanges()),
    issuer: 'http://issuer.test',
    propertyReader: { get: async () => undefined, list: async () => ({ items: [] }) } as never,
    guestBook: { nightsOf: async () => new Map() } as never,
    guestErasure: undefined as never,
    outbox: { of: () => [], forget: () => {} },
    sales: {
      promotion: async () => undefined,
      group: async () => undefined,
      rateChange: async () => undefined,
      propertyOfPlan: async () => undefined,
      hold: async () => undefined,
      propertyOfHold: async () => undefined,
      heldUnpaid: async () => ({ holds: 0, roomNights: 0 }),
      openHoldsOfCard: async () => 0,
    },
    trail: async () => ({ rows: [] }),
    audit: async () => ({ seq: 0, cells: [], books: [], extraStays: [], differences: [] }),
    actorReads: undefined as never,
    moneyAudit: { numbers: async () => ({ documents: 0, gaps: [] }), page: async () => ({ items: [] }) },
    roomStays: async () => [],
    housekeeping: { get: async () => undefined, list: async () => ({ items: [] }), done: async () => [] },
    maintenance: async () => undefined,
    waitlist: { get: async () => undefined, list: async () => ({ items: [] }), ofAddresses: async () => [] },
    inquiries: { get: async () => undefined, list: async () => ({ items: [] }), ofAddresses: async () => [] },
    deskNotes: undefined as never,
    guestNotes: undefined as never,
    userNames: async () => new Map(),
    sentMessages: undefined as never,
    stayMails: undefined as never,
    stayPages: undefined as never,
    letterTemplates: undefined as never,
    waitingMatters: undefined as never,
    countedMatters: undefined as never,
    sendsMail: true,
    revenue: async () => [],
    salesFigures: { moves: async () => [], mix: async () => [] },
    chainModels: undefined as never,
    optimizations: undefined as unknown as Services['optimizations'],
    acceptedRates: new MemoryAcceptedRates(),
    experiments: new MemoryPriceExperiments(),
    analyses: new AnalysisCache(),
    bookingHistory: { changes: async () => [], imports: async () => 0 },
    forecasts: new PropertyForecasts(),
    demandModels: new DemandModels(),
    demandRecords: {
      read: async () => ({ counted: new Int32Array(), totals: [], lengths: [], others: [] }),
      store: async () => {},
      forget: async () => {},
    },
    quoteCounts: new QuoteCounter(),
    storeQuoteCounts: async () => {},
    metricEvents: new MetricEvents(),
    holdLimits: { holds: 100, roomNights: 1_000 },
    requestLimits: undefined as never,
    archive: { read: () => Promise.reject(new Error('the fake store keeps no archive')) },
    analytics: undefined as unknown as Services['analytics'],
    dayBooks: undefined as unknown as Services['dayBooks'],
    dayReports: undefined as unknown as Services['dayReports'],
    extras: { list: async () => [] } as never,
    exchangeRates: { list: async () => [] } as never,
    companies: { get: async () => ({ active: true }) } as never,
    invoices: { ofReservations: async () => [], byNumber: async () => undefined, list: async () => [] },
    surveys: { store: async () => false, of: async () => undefined, ofGuest: async () => new Map() },
    jobs: { size: () => 0 } as never,
    competitors: { market: async () => [] } as never,
    feeds: [],
    repricing: { ask: async () => {} },
  };
}

/** Dependencies of operations over a fake store, with the property of `property-world.ts`. */
export class TestFrontDesk {
  readonly running: RunningHost;
  readonly gateway = new FakeGateway();
  readonly services: Services;
  /** A client's key that is unique to this desk: running ones are cached by the process. */
  readonly key = { key: freshId(), fingerprint: 'body' };

  private constructor(running: RunningHost) {
    this.running = running;
    const { store, clock } = running;
    const find = (tenantId: string, id: string) => {
      const row = store.reservations.get(id);
      return row?.tenantId === tenantId ? { tenantId, propertyId: row.reservation.propertyId } : undefined;
    };
    this.services = {
      ...besideTheDesk(),
      properties: {
        forgetRates: async () => 0,
        views: (...args) => running.host.views(...args),
        execute: (to, envelope) => running.host.execute(to, envelope),
        view: (to) => running.host.view(to),
        follow: (to, from, listener) => running.host.follow(to, from, listener),
      },
      reservations: {
        get: async (tenantId, id) => {
          const to = find(tenantId, id);
          const found = to && (await store.reservation(to, id));
          const property = to && store.properties.get(`${to.tenantId}:${to.propertyId}`);
          return found && property && { ...found, property: property.property!, seq: property.ownership.seq };
        },
        list: async () => ({ items: [] }),
        ids: async () => ({ items: [] }),
        statusHistory: async () => [],
        hasKey: async () => false,
        propertyOf: async (tenantId, id) => find(tenantId, id)?.propertyId,
      },
      guests: {
        open: async () => new Map(),
        identify: async (tenantId, { email, lastName }) => {
          const known = store.guests.get([tenantId, email.toLowerCase(), lastName.toLowerCase()].join('\n'));
          return { guestId: known ?? freshId(), wrappedKey: known ? undefined : 'k1.wrapped', seal: () => 'sealed' };
        },
        byId: async (_, guestId) => ({ guestId, seal: () => 'sealed' }),
      },
      payments: this.gateway,
      holds: {
        expired: async (now) =>
          this.#holds().flatMap(({ to, hold }) => (hold.kind !== 'LATE' && hold.expiresAt < now ? [to] : [])),
        unsettled: async (before) =>
          this.#holds().flatMap(({ to, hold }) =>
            (hold.kind === 'LATE' && hold.booking) || (hold.kind === 'PAYING' && hold.createdAt < before)
              ? [{ to, holdId: hold.id }]
              : [],
          ),
        hold: async (_, holdId) => this.#holds().find(({ hold }) => hold.id === holdId)?.hold,
      },
      openPayments: {
        tenants: async () => [PROPERTY_ID.tenantId],
        refunds: async (_, before) => this.#open('REFUND', before),
        attempts: async (_, before) => this.#open('CHARGE', before),
        byHand: async () => ({ items: [] }),
        due: async (_, _now, _limit, after = '') =>
          [...store.reservations.keys()].filter((one) => one > after).toSorted(),
        unclaimed: async () =>
          [...store.reservations.keys()].map((reservationId) => ({ to: PROPERTY_ID, reservationId })),
        reservationOf: async (tenantId, paymentId) => {
          const row = store.payments.get(paymentId);
          const to = { tenantId, propertyId: PROPERTY_ID.propertyId };
          return row && tenantId === PROPERTY_ID.tenantId
            ? { to, paymentId, reservationId: row.reservationId }
            : undefined;
        },
      },
      computer: { run: async (task, input, onProgress) => perform({ task, input }, onProgress) },
      clock,
      log: quiet,
      signed: new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]),
      sealed: new SealedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]),
    };
  }

  /** Pending payments of stored reservations. */
  #open(kind: 'CHARGE' | 'REFUND', before: number): OpenPayment[] {
    const { payments, reservations } = this.running.store;
    const to = { tenantId: PROPERTY_ID.tenantId, propertyId: PROPERTY_ID.propertyId };
    return [...payments.values()].flatMap(({ reservationId, payment: { type, status, createdAt } }) => {
      const isOpen = type === kind && status === 'PROCESSING' && createdAt < before;
      return isOpen && reservations.has(reservationId) ? [{ to, reservationId }] : [];
    });
  }

  static async open(t: HostTeardown, options: PropertyOptions = {}): Promise<TestFrontDesk> {
    return new TestFrontDesk(await RunningHost.property(t, options));
  }

  /** Booked and held STD rooms of the fifth night, as readers see them. */
  async rooms(): Promise<{ booked: number; held: number }> {
    const [cell] = (await this.running.host.view(PROPERTY_ID)).grid(DAY + 5, DAY + 5, 'STD');
    return { booked: cell!.booked, held: cell!.held };
  }

  #holds() {
    return [...this.running.store.properties].flatMap(([key, { holds }]) => {
      const [tenantId, propertyId] = key.split(':') as [string, string];
      const to: Address = { tenantId, propertyId };
      return [...holds.values()].map((hold) => ({ to, hold }));
    });
  }
}

/** The schema rejects past days by the real clock, which is not that of these tests. */
export const SOME_DAY = { checkIn: '9000-01-01', checkOut: '9000-01-02' };

/** A request for two STD nights from the fifth day on, paid with `cardToken` when one is given. */
export function wish(
  cardToken?: string,
  stayDetails: Record<string, unknown> = {},
  email = `${freshId()}@example.com`,
): CreateBody {
  const { checkIn = formatDay(DAY + 5), checkOut = formatDay(DAY + 7), ...more } = stayDetails;
  const body = createBody.parse({
    propertyId: PROPERTY_ID.propertyId,
    guestInfo: { firstName: 'Ada', lastName: 'Byron', email },
    stayDetails: { ...SOME_DAY, adults: 2, roomType: 'STD', ...more },
    paymentDetails: cardToken === undefined ? undefined : { method: 'CREDIT_CARD', cardToken },
  });
  const days = { checkIn: dayOf(String(checkIn)), checkOut: dayOf(String(checkOut)) };
  return { ...body, stayDetails: { ...body.stayDetails, ...days } };
}
