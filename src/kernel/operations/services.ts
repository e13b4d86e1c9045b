import type { AgentBookings } from '../../agents/ports.ts';
import type { ChannelLinks, ChannelNotices, Channels } from '../../channels/ports.ts';
import type { CompetitorFeed, CompetitorRates } from '../../competitors/ports.ts';
import type { GuestBook, GuestDirectory, GuestNotes, StaySurveys } from '../../guests/ports.ts';
import type { JournalArchive } from '../../history/ports.ts';
import type { ImportStore } from '../../imports/ports.ts';
import type {
  CompanyStore,
  ExchangeRateStore,
  ExtraStore,
  InvoiceReader,
  OpenPayments,
  PaymentGateway,
} from '../../money/ports.ts';
import type { CountedMatters } from '../../notifications/operations/waiting-matters.ts';
import type {
  DevMailbox,
  LetterTemplates,
  SentMessages,
  StayMails,
  WaitingMatters,
} from '../../notifications/ports.ts';
import type { GuestErasure } from '../../privacy/ports.ts';
import type { PhotoStore } from '../../properties/ports.ts';
import type { ActorReads, InventoryAudit, PropertyReader, SalesReader } from '../../property-store/ports.ts';
import type { QuoteCounter } from '../../rates/operations/quote-counter.ts';
import type { Repricing, StoreQuoteCounts } from '../../rates/ports.ts';
import type { AnalysisCache } from '../../revenue/operations/analysis-cache.ts';
import type { DemandModels } from '../../revenue/operations/demand/demand-models.ts';
import type { PropertyForecasts } from '../../revenue/operations/property-forecast.ts';
import type {
  Analytics,
  BookingHistory,
  Computer,
  DemandRecords,
  DayReports,
  OtbByDay,
  Optimizations,
  PriceExperiments,
  SalesFigures,
  AcceptedRates,
  ChainModels,
  SoldRevenue,
} from '../../revenue/ports.ts';
import type { HousekeepingReader, RoomStays, StoredMaintenance } from '../../rooms/ports.ts';
import type {
  HoldSweep,
  MoneyAuditReader,
  DeskNotes,
  InquiryReader,
  ReservationReader,
  StayPages,
  WaitlistReader,
} from '../../stay/ports.ts';
import type { HeldUnpaid } from '../../stay/rules/hold-bounds.ts';
import type { SubscriptionChanges } from '../../subscriptions/operations/subscription-changes.ts';
import type { TenantChanges } from '../../tenants/operations/tenant-changes.ts';
import type { TenantSettings } from '../../tenants/operations/tenant-settings.ts';
import type { Administration, AuditTrailReader, TenantDirectory, UserNames } from '../../tenants/ports.ts';
import type { RequestLimits } from '../../tenants/rules/limits.ts';
import type { Receivers, Webhooks } from '../../webhooks/ports.ts';
import type { AdvisoryLock, Clock, JobQueue, Log, TenantShares } from '../ports.ts';
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
  deskNotes: DeskNotes;
  userNames: UserNames;
  propertyReader: PropertyReader;
  guests: GuestDirectory;
  guestBook: GuestBook;
  guestNotes: GuestNotes;
  guestErasure: GuestErasure;
  payments: PaymentGateway;
  sales: SalesReader;
  revenue: SoldRevenue;
  salesFigures: SalesFigures;
  optimizations: Optimizations;
  acceptedRates: AcceptedRates;
  experiments: PriceExperiments;
  analyses: AnalysisCache;
  bookingHistory: BookingHistory;
  forecasts: PropertyForecasts;
  demandModels: DemandModels;
  demandRecords: DemandRecords;
  /** Quotes and bookings of this node since the last minute. */
  quoteCounts: QuoteCounter;
  storeQuoteCounts: StoreQuoteCounts;
  holds: HoldSweep;
  openPayments: OpenPayments;
  audit: InventoryAudit;
  actorReads: ActorReads;
  moneyAudit: MoneyAuditReader;
  trail: AuditTrailReader;
  archive: JournalArchive;
  analytics: Analytics;
  dayBooks: OtbByDay;
  dayReports: DayReports;
  extras: ExtraStore;
  exchangeRates: ExchangeRateStore;
  photos: PhotoStore;
  companies: CompanyStore;
  invoices: InvoiceReader;
  surveys: StaySurveys;
  computer: Computer;
  metricEvents: MetricEvents;
  /** What a subject may hold without payment; 0 for no limit. */
  holdLimits: HeldUnpaid;
  agentBookings: AgentBookings;
  /** Serializes the calls of an agent that take rooms. */
  agentLock: AdvisoryLock;
  /** Quotas of requests and sockets, to show them. */
  requestLimits: RequestLimits;
  /** Read models of searches over all properties. */
  chainModels: ChainModels;
  jobs: JobQueue;
  sentMessages: SentMessages;
  stayMails: StayMails;
  stayPages: StayPages;
  letterTemplates: LetterTemplates;
  waitingMatters: WaitingMatters;
  /** What waits, as it was counted within the last minute. */
  countedMatters: CountedMatters;
  /** Whether this service sends mails. */
  sendsMail: boolean;
  /** Messages to guests that development retains instead of sending. */
  outbox: DevMailbox;
  /** Rates of competitors, and their feeds where configured. */
  competitors: CompetitorRates;
  feeds: readonly CompetitorFeed[];
  /** Reprices after external changes. */
  repricing: Repricing;
  webhooks: Webhooks;
  channels: Channels;
  channelNotices: ChannelNotices;
  imports: ImportStore;
  /** `IMPORT_MAX_BYTES`: what is sent for an import, and what it is unpacked. */
  importMaxBytes: number;
  /** Addresses that channels name. */
  channelLinks: ChannelLinks;
  /** Addresses that webhooks name. */
  receivers: Receivers;
  subscriptionChanges: SubscriptionChanges;
  tenantShares: TenantShares;
  clock: Clock;
  log: Log;
  /** `PUBLIC_RESERVATION_URL`: base of links in messages. */
  publicUrl?: string;
  /** Base of links to the pages that guests open. */
  pagesUrl?: string;
  /** Whether those pages can take a card. */
  hasCardForm?: boolean;
  signed: SignedText;
  sealed: SealedText;
};
