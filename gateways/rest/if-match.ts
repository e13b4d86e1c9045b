import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { reading } from '../http/route.ts';
import { exchangeOf, type PropertyWrite, propertyWriteOf } from './answer.ts';

/** A write to something of a property that has a version of its own. */
export type PropertyWriteIfMatch = PropertyWrite & { ifVersion: number | undefined };

/** Gives the handler its {@link PropertyWriteIfMatch}. @throws DomainError STALE_VERSION for no ETag of ours */
export const ThePropertyWriteIfMatch = reading(['Idempotency-Key', 'If-Match'], (context): PropertyWriteIfMatch => {
  const { request } = exchangeOf(context);
  return { ...propertyWriteOf(context), ifVersion: ifMatch(request.headers['if-match']) };
});

/** The version that `If-Match` names; `undefined` without the header or for `*`. @throws DomainError STALE_VERSION */
export function ifMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const match = /^"(\d{1,15})"$/.exec(header.trim());
  if (!match) throw new DomainError('STALE_VERSION', 'If-Match is not an ETag of ours.');
  return Number(match[1]);
}
