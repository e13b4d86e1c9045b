import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { propertyAnswer, propertyListAnswer } from '../../../../src/properties/contracts/property-answers.ts';
import { read, readPages } from '../../api.ts';
import type { Place, Request } from '../section.ts';

export type PropertySetUp = WireOf<typeof propertyAnswer>;
type PropertyList = WireOf<typeof propertyListAnswer>;

/** Pages of a list that are read; the search finds within them. */
export const MAX_PAGES = 5;

/** Properties of the tenant with all their settings. @throws ApiError */
export function readProperties({ access, tenantPath }: Place): Promise<PropertySetUp[]> {
  return readPages(MAX_PAGES, (query) =>
    read<PropertyList>(access, 'reservation', `${tenantPath}/properties`, query),
  );
}

/** The chosen property. @throws ApiError */
export function readProperty({ access, propertyPath }: Place): Promise<PropertySetUp> {
  return read<PropertySetUp>(access, 'reservation', propertyPath);
}

/**
 * The body that leaves a property as it is: the policies that it sets itself, without those of its tenant, which it
 * follows.
 */
export function bodyOfProperty(property: PropertySetUp): object {
  const { name, propertyCode, brand, propertyType, address, contact, metadata, inherits } = property;
  const { totalRooms: _counted, policies, ...others } = metadata;
  const own = Object.entries(policies).filter(([policy]) => !inherits.includes(policy));
  return {
    name,
    propertyCode,
    brand,
    propertyType,
    address,
    contact,
    metadata: { ...others, policies: Object.fromEntries(own) },
  };
}

/** The request that replaces a property. @param pointer where in the body the fields of the form stand */
export function putProperty(
  { tenantPath }: Place,
  { propertyId }: { propertyId: string },
  body: object,
  pointer?: string,
): Request {
  const path = `${tenantPath}/properties/${encodeURIComponent(propertyId)}`;
  return { service: 'reservation', method: 'PUT', path, body, ...(pointer !== undefined && { pointer }) };
}
