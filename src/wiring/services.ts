import { StoredGuestBook } from '../guests/storage/guest-book.ts';
import { databaseStaySurveys } from '../guests/storage/stay-surveys.ts';
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
import type { Config } from '../platform/config/config.ts';
import type { NodeLease } from '../platform/coordination/node-lease.ts';
import type { Database } from '../platform/database/database.ts';
import { StoredGuestErasure } from '../privacy/storage/guest-erasure.ts';
import type { Vacuum } from '../privacy/storage/vacuum.ts';
import { databaseInventoryAudit } from '../property-store/storage/inventory-audit.ts';
import { databasePropertyReader } from '../property-store/storage/property-reader.ts';
import { databaseSalesReader } from '../property-store/storage/sales-reader.ts';
import { AnalysisCache } from '../revenue/operations/analysis-cache.ts';
import { PropertyForecasts } from '../revenue/operations/property-forecast.ts';
import { databaseAnalytics } from '../revenue/storage/analytics.ts';
import { databaseBookingHistory } from '../revenue/storage/booking-history.ts';
import { databaseDayReports } from '../revenue/storage/day-reports.ts';
import { StoredOptimizations } from '../revenue/storage/optimizations.ts';
import { databaseOtbByDay } from '../revenue/storage/otb-by-day.ts';
import { databaseSoldRevenue } from '../revenue/storage/sold-revenue.ts';
import { databaseHousekeeping } from '../rooms/storage/housekeeping.ts';
import { databaseMaintenance } from '../rooms/storage/maintenances.ts';
import { databaseRoomStays } from '../rooms/storage/room-stays.ts';
import { StoredHolds } from '../stay/storage/hold-sweep.ts';
import { databaseInquiries } from '../stay/storage/inquiries.ts';
import { databaseMoneyAudit } from '../stay/storage/money-audit.ts';
import { databaseWaitlist } from '../stay/storage/waitlist.ts';
import { TenantChanges } from '../tenants/operations/tenant-changes.ts';
import { TenantSettings } from '../tenants/operations/tenant-settings.ts';
import { databaseAuditTrail } from '../tenants/storage/audit-trail.ts';
import { databaseAdministration } from '../tenants/storage/tenant-records.ts';
import { StoredTenants } from '../tenants/storage/tenants.ts';

/** Settings of operations from the environment. */
export const asConfigured = (config: Config): Pick<Services, 'issuer' | 'publicUrl' | 'holdLimits'> => ({
  issuer: config.issuer,
  publicUrl: config.PUBLIC_RESERVATION_URL,
  holdLimits: { holds: config.OPEN_HOLDS_SUBJECT, roomNights: config.HELD_ROOM_NIGHTS_SUBJECT },
});

/** Signed and encrypted texts under the secret keys. */
export const underKeys = (keys: readonly SigningKey[]): Pick<Services, 'signed' | 'sealed'> => ({
  signed: new SignedText(keys),
  sealed: new SealedText(keys),
});

/** Caches and counters of this node. */
export const inMemory = (): Pick<Services, 'analyses' | 'forecasts' | 'metricEvents'> => ({
  analyses: new AnalysisCache(),
  forecasts: new PropertyForecasts(),
  metricEvents: new MetricEvents(),
});

/** Stores of operations outside the actors. */
export function inDatabase(database: Database, lease: NodeLease, share: BackgroundPartition, vacuum: Vacuum) {
  return {
    propertyReader: databasePropertyReader(database),
    guestBook: new StoredGuestBook(database),
    guestErasure: new StoredGuestErasure(database, () => vacuum.soon()),
    sales: databaseSalesReader(database),
    revenue: databaseSoldRevenue(database),
    roomStays: databaseRoomStays(database),
    housekeeping: databaseHousekeeping(database),
    maintenance: databaseMaintenance(database),
    waitlist: databaseWaitlist(database),
    inquiries: databaseInquiries(database),
    bookingHistory: databaseBookingHistory(database),
    optimizations: new StoredOptimizations(database),
    holds: new StoredHolds(() => lease.client(), database, share),
    openPayments: new StoredOpenPayments(() => lease.client(), database, share),
    audit: databaseInventoryAudit(database),
    moneyAudit: databaseMoneyAudit(database),
    trail: databaseAuditTrail(database),
    analytics: databaseAnalytics(database),
    dayBooks: databaseOtbByDay(database),
    dayReports: databaseDayReports(database),
    extras: databaseExtras(database),
    exchangeRates: databaseExchangeRates(database),
    companies: databaseCompanies(database),
    invoices: databaseInvoices(database),
    surveys: databaseStaySurveys(database),
    tenants: new StoredTenants(() => lease.client()),
  } satisfies Partial<Services>;
}

/** Tenants and their settings. */
export function aboutTenants(database: Database): Pick<Services, 'administration' | 'tenantChanges' | 'settings'> {
  const administration = databaseAdministration(database);
  const tenantChanges = new TenantChanges();
  return { administration, tenantChanges, settings: new TenantSettings(administration, tenantChanges) };
}
