import { test } from 'tap';

import type { Day } from './dates.ts';
import type { PropertyId, TenantId } from './ids.ts';
import type { Minor } from './money.ts';
import type { Instant } from './property-time.ts';

const amountOf = (amount: Minor): Minor => amount;
const nightOf = (day: Day): Day => day;
const propertyOf = (tenantId: TenantId, propertyId: PropertyId): string => `${tenantId}/${propertyId}`;

void test('the compiler refuses a value of another unit, and takes bare ones', async (t) => {
  const [day, amount, at]: [Day, Minor, Instant] = [20_000, 19_900, 0];
  const [tenant, property]: [TenantId, PropertyId] = ['hotel-a', 'p-1'];
  // @ts-expect-error a day is no amount
  amountOf(day);
  // @ts-expect-error a moment is no day
  nightOf(at);
  // @ts-expect-error the other way round
  propertyOf(property, tenant);
  t.equal(amountOf(amount + 100), 20_000);
  t.equal(nightOf(day + 1), 20_001);
  t.equal(propertyOf(tenant, property), 'hotel-a/p-1');
});
