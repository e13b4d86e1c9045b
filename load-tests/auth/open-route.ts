import { Controller, Get } from '@nestjs/common';
import { pino } from 'pino';

import { Authenticator } from '../../gateways/auth/authenticator.ts';
import { RateLimits } from '../../gateways/http/admission/rate-limit.ts';
import { createApp } from '../../gateways/http/app.ts';
import { Needs, OpenRoute } from '../../gateways/http/route.ts';
import { openCounting, openRedis } from '../../src/wiring/counters.ts';

/** The same answer twice: once without checks, once behind token, tenant, role and limits. */
@Controller('api/v1/bench')
class Bench {
  @Get('open')
  @OpenRoute()
  open(): string {
    return '{"ok":true}';
  }

  @Get('guarded')
  @Needs('rate.read')
  guarded(): string {
    return '{"ok":true}';
  }
}

const log = pino();
const HOUR_MS = 3_600_000;
const authenticator = new Authenticator(
  () => Promise.resolve({ issuer: 'bench', subject: 'bench', scopes: [], expiresAt: Date.now() + HOUR_MS }),
  { find: () => Promise.resolve({ userId: 'bench', role: 'OWNER', tenantStatus: 'ACTIVE' }) },
);
const redis = await openRedis(process.env, log, new AsyncDisposableStack());
const { counters } = await openCounting(redis, async () => 'open-route');
const limits = new RateLimits({ tenant: 10_000_000, subject: 10_000_000, address: 20 }, counters);
const app = await createApp({ controllers: [Bench] }, { authenticator, limits, log, corsOrigins: [] });
await app.listen(Number(process.env.PORT), '127.0.0.1');
console.log('ready');
