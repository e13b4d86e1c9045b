import type { Service } from './service.ts';

/** An operation as the OpenAPI documents of both services describe it. */
export type DescribedRoute = {
  service: 'rate' | 'reservation';
  base: string;
  method: string;
  /** With the names of its parameters in braces. */
  path: string;
  operation: DescribedOperation;
};

export type DescribedOperation = {
  operationId: string;
  summary?: string;
  'x-role'?: string;
  'x-operation'?: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    example?: unknown;
    schema?: Record<string, unknown>;
  }[];
  requestBody?: {
    required?: boolean;
    content?: Record<string, { schema?: Record<string, unknown>; example?: unknown }>;
  };
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>;
};

export type ApiDocument = {
  paths: Record<string, Record<string, DescribedOperation>>;
  components?: { schemas?: Record<string, Record<string, unknown>> };
};

const METHODS = new Set(['get', 'post', 'put', 'delete', 'patch']);

/** The document of one service (docs/reference/api.md#api). */
export async function documentOf(service: Service, name: DescribedRoute['service']): Promise<ApiDocument> {
  const base = name === 'rate' ? service.dev.rateUrl : service.dev.reservationUrl;
  return (await service.call<ApiDocument>('GET', `${base}/v3/api-docs`, { authorization: null })).json;
}

/** Every operation of both documents. */
export async function describedRoutes(service: Service): Promise<DescribedRoute[]> {
  const routes: DescribedRoute[] = [];
  for (const name of ['rate', 'reservation'] as const) {
    const base = name === 'rate' ? service.dev.rateUrl : service.dev.reservationUrl;
    const { paths } = await documentOf(service, name);
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (METHODS.has(method)) routes.push({ service: name, base, method: method.toUpperCase(), path, operation });
      }
    }
  }
  return routes;
}

/** The path with its parameters filled in. */
export function filled(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'unknown'));
}
