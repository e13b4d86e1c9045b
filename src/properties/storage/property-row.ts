import type { StoredPropertyRow } from '../../platform/database/entities/properties.ts';
import { present } from '../../platform/database/row-values.ts';
import { DEFAULT_POLICIES, type Property } from '../rules/property.ts';

/**
 * Converts a row of `properties`; policies that the property has not set get their defaults
 * (docs/reference/set-up.md#policies).
 */
export function toProperty(row: StoredPropertyRow): Property {
  const { amenities, policies, ...metadata } = row.metadata;
  return {
    propertyId: row.property_id,
    name: row.name,
    propertyCode: present(row.property_code),
    brand: present(row.brand),
    propertyType: row.property_type,
    address: present(row.address),
    contact: present(row.contact),
    metadata: { ...metadata, amenities: amenities ?? [], policies: { ...DEFAULT_POLICIES, ...policies } },
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
  };
}
