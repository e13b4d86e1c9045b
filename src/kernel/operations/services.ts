import type { CompetitorFeed, CompetitorRates } from '../../competitors/ports.ts';
import type { GuestBook, GuestDirectory, StaySurveys } from '../../guests/ports.ts';
import type { JournalArchive } from '../../history/ports.ts';
import type {
  CompanyStore,
  ExchangeRateStore,
  ExtraStore,
  InvoiceReader,
  OpenPayments,
  PaymentGateway,
} from '../../money/ports.ts';
import type { DevMailbox } from '../../notifications/ports.ts';
import type { GuestErasure } from '../../privacy/ports.ts';
import type { InventoryAudit, PropertyReader, SalesReader } from '../../property-store/ports.ts';
import type { Repricing } from '../../rates/ports.ts';
import type { AnalysisCache } from '../../revenue/operations/analysis-cache.ts';
import type { PropertyForecasts } from '../../revenue/operations/property-forecast.ts';
import type {
  Analytics,
  BookingHistory,
  Computer,
  DayReports,
  OtbByDay,
  Optimizations,
  SoldRevenue,
} from '../../revenue/ports.ts';
import type { HousekeepingReader, RoomStays, StoredMaintenance } from '../../rooms/ports.ts';
import type {
  HoldSweep,
  MoneyAuditReader,
  InquiryReader,
  ReservationReader,
  WaitlistReader,
} from '../../stay/ports.ts';
import type { HeldUnpaid } from '../../stay/rules/hold-bounds.ts';
import type { TenantChanges } from '../../tenants/operations/tenant-changes.ts';
import type { TenantSettings } from '../../tenants/operations/tenant-settings.ts';
import type { Administration, AuditTrailReader, TenantDirectory } from '../../tenants/ports.ts';
import type { Clock, JobQueue, Log } from '../ports.ts';
import type { PropertyActors } from '../property-actors.ts';
import type { MetricEvents } from './metric-events.ts';
import type { SealedText } from './sealed-text.ts';
import type { SignedText } from './signed-text.ts';

/** Dependencies of operations: ports only, built once in `src/wiring/context.ts`. */
export type Services = {
  properties: PropertyActors;
  administration: Administration;
  tenants: TenantDirectory;
  tenantChanges: TenantChanges;
  settings: TenantSettings;
  /** Default issuer of access tokens. */
  issuer: string;
  reservations: ReservationReader;
  roomStays: RoomStays;
  housekeeping: HousekeepingReader;
  maintenance: StoredMaintenance;
  waitlist: WaitlistReader;
  inquiries: InquiryReader;
  propertyReader: PropertyReader;
  guests: GuestDirectory;
  guestBook: GuestBook;
  guestErasure: GuestErasure;
  payments: PaymentGateway;
  sales: SalesReader;
  revenue: SoldRevenue;
  optimizations: Optimizations;
  analyses: AnalysisCache;
  bookingHistory: BookingHistory;
  forecasts: PropertyForecasts;
  holds: HoldSweep;
  openPayments: OpenPayments;
  audit: InventoryAudit;
  moneyAudit: MoneyAuditReader;
  trail: AuditTrailReader;
  archive: JournalArchive;
  analytics: Analytics;
  dayBooks: OtbByDay;
  dayReports: DayReports;
  extras: ExtraStore;
  exchangeRates: ExchangeRateStore;
  companies: CompanyStore;
  invoices: InvoiceReader;
  surveys: StaySurveys;
  computer: Computer;
  metricEvents: MetricEvents;
  /** What a subject may hold without payment; 0 for no limit. */
  holdLimits: HeldUnpaid;
  jobs: JobQueue;
  /** Messages to guests that development retains instead of sending. */
  outbox: DevMailbox;
  /** Rates of competitors, and their feeds where configured. */
  competitors: CompetitorRates;
  feeds: readonly CompetitorFeed[];
  /** Reprices after external changes. */
  repricing: Repricing;
  clock: Clock;
  log: Log;
  /** `PUBLIC_RESERVATION_URL`: base of links in messages. */
  publicUrl?: string;
  signed: SignedText;
  sealed: SealedText;
};
