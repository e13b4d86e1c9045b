import type { ModuleMetadata } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import { pino, type Logger } from 'pino';

import { Authenticator } from '../../gateways/auth/authenticator.ts';
import { type Identity, unauthenticated } from '../../gateways/auth/identity.ts';
import { RateLimits } from '../../gateways/http/admission/rate-limit.ts';
import { createApp, type Edge } from '../../gateways/http/app.ts';
import type { Role } from '../kernel/rules/caller.ts';
import { memoryCounters } from '../platform/coordination/memory-counters.ts';
import type { Associations } from '../tenants/ports.ts';
import type { TenantStatus } from '../tenants/rules/tenant.ts';

/** A test token: `demo-manager`, with scopes after a space. The test verifier knows only these. */
export async function verifierOfTests(token: string): Promise<Identity> {
  const [subject = '', ...scopes] = token.split('~');
  if (!/^[a-z]+-[a-z]+$/.test(subject)) throw unauthenticated('The token is not valid.');
  return { issuer: 'test', subject, scopes, expiresAt: Date.now() + 60_000 };
}

/** Every user `<tenant>-<role>` has that role in that tenant. */
export function associationsOfTests(statuses: Record<string, TenantStatus> = {}): Associations {
  return {
    async find(tenantId, _issuer, subject) {
      const [tenant = '', role = ''] = subject.split('-');
      if (tenant !== tenantId) return undefined;
      return { userId: `user-${subject}`, role: roleOf(role), tenantStatus: statuses[tenant] ?? 'ACTIVE' };
    },
  };
}

function roleOf(word: string): Role {
  const roles: Record<string, Role> = {
    viewer: 'VIEWER',
    staff: 'STAFF',
    manager: 'MANAGER',
    admin: 'ADMIN',
    owner: 'OWNER',
  };
  return roles[word] ?? 'VIEWER';
}

export type HttpWorld = AsyncDisposable & {
  app: NestFastifyApplication;
  url: string;
  call(path: string, init?: CallInit): Promise<HttpAnswer>;
};
export type CallInit = RequestInit & { as?: string | null; tenant?: string | null; json?: unknown };
type HttpAnswer = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

/** Starts the HTTP edge of a service on a free port, with the fakes above. */
export async function startHttpWorld(
  service: ModuleMetadata,
  parts: Partial<Edge> & { log?: Logger } = {},
): Promise<HttpWorld> {
  const app = await createApp(service, {
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    corsOrigins: [],
    authenticator: new Authenticator(verifierOfTests, associationsOfTests()),
    limits: new RateLimits({ tenant: 0, subject: 0, address: 0 }, memoryCounters),
    ...parts,
  });
  await app.listen(0, '127.0.0.1');
  const server: { address(): AddressInfo | string | null } = app.getHttpServer();
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`;
  return { app, url, call: (path, init) => call(url + path, init), [Symbol.asyncDispose]: () => app.close() };
}

async function call(
  url: string,
  { as = 'demo-manager', tenant = 'demo', json, ...init }: CallInit = {},
): Promise<HttpAnswer> {
  const headers = new Headers(init.headers);
  if (as !== null) headers.set('authorization', `Bearer ${as}`);
  if (tenant !== null) headers.set('x-tenant-id', tenant);
  if (json !== undefined) headers.set('content-type', 'application/json');
  const body = json === undefined ? init.body : JSON.stringify(json);
  const response = await fetch(url, { ...init, headers, body, redirect: 'manual' });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
