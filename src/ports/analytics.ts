import type { Address } from '../domain/caller.ts';
import type { Day } from '../domain/dates.ts';
import type { Metric, MetricType, NightAudit } from '../domain/night-audit.ts';
import type { Instant } from '../domain/property-time.ts';

export const REPORT_TYPES = ['NIGHT_AUDIT'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

/** A report of a property as it is kept. */
export type Report = {
  id: string;
  propertyId: string;
  type: ReportType;
  content: NightAudit;
  completedAt: Instant;
  /** When the analytics service took it. */
  pushedAt?: Instant;
};

/** Days are inclusive. */
export type ReportFilter = { propertyId: string; from?: Day; to?: Day };
export type MetricFilter = ReportFilter & { type?: MetricType };

/** A report that the analytics service has not taken yet. */
export type UnpushedReport = Report & {
  /** How often it was tried. */
  attempts: number;
};

/** What came of a try of a report as it was then; the next one is due at `dueAt`. */
export type PushAttempt = Pick<Report, 'id' | 'completedAt'> &
  ({ pushedAt: Instant } | { attempts: number; dueAt: Instant });

/**
 * Figures and reports of a tenant (docs/concepts/night-audit.md#figures): no actor owns them, they follow from what
 * actors wrote.
 */
export interface Analytics {
  /**
   * Keeps a report with its figures, both or none, in the place of an earlier one of the same type and date. What says
   * something else than before is to be pushed again.
   */
  keep(to: Address, report: { id: string; content: NightAudit; metrics: readonly Metric[] }): Promise<void>;
  find(tenantId: string, id: string): Promise<Report | undefined>;
  /** Newest date first, those before the date `before`. */
  list(tenantId: string, filter: ReportFilter, limit: number, before?: Day): Promise<{ items: Report[]; next?: Day }>;
  /** The same of figures, within a date by type, the house before its room types. */
  metrics(tenantId: string, filter: MetricFilter, limit: number, after?: MetricPosition): Promise<MetricPage>;
  /** Reports whose push is due, oldest date first. */
  unpushed(tenantId: string, now: Instant, limit: number): Promise<UnpushedReport[]>;
  /** Notes it, unless the report has been replaced meanwhile. */
  attempted(tenantId: string, attempt: PushAttempt): Promise<void>;
}

/** A figure's place in a list. */
export type MetricPosition = Pick<Metric, 'date' | 'type' | 'roomType'>;
export type MetricPage = { items: Metric[]; next?: MetricPosition };
