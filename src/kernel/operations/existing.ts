import { DomainError } from '../rules/domain-error.ts';

/** One room type or room of a property. @throws DomainError with `code` */
export function existing<T>(found: T | undefined, code: 'ROOM_TYPE_NOT_FOUND' | 'ROOM_NOT_FOUND'): T {
  if (found === undefined) throw new DomainError(code, 'The property has none of this name.');
  return found;
}
