import type { Address } from '../domain/caller.ts';
import type { PropertyView } from './properties.ts';

/** A property whose actor is in the memory of this node, with what it last committed. */
export type Resident = { to: Address; view: PropertyView };

export interface ResidentProperties {
  residents(): Resident[];
}
