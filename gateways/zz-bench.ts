import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createLog } from '../src/telemetry.ts';
import { Authenticator } from './auth/authenticator.ts';
import { localVerifier } from './auth/access-token.ts';
import { developmentKeys } from './auth/development-keys.ts';
import { mint } from './auth/mint.ts';
import { createApp } from './http/app.ts';
import { metricsOf } from './http/metrics.ts';
import { RateLimits } from './http/rate-limit.ts';
import { Needs, Open, TheCaller } from './http/route.ts';
const body = JSON.stringify({ items: Array.from({ length: 14 }, (_, i) => ({ date: `2030-01-${i + 10}`, rate: 199.5, availability: 12 })) });
@Controller('api/v1/rates') class Rates { @Get('current') @Needs('VIEWER') get(@TheCaller() c: unknown) { return body; } @Get('open') @Open() open() { return body; } }
@Controller('api/v1/rates') class Bare { @Get('current') get() { return body; } }
@Module({ controllers: [Bare] }) class BareModule {}
const kind = process.argv[2];
const rules = { issuer: 'http://127.0.0.1:8086', audience: 'innkeeper', tokenTyp: 'at+jwt' } as const;
const keys = await developmentKeys('/tmp/edge/data');
const token = await mint(keys, { ...rules, subject: 'demo-manager' });
let app;
if (kind === 'bare') { app = await NestFactory.create(BareModule, new FastifyAdapter(), { logger: false }); }
else {
  const metrics = metricsOf('rate');
  app = await createApp({ controllers: [Rates] }, { log: createLog({ level: 'info' }), corsOrigins: kind === 'cors' ? ['http://a.test'] : [], authenticator: new Authenticator(localVerifier(keys, rules), { find: async () => ({ userId: 'u1', role: 'MANAGER', tenantStatus: 'ACTIVE' }) }),
    limits: new RateLimits({ tenant: 1e9, subject: 1e9, address: 20 }), observe: metrics.observe });
}
await app.listen(0, '127.0.0.1');
console.log(JSON.stringify({ url: await app.getUrl(), token, path: kind === 'open' ? '/api/v1/rates/open' : '/api/v1/rates/current' }));
let last: any; process.on('SIGUSR1', () => {}); 
process.stdin.on('data', (d) => { const c = process.cpuUsage(last); last = process.cpuUsage(); console.log(JSON.stringify(c)); });
