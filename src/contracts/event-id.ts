import { v5 } from 'uuid';

import type { EventSource } from '../domain/event-records.ts';

/** Ours alone: what is counted here is counted nowhere else. Never to be changed. */
const NAMESPACE = '0b6c3b0e-3d0d-5d0c-9a0e-6f1f6a1f7c11';

/** UUIDv5 of (tenant, property, generation, seq, n): the same change has the same id, however often it is sent. */
export function eventIdOf({ tenantId, propertyId, generation }: EventSource, seq: number, n: number): string {
  return v5(JSON.stringify([tenantId, propertyId, generation, seq, n]), NAMESPACE);
}
