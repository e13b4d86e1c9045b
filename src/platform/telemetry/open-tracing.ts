import type { Logger } from 'pino';

import type { Tracer } from '../../kernel/ports.ts';
import type { Config } from '../config/config.ts';

/** Opens tracing, if configured; its libraries are loaded only then. */
export async function openTracing(config: Config, log: Logger): Promise<(Tracer & AsyncDisposable) | undefined> {
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  const wanted = exporter ?? (endpoint === undefined ? 'none' : 'otlp');
  if (wanted === 'none') return undefined;
  const { OtelTracer } = await import('./otel-tracer.ts');
  return new OtelTracer({
    endpoint: wanted === 'otlp' ? (endpoint ?? 'http://127.0.0.1:4318') : undefined,
    service: config.OTEL_SERVICE_NAME,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    log,
  });
}
