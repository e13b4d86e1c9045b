import type { HealthCheck } from '../../kernel/ports.ts';
import type { RegistryStore } from '../ports.ts';
import { EVENT_FAILURES } from '../rules/event-failure.ts';

/** The embedded registry (`schemaRegistry`, docs/operations/health.md#components). */
export function embeddedRegistryHealth(store: RegistryStore): HealthCheck {
  return {
    essential: false,
    check: async () => ({ status: 'UP', details: { embedded: true, subjects: (await store.subjects()).length } }),
  };
}

/** A separate registry; bookings continue without it, so only this component is DOWN. */
export function registryHealth(address: string): HealthCheck {
  const url = new URL(address);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers: Record<string, string> =
    url.username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  const subjects = `${url.origin}${url.pathname.replace(/\/$/, '')}/subjects`;
  return {
    essential: false,
    async check() {
      const { message, remedy } = EVENT_FAILURES.SCHEMA_NOT_FOUND;
      try {
        const response = await fetch(subjects, { headers, redirect: 'error', signal: AbortSignal.timeout(1_500) });
        await response.body?.cancel();
        if (response.ok) return { status: 'UP' };
        return { status: 'DOWN', details: { error: message, remedy, status: response.status } };
      } catch {
        return { status: 'DOWN', details: { error: message, remedy } };
      }
    },
  };
}
