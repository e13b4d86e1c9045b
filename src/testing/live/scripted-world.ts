import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { attachLive, type LiveGateway } from '../../../gateways/live/attach.ts';
import type { GatewayLimits } from '../../../gateways/live/limits.ts';
import type { LiveLog } from '../../../gateways/live/log.ts';
import type { LiveAuthenticator } from '../../../gateways/live/membership.ts';
import { LiveQuotas, liveQuotasOf, type LiveQuotaSettings } from '../../../gateways/live/quotas.ts';
import type { PropertyActors } from '../../kernel/property-actors.ts';
import type { Caller, Role } from '../../kernel/rules/caller.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import { memoryCounters } from '../../platform/coordination/memory-counters.ts';
import type { MarketNight } from '../../rates/rules/competitor-rate.ts';
import { ScriptedProperty } from './scripted-property.ts';

const NO_LIMITS = { tenant: 0, subject: 0, address: 0 };

type ScriptedIdentity = { subject: string; expiresAt: number };

/**
 * Tokens read `<tenant>:<ROLE>[:<seconds until expiry>]`; the role is the association's and can be changed or removed
 * by subject while sockets are open.
 */
class ScriptedAuthenticator implements LiveAuthenticator<ScriptedIdentity> {
  readonly roles = new Map<string, Role | undefined>();
  checks = 0;
  readonly now = Date.now;

  async identify(token: string): Promise<ScriptedIdentity> {
    await Promise.resolve();
    const [tenant, role, seconds = '3600'] = token.split(':');
    if (!tenant || !role) throw new DomainError('UNAUTHENTICATED', 'The token is not one of ours.');
    return { subject: `${tenant}:${role}`, expiresAt: Date.now() + Number(seconds) * 1000 };
  }

  callerFor(identity: ScriptedIdentity, tenantId: string, requestId: string): Caller {
    this.checks += 1;
    if (identity.expiresAt <= Date.now()) throw new DomainError('UNAUTHENTICATED', 'The access token has expired.');
    const [tenant, named] = identity.subject.split(':');
    const role = this.roles.has(identity.subject) ? this.roles.get(identity.subject) : (named as Role);
    if (tenant !== tenantId || !role) throw new DomainError('TENANT_FORBIDDEN', 'You do not belong to this tenant.');
    return { tenantId, subject: identity.subject, role, requestId };
  }
}

/** A live gateway on a free port, with scripted properties of tenant `demo`. */
export type ScriptedWorld = AsyncDisposable & {
  url: string;
  property: ScriptedProperty;
  properties: Map<string, ScriptedProperty>;
  /** Competitors' rates in the database. */
  market: MarketNight[];
  authenticator: ScriptedAuthenticator;
  gateway: LiveGateway;
  /** Cuts every connection. */
  dropSockets(): void;
  /** Accepts no connections and sends nothing, like a hanging process. */
  beSilent(): void;
  /** All log lines. */
  logged: string[];
};

export async function scriptedWorld(
  limits: Partial<GatewayLimits> = {},
  onRequest: RequestListener = (_, response) => void response.writeHead(404).end(),
  quotas: Partial<LiveQuotaSettings> = {},
): Promise<ScriptedWorld> {
  const property = new ScriptedProperty('harbor-hotel');
  const properties = new Map([[property.propertyId, property]]);
  const authenticator = new ScriptedAuthenticator();
  const logged: string[] = [];
  const market: MarketNight[] = [];
  const httpServer = createServer(onRequest);
  const gateway = attachLive({
    httpServer,
    properties: portOf(properties),
    market: async () => [...market],
    lookBack: async ({ propertyId }, asOf) => properties.get(propertyId)!.lookBack(asOf),
    authenticator,
    clock: { now: () => Date.now() },
    log: logInto(logged),
    quotas: new LiveQuotas({ ...liveQuotasOf(NO_LIMITS), ...quotas }, memoryCounters),
    addressOf: ({ socket }) => socket.remoteAddress ?? '',
    corsOrigins: ['https://desk.example'],
    // Changes are sent one by one, unless a test is about conflation.
    limits: { conflateMs: 0, ...limits },
  });
  await new Promise<void>((listening) => httpServer.listen(0, '127.0.0.1', listening));
  const { port } = httpServer.address() as AddressInfo;
  const sockets = new Set<Socket>();
  httpServer.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return {
    dropSockets: () => sockets.forEach((socket) => socket.destroy()),
    beSilent: () => sockets.forEach((socket) => socket.cork()),
    url: `http://127.0.0.1:${port}`,
    property,
    properties,
    market,
    authenticator,
    gateway,
    logged,
    async [Symbol.asyncDispose]() {
      await gateway.close(0);
      const closed = new Promise((done) => httpServer.close(done));
      // A browser opens connections in advance. One that never carried a request is not idle to Node: closing would
      // wait.
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function portOf(properties: ReadonlyMap<string, ScriptedProperty>): PropertyActors {
  const find = (tenantId: string, propertyId: string): ScriptedProperty => {
    const found = tenantId === 'demo' ? properties.get(propertyId) : undefined;
    if (!found) throw new DomainError('PROPERTY_NOT_FOUND', `There is no property ${propertyId}.`);
    return found;
  };
  return {
    forgetRates: async () => 0,
    views: async () => [],
    execute: () => Promise.reject(new Error('dashboards send no commands')),
    view: async (to) => find(to.tenantId, to.propertyId).view,
    follow: async (to, from, listener) => find(to.tenantId, to.propertyId).follow(from, listener),
  };
}

function logInto(logged: string[]): LiveLog {
  const write = (about: object, message: string): void => void logged.push(`${message} ${JSON.stringify(about)}`);
  return { debug: write, info: write, warn: write, error: write };
}
