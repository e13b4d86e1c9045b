import type { ItemRunner } from '../../kernel/operations/item-runner.ts';
import type { SealedText } from '../../kernel/operations/sealed-text.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { PagePosition } from '../../kernel/ports.ts';
import { type Address, addressKey } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import { sum } from '../../kernel/rules/figures.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import { businessDate as businessDateAt } from '../../kernel/rules/property-time.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { ContingencyFolder } from '../ports.ts';
import { CONTINGENCY_LISTS, type ContingencyList, type ContingencyPack } from '../rules/contingency.ts';
import { businessDay } from '../rules/day-reports.ts';
import { sealPack } from './seal-contingency.ts';

type Writing = Pick<Services, 'dayReports' | 'propertyReader' | 'clock'> & {
  folder: ContingencyFolder;
  /** Encryption keys of packs, which differ from the service's own: a front desk does not have those. */
  packKeys: SealedText;
};

/** Lines of a list: more than a property has in a day, and no more than a report file has. */
const MAX_LINES = 1_000;
const PROPERTIES_AT_ONCE = 200;

/**
 * Writes the pack of each property of some tenants that has none of the given age or younger, from the database,
 * without activating properties. A failure does not stop the others.
 * @param youngestMs packs of this age or more are due, or undefined for all
 */
export async function writeContingency(
  services: Writing,
  tenants: readonly TenantId[],
  each: ItemRunner,
  youngestMs?: number,
): Promise<void> {
  const newest = await services.folder.newest();
  const now = services.clock.now();
  const isDue = (to: Address): boolean => {
    const age = now - (newest.get(addressKey(to)) ?? -Infinity);
    // A negative age: the clock was put back.
    return youngestMs === undefined || age >= youngestMs || age < 0;
  };
  for (const tenantId of tenants) {
    let after: PagePosition | undefined;
    do {
      const { items, next } = await services.propertyReader.list(tenantId, PROPERTIES_AT_ONCE, after);
      for (const property of items.filter(({ propertyId }) => isDue({ tenantId, propertyId })))
        await each.one(`${tenantId}/${property.propertyId}`, async () => {
          const pack = await packOf(services, tenantId, property);
          await services.folder.store(pack, pack.createdAt, sealPack(services.packKeys, pack));
        });
      after = next;
    } while (after !== undefined);
  }
  await services.folder.sweep(services.clock.now());
}

async function packOf(
  { dayReports, clock }: Writing,
  tenantId: TenantId,
  { propertyId, name, metadata }: Property,
): Promise<ContingencyPack> {
  const { timezone, currency, policies } = metadata;
  const ofProperty = { timezone, nightAuditHour: policies.nightAuditHour };
  const createdAt = clock.now();
  const businessDate = businessDateAt(createdAt, ofProperty);
  const to = { tenantId, propertyId };
  const dayOf = async (date: Day): Promise<ContingencyPack['days'][0]> => {
    const day = { ...businessDay(date, ofProperty), businessDate };
    const lists: ContingencyList[] = [];
    for (const report of CONTINGENCY_LISTS) {
      const { items, totals } = await dayReports(to, report, day, MAX_LINES);
      lists.push({ report, stays: sum(totals, ({ stays }) => stays), items });
    }
    return { date, lists };
  };
  const days = [await dayOf(businessDate), await dayOf(businessDate + 1)];
  return { format: 1, ...to, name, timezone, currency, createdAt, days };
}
