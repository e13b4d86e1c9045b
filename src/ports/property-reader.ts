import type { Property } from '../domain/property.ts';
import type { Page, PagePosition } from './reservation-reader.ts';

/** Properties of a tenant as the database lists them, without waking their actors. */
export interface PropertyReader {
  list(tenantId: string, limit: number, after?: PagePosition): Promise<Page<Property>>;
}
