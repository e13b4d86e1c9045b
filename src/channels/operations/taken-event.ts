import type { z } from 'zod';

import type { ReadEvent } from '../../events/rules/events.ts';
import { CODES, DomainError } from '../../kernel/rules/domain-error.ts';
import { tenantOfRecord } from '../contracts/taken-events.ts';
import { InvalidRecord, type InvalidRecordReason } from '../rules/invalid-record.ts';

/** A decoded record from a topic, with its headers as texts. */
export type TakenEvent = ReadEvent & { headers: Readonly<Partial<Record<string, string>>> };

/** Subject of changes by records: in journals, and as owner of the records' idempotency keys. */
export const CONSUMER = 'kafka';

/** Result of a record: `follows` settles with its consequences, and the record is not committed before that. */
export type Taken = { effect: 'taken' | 'none'; follows?: Promise<void> };

/** Tolerance for a partner's clock that is ahead. */
export const SKEW_MS = 300_000;

/**
 * Tenant of a record: its field, else its header (docs/reference/events.md#what-innkeeper-reads).
 * @throws InvalidRecord NO_TENANT when both are missing or differ
 */
export function tenantOfEvent({ value, headers }: TakenEvent): string {
  const field = value['tenantId'];
  const { tenantId: header } = headers;
  if (typeof field === 'string' && header !== undefined && field !== header)
    throw new InvalidRecord('NO_TENANT', 'field and header name different tenants');
  const { data } = tenantOfRecord.safeParse(field ?? header);
  if (data === undefined) throw new InvalidRecord('NO_TENANT', 'neither field nor header names a tenant');
  return data;
}

/** @throws InvalidRecord MALFORMED naming the fields, never their values */
export function fieldsOf<T>(schema: z.ZodType<T>, { value }: TakenEvent): T {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const faults = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new InvalidRecord('MALFORMED', faults.join('; '));
}

const REASONS: Partial<Record<string, InvalidRecordReason>> = {
  PROPERTY_NOT_FOUND: 'UNKNOWN_PROPERTY',
  UNKNOWN_ROOM_TYPE: 'UNKNOWN_ROOM_TYPE',
  RESERVATION_NOT_FOUND: 'UNKNOWN_PAYMENT',
  HOLD_NOT_FOUND: 'UNKNOWN_PAYMENT',
  CURRENCY_MISMATCH: 'CURRENCY_MISMATCH',
  ROOM_NOT_AVAILABLE: 'ROOM_NOT_AVAILABLE',
};

/** A final rejection makes a record a dead letter; retryable errors and bugs stay as they are. */
export function asInvalidRecord(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const { kind, title } = CODES[error.code];
  if (error.isRetryable || kind === 'fault') return error;
  return new InvalidRecord(REASONS[error.code] ?? 'REFUSED', `${error.code}: ${title}`);
}
