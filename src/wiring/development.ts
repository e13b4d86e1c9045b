import type { Host } from '../../actors/host.ts';
import { seedDemo } from '../demo/operations/seed-demo.ts';
import { DEMO_USERS } from '../demo/rules/demo-users.ts';
import type { Services } from '../kernel/operations/services.ts';
import type { DevelopmentClock } from '../kernel/ports.ts';
import type { TenantId } from '../kernel/rules/ids.ts';
import type { NodeLease } from '../platform/coordination/node-lease.ts';
import { type DatabaseClock, advanceClock } from '../platform/database/database-clock.ts';
import type { Database } from '../platform/database/database.ts';
import { type SeedUser, seedTenants } from '../tenants/storage/seed-tenants.ts';
import type { Clustered } from './cluster.ts';
import type { LivingDemo } from './demo/living-demo.ts';
import type { Background } from './jobs.ts';

/**
 * Creates demo tenants with their users under this issuer, and their properties
 * (docs/reference/set-up.md#development-only).
 * @param living gives the properties a past, where they have one
 */
export async function putDemoThere(
  database: Database,
  services: Services,
  issuer: string,
  living?: LivingDemo,
): Promise<void> {
  const users = (tenantId: TenantId): SeedUser[] =>
    DEMO_USERS.filter((user) => user.tenantId === tenantId).map(({ subject, role, name, email }) => ({
      iss: issuer,
      sub: subject,
      role,
      name,
      email,
    }));
  await seedTenants(database, [
    { tenantId: 'demo', name: 'Demo Hotels', type: 'CHAIN', users: users('demo') },
    { tenantId: 'rival', name: 'Rival Hotels', type: 'INDEPENDENT', users: users('rival') },
  ]);
  await living?.begin();
  await seedDemo(services, living !== undefined);
}

/** Parts that must catch up when the development clock is moved. */
type Timely = {
  host: Host;
  reconcile: () => Promise<void>;
  keep: () => Promise<void>;
  background: Background;
  sign: () => Promise<void>;
  cluster: Clustered | undefined;
};

export function developmentClock(
  clock: DatabaseClock,
  lease: NodeLease,
  { host, reconcile, keep, background, sign, cluster }: Timely,
): DevelopmentClock {
  const goOn = async (): Promise<void> => {
    await clock.measure(await lease.client());
    await host.catchUp();
    await reconcile();
  };
  if (cluster) cluster.nodeRpc.clockMoved = goOn;
  return {
    now: () => clock.now(),
    async advance(milliseconds) {
      await advanceClock(await lease.client(), milliseconds / 1000);
      // All nodes first: what follows concerns the properties of all.
      await Promise.all([goOn(), cluster?.moveClock()]);
      await keep();
      await background.catchUp();
      await sign();
      return clock.now();
    },
  };
}
