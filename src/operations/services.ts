import type { Clock } from '../ports/clock.ts';
import type { Computer } from '../ports/computer.ts';
import type { GuestDirectory } from '../ports/guest-directory.ts';
import type { HoldSweep } from '../ports/hold-sweep.ts';
import type { InventoryAudit } from '../ports/inventory-audit.ts';
import type { JournalArchive } from '../ports/journal-archive.ts';
import type { Log } from '../ports/log.ts';
import type { OpenRefunds } from '../ports/open-refunds.ts';
import type { Optimizations } from '../ports/optimizations.ts';
import type { PaymentGateway } from '../ports/payments.ts';
import type { Properties } from '../ports/properties.ts';
import type { PropertyReader } from '../ports/property-reader.ts';
import type { ReservationReader } from '../ports/reservation-reader.ts';
import type { SalesReader } from '../ports/sales-reader.ts';
import type { SoldRevenue } from '../ports/sold-revenue.ts';
import type { Analyses } from './analyses.ts';
import type { SignedText } from './signed-text.ts';

/** What operations work with: ports only, built once in `src/context.ts`. */
export type Services = {
  properties: Properties;
  reservations: ReservationReader;
  propertyReader: PropertyReader;
  guests: GuestDirectory;
  payments: PaymentGateway;
  sales: SalesReader;
  revenue: SoldRevenue;
  optimizations: Optimizations;
  analyses: Analyses;
  holds: HoldSweep;
  refunds: OpenRefunds;
  audit: InventoryAudit;
  archive: JournalArchive;
  computer: Computer;
  clock: Clock;
  log: Log;
  signed: SignedText;
};
