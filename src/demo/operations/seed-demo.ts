import { ownRequestId, send, sendAlways } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { Address, Caller } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { DEMO_PROPERTIES, type DemoProperty, type DemoType } from '../rules/hotels.ts';
import { seedExtras } from './seed-extras.ts';
import { seedPlans } from './seed-plans.ts';
import { creationOfDemo, ratesOfDemo, roomsOfDemo } from './set-up-commands.ts';

/**
 * Creates missing demo properties: property, room types, rooms, and rates over the whole horizon.
 * @param hasExtras whether the properties that also have more plans get a price list
 */
export async function seedDemo(services: Services, hasExtras = false): Promise<void> {
  // A failing property does not stop the others.
  const results = await Promise.allSettled(
    DEMO_PROPERTIES.map((property) => seedProperty(services, property, hasExtras)),
  );
  const failed = results.flatMap((end, n) =>
    end.status === 'rejected' ? [`${DEMO_PROPERTIES[n]!.propertyId}: ${end.reason}`] : [],
  );
  if (failed.length > 0) throw new Error(failed.join('; '));
}

async function seedProperty(services: Services, property: DemoProperty, hasExtras: boolean): Promise<void> {
  const { tenantId, propertyId } = property;
  const to = { tenantId, propertyId };
  const caller: Caller = { tenantId, subject: 'demo-data', role: 'OWNER', requestId: ownRequestId() };
  await seedRooms(services, caller, to, property);
  if (!property.hasMorePlans) return;
  await seedPlans(services, caller, to);
  if (hasExtras) await seedExtras(services, caller, to);
}

async function seedRooms(services: Services, caller: Caller, to: Address, property: DemoProperty): Promise<void> {
  try {
    const view = await services.properties.view(to);
    if (view.setup.roomTypes.length === property.types.length) return;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'PROPERTY_NOT_FOUND') throw error;
    await create(services, caller, property);
  }
  for (const [index, type] of property.types.entries()) await seedType(services, caller, to, type, index);
}

async function create(services: Services, caller: Caller, property: DemoProperty): Promise<void> {
  const { tenantId, propertyId } = property;
  const command = creationOfDemo(property, await services.settings.policies(tenantId));
  try {
    await send(services, caller, { tenantId, propertyId }, command);
  } catch (error) {
    // It was deleted on purpose, and stays deleted.
    if (!(error instanceof DomainError) || error.code !== 'ALREADY_EXISTS') throw error;
  }
}

async function seedType(
  services: Services,
  caller: Caller,
  to: Address,
  type: DemoType,
  index: number,
): Promise<void> {
  for (const command of roomsOfDemo(type, index)) await sendAlways(services, caller, to, command);
  const { businessDate: start, lastNight: end } = await services.properties.view(to);
  await sendAlways(services, caller, to, ratesOfDemo(type, { start, end }));
}
