import type { Client } from 'pg';

import type { Address } from '../kernel/rules/caller.ts';

let properties = 0;

/** A property with types DLX and STD that is in the tables and in no actor; ids go up from call to call. */
export async function storedProperty(admin: Client, tenantId = 'acme', metadata: object = {}): Promise<Address> {
  const propertyId = `house-${String((properties += 1)).padStart(3, '0')}`;
  await admin.query('insert into properties (tenant_id, property_id, name, metadata) values ($1, $2, $2, $3)', [
    tenantId,
    propertyId,
    { currency: 'EUR', timezone: 'Europe/Lisbon', ...metadata },
  ]);
  for (const roomType of ['STD', 'DLX'])
    await admin.query(
      `insert into room_types (tenant_id, property_id, room_type, name, max_adults, max_guests, total_rooms)
       values ($1, $2, $3, $3, 2, 2, 5)`,
      [tenantId, propertyId, roomType],
    );
  return { tenantId, propertyId };
}
