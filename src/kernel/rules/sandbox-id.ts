import type { PropertyId } from './ids.ts';

/** Ids of sandboxes end with it; no other property may have such an id. */
const OF_SANDBOX = /--sandbox-[1-9]\d*$/;
const MAX_CHARACTERS = 50;

/**
 * Whether a property is a sandbox: a copy whose guests are invented (docs/concepts/sandbox.md#what-is-in-it). The id says it, so that an
 * event, a payment or a message is known to be invented without a look at the property.
 */
export const isSandbox = (propertyId: PropertyId): boolean => OF_SANDBOX.test(propertyId);

/** Id of the n-th sandbox of a property. */
export function sandboxIdOf(propertyId: PropertyId, n: number): PropertyId {
  const mark = `--sandbox-${n}`;
  return `${propertyId.slice(0, MAX_CHARACTERS - mark.length)}${mark}`;
}
