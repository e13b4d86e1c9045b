import { Controller, Get } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';

import { Authenticator } from '../../gateways/auth/authenticator.ts';
import { RateLimits } from '../../gateways/http/admission/rate-limit.ts';
import { createApp } from '../../gateways/http/app.ts';
import { Needs } from '../../gateways/http/route.ts';
import { memoryCounters } from '../../src/platform/coordination/memory-counters.ts';

/** Baseline of the quote: the service's HTTP stack with token, tenant, limit and log, but a constant body. */
const body = readFileSync(process.env.BODY_FILE ?? '', 'utf8');
const HOUR_MS = 3_600_000;

@Controller('api/v1/rates')
class Rates {
  @Get('current')
  @Needs('reservation.read')
  current(): string {
    return body;
  }
}

// A verified token is cached for a minute, so the cost of verification does not matter here.
const authenticator = new Authenticator(
  () => Promise.resolve({ issuer: 'bench', subject: 'bench', scopes: [], expiresAt: Date.now() + HOUR_MS }),
  { find: () => Promise.resolve({ userId: 'bench', role: 'OWNER', tenantStatus: 'ACTIVE' }) },
);
const perSecond = Number(process.env.RATE_LIMIT_TENANT);
const limits = new RateLimits({ tenant: perSecond, subject: perSecond, address: 0 }, memoryCounters);
const app = await createApp({ controllers: [Rates] }, { authenticator, limits, log: pino(), corsOrigins: [] });
await app.listen(Number(process.env.PORT), '127.0.0.1');
console.log('ready');
