import { DomainError } from '../rules/domain-error.ts';

/** Returns a found room type, room, maintenance or task. @throws DomainError with `code` when there is none */
export function existing<T>(
  found: T | undefined,
  code: 'ROOM_TYPE_NOT_FOUND' | 'ROOM_NOT_FOUND' | 'MAINTENANCE_NOT_FOUND' | 'HOUSEKEEPING_TASK_NOT_FOUND',
): T {
  if (found === undefined) throw new DomainError(code, 'The property has none of this name.');
  return found;
}
