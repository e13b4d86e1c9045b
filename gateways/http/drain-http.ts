import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { DRAIN_MS } from '../../src/kernel/rules/drain.ts';

const LOOK_FOR_IDLE_MS = 50;

/**
 * Finishes requests under way, on all listeners at once. Keep-alive connections are closed as soon as they are idle,
 * since closing the server alone would wait for them. What takes too long is cut off.
 * @param since start of the drain, by `performance.now()`
 */
export async function drainHttp(apps: readonly NestFastifyApplication[], since: number): Promise<void> {
  const leftMs = since + DRAIN_MS.requestsUntil - performance.now();
  const withinMs = Math.max(DRAIN_MS.requestsAtLeast, Math.min(DRAIN_MS.requestsUntil, leftMs));
  await Promise.all(apps.map((app) => close(app, withinMs)));
}

async function close(app: NestFastifyApplication, withinMs: number): Promise<void> {
  const server = app.getHttpServer();
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE_MS);
  const late = setTimeout(() => server.closeAllConnections(), withinMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(late);
  }
}
