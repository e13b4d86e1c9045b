import { randomBytes } from 'node:crypto';
import type { ModuleMetadata } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';

import type { Config } from '../src/config.ts';
import type { Services } from '../src/operations/services.ts';
import type { Associations } from '../src/ports/associations.ts';
import type { DevelopmentClock } from '../src/ports/development-clock.ts';
import { localVerifier, remoteVerifier } from './auth/access-token.ts';
import { Authenticator } from './auth/authenticator.ts';
import { startDevelopmentIssuer } from './auth/development-issuer.ts';
import { developmentKeys } from './auth/development-keys.ts';
import { createApp, type Edge } from './http/app.ts';
import { RateLimits } from './http/rate-limit.ts';
import { attachLive } from './live/attach.ts';
import { ReservationAdmin } from './rest/admin.ts';
import { SERVICES } from './rest/answer.ts';
import { Availability } from './rest/availability.ts';
import { DevClock, DEVELOPMENT_CLOCK } from './rest/dev-clock.ts';
import { Properties } from './rest/properties.ts';
import { Rates } from './rest/rates.ts';
import { Reservations } from './rest/reservations.ts';
import { RoomTypes } from './rest/room-types.ts';
import { Rooms } from './rest/rooms.ts';

/** What the gateways stand on. */
export type World = {
  config: Config;
  log: Logger;
  services: Services;
  associations: Associations;
  clock: DevelopmentClock;
};

/** The listeners of this process and how to reach them. */
export type Listening = AsyncDisposable & { basic: { user: string; password: string } };

/** Sockets are told to come back elsewhere over this long (architecture.md 4); one process drains faster. */
const DRAIN_SOCKETS_MS = 1_000;

/**
 * Opens every listener of contracts.md 1: rate and reservation service, live gateway with the page, and in
 * development the issuer. Disposing drains: no new requests, those under way finish, sockets are sent away.
 */
export async function serve(world: World): Promise<Listening> {
  const { config, log } = world;
  const stack = new AsyncDisposableStack();
  const rules = { issuer: config.issuer, audience: config.OIDC_AUDIENCE, tokenTyp: config.OIDC_TOKEN_TYP };
  const keys = config.embeddedIssuer ? await developmentKeys(config.dataDir) : undefined;
  const verify = keys ? localVerifier(keys, rules) : remoteVerifier(rules);
  const basic = { user: 'innkeeper', password: config.EVENT_TEST_PASSWORD ?? randomBytes(12).toString('base64url') };
  let draining = false;
  const edge: Edge = {
    log,
    authenticator: new Authenticator(verify, world.associations),
    limits: new RateLimits({
      tenant: config.RATE_LIMIT_TENANT,
      subject: config.RATE_LIMIT_SUBJECT,
      address: config.RATE_LIMIT_ADDRESS,
    }),
    basic,
    corsOrigins: config.corsOrigins,
    isDraining: () => draining,
  };
  if (keys) {
    const { OIDC_PORT: port, OIDC_AUDIENCE: audience, corsOrigins: dashboardOrigins } = config;
    stack.use(await startDevelopmentIssuer({ port, audience, keys, dashboardOrigins, log }));
  }
  await listen(stack, rateService(world), edge, config, config.RATE_PORT);
  await listen(stack, reservationService(world), edge, config, config.RESERVATION_PORT);
  const live = await listen(stack, {}, edge, config, config.LIVE_PORT);
  const sockets = attachLive({
    httpServer: live.getHttpServer(),
    properties: world.services.properties,
    authenticator: edge.authenticator,
    clock: world.services.clock,
    log,
    corsOrigins: config.corsOrigins,
  });
  stack.defer(() => sockets.close(DRAIN_SOCKETS_MS));
  stack.defer(() => void (draining = true));
  return { basic, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

function rateService({ services }: World): ModuleMetadata {
  return { controllers: [Rates], providers: [{ provide: SERVICES, useValue: services }] };
}

function reservationService({ services, clock, config }: World): ModuleMetadata {
  const controllers = [Reservations, Properties, RoomTypes, Rooms, Availability, ReservationAdmin];
  const providers = [{ provide: SERVICES, useValue: services }];
  if (config.production) return { controllers, providers };
  return {
    controllers: [...controllers, DevClock],
    providers: [...providers, { provide: DEVELOPMENT_CLOCK, useValue: clock }],
  };
}

/** @throws Error with one clear line when the port is taken */
async function listen(
  stack: AsyncDisposableStack,
  service: ModuleMetadata,
  edge: Edge,
  { HOST }: Config,
  port: number,
): Promise<NestFastifyApplication> {
  const app = await createApp(service, edge);
  try {
    await app.listen(port, HOST);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is taken by another program; stop it, or choose another port' : `cannot be used: ${message}`;
    throw new Error(`port ${port} on ${HOST} ${why} (RATE_PORT, RESERVATION_PORT, LIVE_PORT, OIDC_PORT)`, { cause: error });
  }
  stack.defer(() => app.close());
  return app;
}
