import Fastify from 'fastify';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';

import { BrowserSessions } from '../../../gateways/auth/browser-sessions.ts';
import { SessionCookies } from '../../../gateways/auth/session-cookie.ts';
import { RateLimits } from '../../../gateways/http/admission/rate-limit.ts';
import { roleBy } from '../../../gateways/live/authenticator.ts';
import type { OwnSettingsOptions } from '../../../gateways/live/transport/own-settings.ts';
import { registerSignIn } from '../../../gateways/live/transport/sign-in.ts';
import { registerPage } from '../../../gateways/live/transport/static.ts';
import type { WireOf } from '../../kernel/contracts/answers.ts';
import { SealedText } from '../../kernel/operations/sealed-text.ts';
import type { Role } from '../../kernel/rules/caller.ts';
import type { Day } from '../../kernel/rules/dates.ts';
import type { waitingMattersAnswer } from '../../notifications/contracts/waiting-matters.ts';
import { memoryCounters } from '../../platform/coordination/memory-counters.ts';
import { bundleDashboard } from '../../platform/launch/dashboard.mjs';
import { markOf } from '../../tenants/contracts/person-key.ts';
import { memorySessions } from '../partners/memory-sessions.ts';
import { type ScriptedCluster, serveCluster } from './scripted-cluster.ts';
import { type ScriptedDesk, serveDesk } from './scripted-desk.ts';
import { serveIssuer } from './scripted-issuer.ts';
import { type ScriptedOperator, serveOperator } from './scripted-operator.ts';
import { ScriptedProperty } from './scripted-property.ts';
import { type ScriptedRevenue, serveRevenue } from './scripted-revenue.ts';
import { scriptedWorld, type ScriptedWorld } from './scripted-world.ts';

/** Bundles the page into a folder as the launcher does, or copies what was bundled of the same sources before. */
export async function bundlePage(into: string): Promise<void> {
  await bundleDashboard(into);
}

const ROOMS = { STD: 60, DLX: 40, STE: 20 };
const NAMES: Record<string, string> = { STD: 'Standard', DLX: 'Deluxe', STE: 'Suite' };
const PRICES: Record<string, number> = { STD: 11_900, DLX: 16_450, STE: 29_800 };

/** A world with a page, and with services that answer the page's requests beside the live protocol. */
export type PageWorld = ScriptedWorld & {
  revenue: ScriptedRevenue;
  cluster: ScriptedCluster;
  operator: ScriptedOperator;
  desk: ScriptedDesk;
  /** What waits at the property. */
  waiting: WireOf<typeof waitingMattersAnswer>['items'];
};

/**
 * The page on a live server, with a property that is busy at weekends. Bundle the page into `dir` first.
 * @param rooms how many of each type the property has
 */
