import { z } from 'zod';

import { idFrom } from '../../kernel/operations/id-from.ts';
import type { Clock, Delivery, Log, PartnerState } from '../../kernel/ports.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { formatInstant } from '../../kernel/rules/property-time.ts';
import { metric, nightAuditAnswer, renderMetric, renderNightAudit } from '../contracts/analytics.ts';
import type { Analytics, AnalyticsService, Push, UnpushedReport } from '../ports.ts';
import { metricsOf } from '../rules/night-audit.ts';

type Pushing = {
  analytics: Analytics;
  service: AnalyticsService;
  clock: Clock;
  log: Log;
  /** Called for a report that cannot be pushed because of its content. */
  failed?(item: string, error: unknown): void;
};

/** Result of a round; `partner` is its last known state. */
type Pushed = { pushed: number; partner: PartnerState };

/** Reports of a tenant in one round. */
const MAX_REPORTS = 50;

/** Delay before a rejected report is pushed again; it grows, and the report is never given up. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/**
 * Pushes a tenant's reports to the analytics service, oldest first (docs/concepts/night-audit.md#push). A rejected
 * report does not delay the others; while the service is away, all wait. A report is pushed until it is accepted: after
 * a crash it is pushed again under the same key.
 */
export async function pushReports(pushing: Pushing, tenantId: TenantId, signal: AbortSignal): Promise<Pushed> {
  const { analytics, service, clock, log } = pushing;
  const result: Pushed = { pushed: 0, partner: 'NOT_ASKED' };
  for (const report of await analytics.unpushed(tenantId, clock.now(), MAX_REPORTS)) {
    if (signal.aborted) break;
    const push = written(() => pushOf(tenantId, report));
    if ('fault' in push) pushing.failed?.(`${tenantId}/${report.propertyId} report ${report.id}`, push.fault);
    const delivery: Delivery =
      'fault' in push ? { outcome: 'REFUSED', reason: 'it cannot be written' } : await service.push(push, signal);
    const { id, completedAt } = report;
    if (delivery.outcome === 'SENT') {
      await analytics.attempted(tenantId, { id, completedAt, pushedAt: clock.now() });
      result.pushed += 1;
      result.partner = 'ANSWERS';
      continue;
    }
    const attempts = report.attempts + 1;
    await analytics.attempted(tenantId, { id, completedAt, attempts, dueAt: clock.now() + pauseAfter(attempts) });
    log.warn(
      { tenantId, reportId: id, attempts, reason: delivery.reason },
      'a report was not taken; tried again later',
    );
    if ('fault' in push) continue;
    result.partner = delivery.outcome === 'REFUSED' ? 'ANSWERS' : 'AWAY';
    if (result.partner === 'AWAY') break;
  }
  return result;
}

function pauseAfter(attempts: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE_MS);
}

/** A malformed report must not stop the others. */
function written(write: () => Push): Push | { fault: unknown } {
  try {
    return write();
  } catch (fault) {
    return { fault };
  }
}

/** A changed report gets another key, so the receiver sees a new one. */
function pushOf(tenantId: TenantId, { id, propertyId, type, content, completedAt }: UnpushedReport): Push {
  return {
    key: idFrom([tenantId, id, content]),
    body: {
      reportId: id,
      reportType: type,
      tenantId,
      propertyId,
      date: formatDay(content.date),
      completedAt: formatInstant(completedAt),
      metrics: metricsOf(content).map((one) => z.encode(metric, renderMetric(propertyId, one))),
      report: z.encode(nightAuditAnswer, renderNightAudit(content)),
    },
  };
}
