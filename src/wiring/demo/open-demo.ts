import type { Client } from 'pg';

import { developmentKeys } from '../../../gateways/auth/development-keys.ts';
import { mintDevelopmentTokens } from '../../../gateways/auth/mint.ts';
import { DemoGuests } from '../../demo/jobs/demo-guests.ts';
import { DEMO_COMPANY_IDS } from '../../demo/operations/seed-plans.ts';
import { httpHotel } from '../../demo/partners/http-hotel.ts';
import type { DemoStates } from '../../demo/ports.ts';
import { DEMO_PROPERTIES } from '../../demo/rules/hotels.ts';
import { databaseDemoStates } from '../../demo/storage/demo-states.ts';
import { ownRequestId } from '../../kernel/operations/send.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { AdvisoryLock, Log } from '../../kernel/ports.ts';
import type { Address } from '../../kernel/rules/caller.ts';
import { formatDay } from '../../kernel/rules/dates.ts';
import { hasActors, hasJobs } from '../../kernel/rules/placement.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Connections } from '../../platform/database/limited-client.ts';
import type { databaseLogins } from '../../platform/database/logins.ts';
import { databaseLocks } from '../../platform/database/node-locks.ts';
import { optimizationBody } from '../../revenue/contracts/yield.ts';
import { optimizeYield } from '../../revenue/operations/optimize-yield.ts';
import { databaseSandboxes } from '../../sandbox/storage/sandboxes.ts';
import { DEMO_DAYS, orderOf } from './demo-order.ts';
import type { EarlyPasts } from './early-pasts.ts';
import { LivingDemo } from './living-demo.ts';
import { PastThread } from './past-thread.ts';
import { SandboxRunner } from './sandbox-runner.ts';

const DEMO_TENANT = 'demo';
const PACE_OF = { off: 'OFF', '1': 'REAL', '60': 'FAST' } as const;
/** Development tokens are valid for a day. */
const TOKEN_MS = 12 * 3_600_000;

type Parts = {
  config: Config;
  database: Database;
  logins: ReturnType<typeof databaseLogins>;
  connections: Connections;
  nodeId: string;
  /** Connection as innkeeper_system. */
  system(): Promise<Client>;
  services: Services;
  log: Log;
  /** What was played already. */
  early: EarlyPasts;
};

/** The demo that lives: its past, and those who play its guests. */
type OpenDemo = { living: LivingDemo; guests: DemoGuests | undefined; states: DemoStates };

/** Opens the demo that lives, with DEMO=1 and never in production; nothing happens before `begin`. */
export function openDemo(stack: AsyncDisposableStack, parts: Parts): OpenDemo | undefined {
  const { config, database, logins, connections, nodeId, system, services, log, early } = parts;
  if (!config.developmentParts || config.DEMO !== '1' || !hasActors(config.NODE_ROLE)) return undefined;
  const states = databaseDemoStates(database);
  const alone = databaseLocks(system);
  const living = stack.use(
    new LivingDemo({
      services,
      states,
      nodeId,
      alone,
      system,
      log,
      early,
      secretKeys: config.secretKeys,
      databaseUrl: logins.app,
      ownerUrl: logins.owner,
      Client: connections.Client,
      pace: PACE_OF[config.DEMO_PACE],
      onComplete: (to) => adviseOnce(services, to, log),
    }),
  );
  return { living, guests: openGuests(stack, parts, states, alone), states };
}

/** Makes sandboxes of properties, wherever requests are answered. */
export function openSandboxes(
  stack: AsyncDisposableStack,
  { config, database, logins, connections, nodeId, system, services, log }: Omit<Parts, 'early'>,
): SandboxRunner {
  return stack.use(
    new SandboxRunner({
      services,
      store: databaseSandboxes(database),
      nodeId,
      system,
      log,
      secretKeys: config.secretKeys,
      databaseUrl: logins.app,
      ownerUrl: logins.owner,
      Client: connections.Client,
      onComplete: (to) => adviseOnce(services, to, log),
    }),
  );
}

/** Nights that the first advice is about. */
const ADVISED_NIGHTS = 30;

/** Has the coming nights optimized once, so that the dashboard has advice to show. */
async function adviseOnce(services: Services, { tenantId, propertyId }: Address, log: Log): Promise<void> {
  try {
    const { businessDate: startDate } = await services.properties.view({ tenantId, propertyId });
    const endDate = startDate + ADVISED_NIGHTS - 1;
    const period = { startDate: formatDay(startDate), endDate: formatDay(endDate) };
    const body = optimizationBody.parse({ propertyId, optimizationPeriod: period });
    await optimizeYield(services, { tenantId, subject: 'demo-data', role: 'OWNER', requestId: ownRequestId() }, body);
  } catch (error) {
    log.debug({ error: String(error) }, 'there is no advice for a property of the demo yet');
  }
}

/** Only the process that is the issuer has tokens for them. */
function openGuests(
  stack: AsyncDisposableStack,
  { config, services, log }: Parts,
  states: DemoStates,
  alone: AdvisoryLock,
): DemoGuests | undefined {
  if (!config.embeddedIssuer || !hasJobs(config.NODE_ROLE)) return undefined;
  const host = config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST;
  const baseUrl = `http://${host}:${config.RESERVATION_PORT}`;
  const hotel = httpHotel({ baseUrl, tenantId: DEMO_TENANT, token: tokenOf(config) });
  return stack.use(
    new DemoGuests({
      tenantId: DEMO_TENANT,
      states,
      hotel,
      alone,
      log,
      companies: DEMO_COMPANY_IDS,
      clock: services.clock,
      async plan({ tenantId, propertyId, seed, beganAt }) {
        const property = DEMO_PROPERTIES.find((one) => one.tenantId === tenantId && one.propertyId === propertyId)!;
        const of = { seed, now: beganAt, days: DEMO_DAYS, secretKeys: config.secretKeys, policies: {} };
        await using thread = new PastThread(orderOf(property, of));
        return await thread.upcoming();
      },
    }),
  );
}

/** Token of the desk, renewed in time. */
function tokenOf(config: Config): () => Promise<string> {
  let known: { token: string; until: number } | undefined;
  return async () => {
    if (known && performance.now() < known.until) return known.token;
    const rules = { issuer: config.issuer, audience: config.OIDC_AUDIENCE };
    const { tokens } = await mintDevelopmentTokens(await developmentKeys(config.dataDir), rules);
    known = { token: tokens[DEMO_TENANT]!.STAFF, until: performance.now() + TOKEN_MS };
    return known.token;
  };
}
