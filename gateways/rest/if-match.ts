import type { ExecutionContext } from '@nestjs/common';

import { DomainError } from '../../src/kernel/rules/domain-error.ts';
import { parameterFrom, type ParameterOf } from '../http/parameters.ts';
import { declareReads, type ReadParameter } from '../http/route.ts';
import { exchangeOf, type PropertyWrite, propertyWriteOf } from './answer.ts';

/** A write to something of a property that has a version of its own. */
export type PropertyWriteIfMatch = PropertyWrite & { ifVersion: number | undefined };

/** Gives the handler its {@link PropertyWriteIfMatch}. @throws DomainError STALE_VERSION for no ETag of ours */
export const ThePropertyWriteIfMatch = reading(['If-Match'], (context): PropertyWriteIfMatch => {
  const { request } = exchangeOf(context);
  return { ...propertyWriteOf(context), ifVersion: ifMatch(request.headers['if-match']) };
});

/** A parameter decorator that says in the API document what it reads of a request. */
export function reading<Given>(
  reads: readonly ReadParameter[],
  read: (context: ExecutionContext) => Given,
): () => ParameterOf<Given> {
  const parameter = parameterFrom(read);
  return () => (target, key, index) => {
    declareReads(Reflect.get(target, key) as object, reads);
    parameter()(target, key, index);
  };
}

/** The version that `If-Match` names; `undefined` without the header or for `*`. @throws DomainError STALE_VERSION */
export function ifMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const match = /^"(\d{1,15})"$/.exec(header.trim());
  if (!match) throw new DomainError('STALE_VERSION', 'If-Match is not an ETag of ours.');
  return Number(match[1]);
}
