import { formatDay } from '../../../../src/kernel/rules/dates.ts';
import { auditWire } from '../../../../src/revenue/contracts/analytics.ts';
import type { Report } from '../../../../src/revenue/ports.ts';
import { wireMoney } from '../../../http/money.ts';
import { iso } from '../../stay/render/reservation.ts';

/** A report with what it says. */
export function wireReport({
  id,
  propertyId,
  type,
  content,
  completedAt,
  pushedAt,
}: Report): Record<string, unknown> {
  return {
    reportId: id,
    propertyId,
    reportType: type,
    status: 'COMPLETED',
    date: formatDay(content.date),
    completedAt: iso(completedAt),
    pushedAt: pushedAt === undefined ? null : iso(pushedAt),
    content: auditWire(content, wireMoney),
  };
}
