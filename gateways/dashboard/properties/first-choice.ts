import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { SignedIn } from '../access/identity.ts';
import { access } from '../access/messages.ts';
import { parameter } from '../address.ts';
import { fetchProperties, type PropertySummary } from '../api.ts';
import { PROPERTY_KEY } from './property-key.ts';

type FirstChoice = { properties: readonly PropertySummary[]; first: PropertySummary };

/**
 * Properties by name, and the one that a page begins with which follows none live: that of its address, else the one
 * that was open last, else the first.
 * @throws ApiError; Error for people where there is no property
 */
export async function firstChoice(config: PageConfig, user: SignedIn): Promise<FirstChoice> {
  const wanted = parameter('property') ?? sessionStorage.getItem(PROPERTY_KEY);
  const properties = await fetchProperties(config, user);
  const first = properties.find(({ propertyId }) => propertyId === wanted) ?? properties[0];
  if (!first) throw new Error(access.noProperties);
  return { properties, first };
}

/** What such a page says of an error. */
export const troubleText = (error: unknown): string => (error instanceof Error ? error.message : access.notListed);
