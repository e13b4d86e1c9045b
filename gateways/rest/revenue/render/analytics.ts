import type { reportAnswer } from '../../../../src/revenue/contracts/analytics.ts';
import { renderNightAudit } from '../../../../src/revenue/contracts/analytics.ts';
import type { Report } from '../../../../src/revenue/ports.ts';
import type { AnswerOf } from '../../../http/answers.ts';

/** A night audit report. */
export function wireReport({
  id,
  propertyId,
  type,
  content,
  covers,
  completedAt,
  pushedAt,
}: Report): AnswerOf<typeof reportAnswer> {
  return {
    reportId: id,
    propertyId,
    reportType: type,
    status: 'COMPLETED',
    date: content.date,
    completedAt,
    journal: covers ? { after: covers.after, to: covers.to } : null,
    pushedAt: pushedAt ?? null,
    content: renderNightAudit(content),
  };
}
