import { openCursor, signCursor } from '../../kernel/operations/cursor.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { MetricsQuery, ReportsQuery } from '../contracts/analytics.ts';
import type { MetricPosition, Report } from '../ports.ts';
import type { Metric } from '../rules/night-audit.ts';

type Finding = Pick<Services, 'analytics' | 'properties' | 'signed'>;

/** Lists reports of a property, newest date first. @throws DomainError PROPERTY_NOT_FOUND */
export async function listReports(
  services: Finding,
  { tenantId }: Caller,
  { limit, cursor, ...filter }: ReportsQuery,
): Promise<{ items: Report[]; nextCursor?: string }> {
  const { propertyId } = filter;
  await services.properties.view({ tenantId, propertyId });
  const before = cursor === undefined ? undefined : openCursor(services.signed, cursor, `reports ${propertyId}`);
  const { items, next } = await services.analytics.list(tenantId, filter, limit, before as number | undefined);
  const nextCursor = next === undefined ? undefined : signCursor(services.signed, next, `reports ${propertyId}`);
  return { items, nextCursor };
}

/** @throws DomainError REPORT_NOT_FOUND */
export async function getReport({ analytics }: Finding, { tenantId }: Caller, id: string): Promise<Report> {
  const report = await analytics.find(tenantId, id);
  if (!report) throw new DomainError('REPORT_NOT_FOUND', 'The tenant has no such report.');
  return report;
}

/** Lists figures of a property, newest date first. @throws DomainError PROPERTY_NOT_FOUND */
export async function listMetrics(
  services: Finding,
  { tenantId }: Caller,
  { limit, cursor, ...filter }: MetricsQuery,
): Promise<{ items: Metric[]; nextCursor?: string }> {
  const { propertyId } = filter;
  await services.properties.view({ tenantId, propertyId });
  const bound = `metrics ${propertyId}`;
  const after = cursor === undefined ? undefined : (openCursor(services.signed, cursor, bound) as MetricPosition);
  const { items, next } = await services.analytics.metrics(tenantId, filter, limit, after);
  const position = next && { date: next.date, type: next.type, roomType: next.roomType };
  return { items, nextCursor: position && signCursor(services.signed, position, bound) };
}