export async function scriptedPage(
  dir: string,
  today: Day,
  rooms: Readonly<Record<string, number>> = ROOMS,
): Promise<PageWorld> {
  const fastify = Fastify();
  const world = await scriptedWorld({ heartbeatMs: 1_000 }, (request, response) =>
    fastify.routing(request, response),
  );
  const hotel = new ScriptedProperty('harbor-hotel', 90, rooms, today);
  fill(hotel, today);
  world.property = hotel;
  world.properties.set(hotel.propertyId, hotel);
  const { metadata } = hotel.view.setup.property;
  const policies = { ...metadata.policies, nightAuditHour: 0 };
  const createdAt = new Date(Date.now() - 40 * 86_400_000).toISOString();
  fastify.get('/api/v1/tenants/demo/properties', () => ({
    items: [...world.properties.keys()].map((propertyId) => ({
      propertyId,
      name: nameOf(propertyId),
      metadata: { timezone: 'UTC', policies },
      createdAt,
    })),
    nextCursor: null,
  }));
  fastify.get('/api/v1/tenants/demo/properties/harbor-hotel/room-types', () => ({
    items: Object.keys(rooms).map((roomType) => ({ roomType, name: NAMES[roomType] ?? `Room ${roomType}` })),
  }));
  const waiting: PageWorld['waiting'] = [];
  fastify.get('/api/v1/tenants/demo/properties/:propertyId/notices', () => ({ items: waiting }));
  const revenue = serveRevenue(fastify, hotel, today);
  const cluster = serveCluster(fastify);
  const operator = serveOperator(fastify);
  const desk = serveDesk(fastify, hotel);
  revenue.stays = (query) => desk.list(query);
  await registerPage(fastify, {
    dir,
    config: {
      issuer: world.url,
      clientId: 'dashboard',
      audience: 'innkeeper',
      reservationUrl: world.url,
      rateUrl: world.url,
      development: true,
      demoUsers: ['demo', 'rival'].flatMap((tenant) => [
        { tenant, role: 'MANAGER', name: 'Mara Lindt' },
        { tenant, role: 'VIEWER', name: 'Vera Novak' },
      ]),
    },
  });
  const settings = { issuer: world.url, audience: 'innkeeper', client: { id: 'dashboard' } };
  const keys = [{ id: 'k1', secret: randomBytes(32) }];
  const store = memorySessions();
  const made = { sealed: new SealedText(keys), cookies: new SessionCookies(keys), store };
  registerSignIn(fastify, {
    sessions: new BrowserSessions({ ...settings, ...made }),
    limits: new RateLimits({ tenant: 0, subject: 0, address: 0 }, memoryCounters),
    origins: [world.url],
    log: pino({ level: 'silent' }),
    roleOf: roleBy(world.authenticator),
    own: scriptedPeople(world, store),
  });
  serveIssuer(fastify, world.url);
  await fastify.ready();
  return Object.assign(world, { revenue, cluster, operator, desk, waiting });
}

/** People whose tokens are those of the world. */
function scriptedPeople(
  { authenticator, url: issuer }: ScriptedWorld,
  { people }: ReturnType<typeof memorySessions>,
): OwnSettingsOptions {
  const identify = async (token: string) => ({
    ...(await authenticator.identify(token)),
    issuer,
    mark: markOf(token),
  });
  const profileOf: OwnSettingsOptions['profileOf'] = async ({ subject }) => {
    const [tenantId = '', role] = subject.split(':');
    const tenants = [{ tenantId, name: tenantId, status: 'ACTIVE', role: role as Role }] as const;
    return { issuer, subject, name: null, email: null, tenants: [...tenants] };
  };
  return { people, identify, profileOf };
}

/** `harbor-hotel` is the Harbor Hotel. */
function nameOf(propertyId: string): string {
  return propertyId.replaceAll(/(^|-)(.)/g, (_, gap: string, first: string) => (gap && ' ') + first.toUpperCase());
}

/** Occupancy that rises and falls as a real one does, with full, nearly full and closed nights. */
function fill(hotel: ScriptedProperty, today: Day): void {
  const cells = hotel.view.grid(today, today + 89).map((cell) => {
    const offset = cell.day - today;
    const weekend = [5, 6].includes((cell.day + 4) % 7);
    const lead = Math.max(0.15, 0.86 - offset * 0.022);
    const noise = ((offset * 37 + cell.total * 11) % 17) / 70;
    const share = Math.min(1, lead + (weekend ? 0.3 : 0) + noise - 0.1);
    const blocked = cell.roomType === 'STE' && offset >= 8 && offset <= 10 ? 20 : offset % 9 === 4 ? 2 : 0;
    const booked = Math.min(Math.round(cell.total * share), cell.total - blocked);
    const held = booked + blocked < cell.total && offset % 4 === 1 ? 1 : 0;
    const rate = Math.round((PRICES[cell.roomType] ?? 10_000) * (1 + share * 0.4 + (weekend ? 0.15 : 0)));
    const available = cell.total - booked - blocked - held;
    return { ...cell, booked, blocked, held, available, rate: offset > 27 && cell.roomType === 'STE' ? null : rate };
  });
  hotel.put(cells);
}
