import type { HeldUnpaid } from '../domain/hold-bounds.ts';
import type { Administration } from '../ports/administration.ts';
import type { Analytics } from '../ports/analytics.ts';
import type { BookingHistory } from '../ports/booking-history.ts';
import type { AuditTrail } from '../ports/audit-trail.ts';
import type { Clock } from '../ports/clock.ts';
import type { CompetitorFeed } from '../ports/competitor-feed.ts';
import type { CompetitorRates } from '../ports/competitor-rates.ts';
import type { Computer } from '../ports/computer.ts';
import type { GuestBook } from '../ports/guest-book.ts';
import type { DayBooks } from '../ports/day-books.ts';
import type { Extras } from '../ports/extras.ts';
import type { GuestDirectory } from '../ports/guest-directory.ts';
import type { GuestErasure } from '../ports/guest-erasure.ts';
import type { Housekeeping } from '../ports/housekeeping.ts';
import type { HoldSweep } from '../ports/hold-sweep.ts';
import type { InventoryAudit } from '../ports/inventory-audit.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { JournalArchive } from '../ports/journal-archive.ts';
import type { Log } from '../ports/log.ts';
import type { OpenPayments } from '../ports/open-payments.ts';
import type { Outbox } from '../ports/outbox.ts';
import type { Optimizations } from '../ports/optimizations.ts';
import type { PaymentGateway } from '../ports/payments.ts';
import type { Properties } from '../ports/properties.ts';
import type { PropertyReader } from '../ports/property-reader.ts';
import type { Repricing } from '../ports/repricing.ts';
import type { ReservationReader } from '../ports/reservation-reader.ts';
import type { RoomStays } from '../ports/room-stays.ts';
import type { SalesReader } from '../ports/sales-reader.ts';
import type { StaySurveys } from '../ports/stay-surveys.ts';
import type { SoldRevenue } from '../ports/sold-revenue.ts';
import type { TenantDirectory } from '../ports/tenants.ts';
import type { Analyses } from './analyses.ts';
import type { HouseForecasts } from './house-forecast.ts';
import type { Measured } from './measured.ts';
import type { SealedText } from './sealed-text.ts';
import type { SignedText } from './signed-text.ts';
import type { TenantChanges } from './tenant-changes.ts';
import type { TenantSettings } from './tenant-settings.ts';

/** What operations work with: ports only, built once in `src/context.ts`. */
export type Services = {
  properties: Properties;
  administration: Administration;
  tenants: TenantDirectory;
  tenantChanges: TenantChanges;
  settings: TenantSettings;
  /** Who makes the tokens of this installation, where nobody says otherwise. */
  issuer: string;
  reservations: ReservationReader;
  roomStays: RoomStays;
  housekeeping: Housekeeping;
  propertyReader: PropertyReader;
  guests: GuestDirectory;
  guestBook: GuestBook;
  guestErasure: GuestErasure;
  payments: PaymentGateway;
  sales: SalesReader;
  revenue: SoldRevenue;
  optimizations: Optimizations;
  analyses: Analyses;
  bookingHistory: BookingHistory;
  forecasts: HouseForecasts;
  holds: HoldSweep;
  openPayments: OpenPayments;
  audit: InventoryAudit;
  trail: AuditTrail;
  archive: JournalArchive;
  analytics: Analytics;
  dayBooks: DayBooks;
  extras: Extras;
  surveys: StaySurveys;
  computer: Computer;
  measured: Measured;
  /** What a subject may hold without having paid; 0 for no limit. */
  holdLimits: HeldUnpaid;
  jobs: JobQueue;
  /** What development keeps of the messages to guests. */
  outbox: Outbox;
  /** Rates of competitors, and who tells them; no feeds where none is configured. */
  competitors: CompetitorRates;
  feeds: readonly CompetitorFeed[];
  /** Has prices follow what has come from outside. */
  repricing: Repricing;
  clock: Clock;
  log: Log;
  /** `PUBLIC_RESERVATION_URL`: before links that leave the service. */
  publicUrl?: string;
  signed: SignedText;
  sealed: SealedText;
};
