import type { Answer } from './http.ts';
import { must } from './property.ts';
import type { CallOptions, Service } from './service.ts';
import { until } from './waiting.ts';

/** `GET /admin/competitor-sync/status` as far as the suite looks into it (docs/reference/rates.md#administration). */
export type SyncStatus = {
  sources: {
    source: string;
    status: string;
    properties: number;
    failing: number;
    lastSuccess: string | null;
    ageSeconds: number | null;
    rates: number;
    leftOut: Record<string, number>;
    error: string | null;
  }[];
  lastSync: string | null;
  nextSync: string | null;
  ageSeconds: number | null;
  status: string;
  refresh?: { jobId: string; state: string; progress: number };
};

const IN_TIME_MS = 240_000;

/** Below `/api/v1/admin/competitor-sync`, as ADMIN unless said otherwise. */
export function competitorSync<T>(
  service: Service,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer<T>> {
  return service.call<T>(method, `${service.dev.rateUrl}/api/v1/admin/competitor-sync${path}`, options);
}

export async function syncStatus(service: Service, options: CallOptions = {}): Promise<SyncStatus> {
  return must(await competitorSync<SyncStatus>(service, 'GET', '/status', options), 200).json;
}

/** Has everything of the tenant refreshed and waits for it. */
export async function refreshed(service: Service, options: CallOptions = {}): Promise<SyncStatus> {
  const asked = await competitorSync<{ statusUrl: string }>(service, 'POST', '/refresh', options);
  const { statusUrl } = must(asked, 202).json;
  return until('the refresh', IN_TIME_MS, async () => {
    const { json } = must(await service.call<SyncStatus>('GET', service.dev.rateUrl + statusUrl, options), 200);
    return json.refresh?.state === 'COMPLETED' ? json : undefined;
  });
}
