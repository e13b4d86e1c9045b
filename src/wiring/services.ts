import { type CardEntry, takesCards } from '../../gateways/guest-pages/card-form.ts';
import { liveQuotasOf } from '../../gateways/live/quotas.ts';
import { databaseAgentBookings } from '../agents/storage/agent-bookings.ts';
import { HttpChannels } from '../channels/partners/http-channels.ts';
import { databaseChannelNotices } from '../channels/storage/channel-notices.ts';
import { databaseChannels } from '../channels/storage/channels.ts';
import { StoredGuestBook } from '../guests/storage/guest-book.ts';
import { databaseGuestNotes } from '../guests/storage/guest-notes.ts';
import { databaseStaySurveys } from '../guests/storage/stay-surveys.ts';
import { databaseImports } from '../imports/storage/imports.ts';
import { MetricEvents } from '../kernel/operations/metric-events.ts';
import { SealedText } from '../kernel/operations/sealed-text.ts';
import type { Services } from '../kernel/operations/services.ts';
import { type SigningKey, SignedText } from '../kernel/operations/signed-text.ts';
import type { BackgroundPartition } from '../kernel/ports.ts';
import { databaseCompanies } from '../money/storage/companies.ts';
import { databaseExchangeRates } from '../money/storage/exchange-rates.ts';
import { databaseExtras } from '../money/storage/extras.ts';
import { databaseInvoices } from '../money/storage/invoice-documents.ts';
import { StoredOpenPayments } from '../money/storage/open-payments.ts';
import { CountedMatters } from '../notifications/operations/waiting-matters.ts';
import { databaseLetterTemplates } from '../notifications/storage/letter-templates.ts';
import { databaseSentMessages } from '../notifications/storage/sent-messages.ts';
import { databaseStayMails } from '../notifications/storage/stay-mails.ts';
import { databaseWaitingMatters } from '../notifications/storage/waiting-matters.ts';
import type { Config } from '../platform/config/config.ts';
import type { NodeLease } from '../platform/coordination/node-lease.ts';
import { TenantShare } from '../platform/coordination/tenant-share.ts';
import type { Database } from '../platform/database/database.ts';
import { databaseLocks } from '../platform/database/node-locks.ts';
import { StoredGuestErasure } from '../privacy/storage/guest-erasure.ts';
import type { Vacuum } from '../privacy/storage/vacuum.ts';
import { databaseActorReads } from '../property-store/storage/actor-reads.ts';
import { databaseInventoryAudit } from '../property-store/storage/inventory-audit.ts';
import { databasePhotos } from '../property-store/storage/photos.ts';
import { databasePropertyReader } from '../property-store/storage/property-reader.ts';
import { databaseSalesReader } from '../property-store/storage/sales-reader.ts';
import { QuoteCounter } from '../rates/operations/quote-counter.ts';
import { databaseQuoteCounts } from '../rates/storage/quote-counts.ts';
import { AnalysisCache } from '../revenue/operations/analysis-cache.ts';
import { DemandModels } from '../revenue/operations/demand/demand-models.ts';
import { PropertyForecasts } from '../revenue/operations/property-forecast.ts';
import { databaseAcceptedRates } from '../revenue/storage/accepted-rates.ts';
import { databaseAnalytics } from '../revenue/storage/analytics.ts';
import { databaseBookingHistory } from '../revenue/storage/booking-history.ts';
import { databaseDayReports } from '../revenue/storage/day-reports.ts';
import { databaseDemandRecords } from '../revenue/storage/demand-records.ts';
import { StoredOptimizations } from '../revenue/storage/optimizations.ts';
import { databaseOtbByDay } from '../revenue/storage/otb-by-day.ts';
import { databasePriceExperiments } from '../revenue/storage/price-experiments.ts';
import { databaseSalesFigures } from '../revenue/storage/sales-figures.ts';
import { databaseSoldRevenue } from '../revenue/storage/sold-revenue.ts';
import { databaseHousekeeping } from '../rooms/storage/housekeeping.ts';
import { databaseMaintenance } from '../rooms/storage/maintenances.ts';
import { databaseRoomStays } from '../rooms/storage/room-stays.ts';
import { databaseDeskNotes } from '../stay/storage/desk-notes.ts';
import { StoredHolds } from '../stay/storage/hold-sweep.ts';
import { databaseInquiries } from '../stay/storage/inquiries.ts';
import { databaseMoneyAudit } from '../stay/storage/money-audit.ts';
import { databaseStayPages } from '../stay/storage/stay-pages.ts';
import { databaseWaitlist } from '../stay/storage/waitlist.ts';
import { SubscriptionChanges } from '../subscriptions/operations/subscription-changes.ts';
import { TenantChanges } from '../tenants/operations/tenant-changes.ts';
import { TenantSettings } from '../tenants/operations/tenant-settings.ts';
import type { RequestLimits } from '../tenants/rules/limits.ts';
import { databaseAuditTrail } from '../tenants/storage/audit-trail.ts';
import { databaseAdministration } from '../tenants/storage/tenant-records.ts';
import { StoredTenants } from '../tenants/storage/tenants.ts';
import { databaseUserNames } from '../tenants/storage/user-names.ts';
import { HttpReceivers } from '../webhooks/partners/http-receivers.ts';
import { databaseWebhooks } from '../webhooks/storage/webhooks.ts';

/** How guests enter cards on the pages of this service. */
export function cardEntryOf(config: Config): CardEntry {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: stripeKey } = config;
  return {
    ...(secretKey !== undefined && stripeKey !== undefined && { stripeKey }),
    isSimulated: secretKey === undefined && config.developmentParts,
  };
}

