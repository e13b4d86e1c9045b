import type { PropertyId } from './ids.ts';
import { textHash } from './random.ts';

/** Ids of sandboxes end with it; no other property may have such an id. */
const OF_SANDBOX = /--sandbox-[1-9]\d*$/;
const MAX_CHARACTERS = 50;

/**
 * Whether a property is a sandbox: a copy whose guests are invented (docs/concepts/sandbox.md#what-is-in-it). The id says it, so that an
 * event, a payment or a message is known to be invented without a look at the property.
 */
export const isSandbox = (propertyId: PropertyId): boolean => OF_SANDBOX.test(propertyId);

/** Id of the n-th sandbox of a property. One that does not fit is cut, and has a hash of the whole before the mark. */
export function sandboxIdOf(propertyId: PropertyId, n: number): PropertyId {
  const mark = `--sandbox-${n}`;
  if (propertyId.length + mark.length <= MAX_CHARACTERS) return `${propertyId}${mark}`;
  const end = `-${textHash(propertyId).toString(16).padStart(8, '0')}${mark}`;
  return `${propertyId.slice(0, MAX_CHARACTERS - end.length)}${end}`;
}