/** Settings of operations from the environment. */
export const asConfigured = (
  config: Config,
): Pick<
  Services,
  | 'issuer'
  | 'publicUrl'
  | 'pagesUrl'
  | 'hasCardForm'
  | 'holdLimits'
  | 'requestLimits'
  | 'receivers'
  | 'channelLinks'
  | 'importMaxBytes'
  | 'tenantShares'
> => ({
  issuer: config.issuer,
  publicUrl: config.PUBLIC_RESERVATION_URL,
  pagesUrl: config.PUBLIC_LIVE_URL ?? `http://${config.HOST}:${config.LIVE_PORT}`,
  hasCardForm: takesCards(cardEntryOf(config)),
  holdLimits: { holds: config.OPEN_HOLDS_SUBJECT, roomNights: config.HELD_ROOM_NIGHTS_SUBJECT },
  requestLimits: requestLimitsOf(config),
  importMaxBytes: config.IMPORT_MAX_BYTES,
  tenantShares: new TenantShare(config.TENANT_REQUESTS_IN_PROGRESS),
  receivers: new HttpReceivers({ allowPrivate: config.WEBHOOK_ALLOW_PRIVATE }),
  channelLinks: new HttpChannels({ allowPrivate: config.CHANNEL_ALLOW_PRIVATE }),
});

/** Quotas as this node counts them; those of sockets follow from those of requests. */
function requestLimitsOf(config: Config): RequestLimits {
  const { RATE_LIMIT_TENANT: tenant, RATE_LIMIT_SUBJECT: subject } = config;
  const { RATE_LIMIT_ADDRESS: address, RATE_LIMIT_COSTLY: costly } = config;
  const { sockets } = liveQuotasOf({ tenant, subject, address });
  return {
    requests: { tenant, user: subject, address, costly },
    sockets: { tenant: sockets.tenant, user: sockets.subject },
  };
}

/** Signed and encrypted texts under the secret keys. */
export const underKeys = (keys: readonly SigningKey[]): Pick<Services, 'signed' | 'sealed'> => ({
  signed: new SignedText(keys),
  sealed: new SealedText(keys),
});

/** Caches and counters of this node. */
export const inMemory = (): Pick<
  Services,
  | 'analyses'
  | 'forecasts'
  | 'demandModels'
  | 'metricEvents'
  | 'quoteCounts'
  | 'countedMatters'
  | 'subscriptionChanges'
> => ({
  analyses: new AnalysisCache(),
  forecasts: new PropertyForecasts(),
  metricEvents: new MetricEvents(),
  quoteCounts: new QuoteCounter(),
  demandModels: new DemandModels(),
  countedMatters: new CountedMatters(),
  subscriptionChanges: new SubscriptionChanges(),
});

/** Stores of operations outside the actors. */
export function inDatabase(database: Database, lease: NodeLease, share: BackgroundPartition, vacuum: Vacuum) {
  return {
    propertyReader: databasePropertyReader(database),
    guestBook: new StoredGuestBook(database),
    guestNotes: databaseGuestNotes(database),
    guestErasure: new StoredGuestErasure(database, () => vacuum.soon()),
    sales: databaseSalesReader(database),
    revenue: databaseSoldRevenue(database),
    salesFigures: databaseSalesFigures(database),
    roomStays: databaseRoomStays(database),
    housekeeping: databaseHousekeeping(database),
    maintenance: databaseMaintenance(database),
    waitlist: databaseWaitlist(database),
    inquiries: databaseInquiries(database),
    deskNotes: databaseDeskNotes(database),
    userNames: databaseUserNames(database),
    sentMessages: databaseSentMessages(database),
    stayMails: databaseStayMails(database),
    stayPages: databaseStayPages(database),
    letterTemplates: databaseLetterTemplates(database),
    waitingMatters: databaseWaitingMatters(database),
    bookingHistory: databaseBookingHistory(database),
    demandRecords: databaseDemandRecords(database),
    storeQuoteCounts: databaseQuoteCounts(database),
    optimizations: new StoredOptimizations(database),
    acceptedRates: databaseAcceptedRates(database),
    experiments: databasePriceExperiments(database),
    holds: new StoredHolds(() => lease.client(), database, share),
    openPayments: new StoredOpenPayments(() => lease.client(), database, share),
    audit: databaseInventoryAudit(database),
    actorReads: databaseActorReads(database),
    moneyAudit: databaseMoneyAudit(database),
    trail: databaseAuditTrail(database),
    analytics: databaseAnalytics(database),
    dayBooks: databaseOtbByDay(database),
    dayReports: databaseDayReports(database),
    extras: databaseExtras(database),
    exchangeRates: databaseExchangeRates(database),
    photos: databasePhotos(database),
    companies: databaseCompanies(database),
    invoices: databaseInvoices(database),
    surveys: databaseStaySurveys(database),
    webhooks: databaseWebhooks(database),
    agentBookings: databaseAgentBookings(database),
    agentLock: databaseLocks(() => lease.client()),
    channels: databaseChannels(database),
    channelNotices: databaseChannelNotices(database),
    imports: databaseImports(database, () => lease.client()),
    tenants: new StoredTenants(() => lease.client()),
  } satisfies Partial<Services>;
}

/** Tenants and their settings. */
export function aboutTenants(database: Database): Pick<Services, 'administration' | 'tenantChanges' | 'settings'> {
  const administration = databaseAdministration(database);
  const tenantChanges = new TenantChanges();
  return { administration, tenantChanges, settings: new TenantSettings(administration, tenantChanges) };
}
