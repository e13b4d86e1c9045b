import { Controller, Get, Inject } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { Param, QueryValue } from '../../http/parameters.ts';
import { MonitorOnly, HttpReply } from '../../http/route.ts';
import type { Metrics, Tag } from '../../http/telemetry/metrics.ts';
import { actuatorJson } from './health.ts';

/** Provides the service's `Metrics`. */
export const METRICS = Symbol('metrics');

/** Metrics in Spring Boot's shapes and in Prometheus' text format (docs/operations/health.md#metrics). */
@Controller('actuator')
export class MetricsController {
  @Inject(METRICS) protected readonly metrics!: Metrics;

  @Get('metrics')
  @MonitorOnly('List metrics')
  names(@HttpReply() reply: FastifyReply): Buffer {
    return actuatorJson(reply, { names: this.metrics.names() });
  }

  @Get('metrics/:name')
  @MonitorOnly('Read a metric')
  one(@Param('name') name: string, @QueryValue('tag') tag: unknown, @HttpReply() reply: FastifyReply): Buffer {
    const report = this.metrics.report(name, tagsOf(tag));
    if (report !== undefined) return actuatorJson(reply, report);
    reply.code(404);
    return Buffer.alloc(0);
  }

  @Get('prometheus')
  @MonitorOnly('Read all metrics as Prometheus does')
  async prometheus(@HttpReply() reply: FastifyReply): Promise<Buffer> {
    const { registry } = this.metrics;
    reply.header('content-type', registry.contentType);
    return Buffer.from(await registry.metrics());
  }
}

/** `?tag=method:GET&tag=status:200`; values may contain colons. */
function tagsOf(given: unknown): Tag[] {
  const texts = [given ?? []].flat().filter((text) => typeof text === 'string');
  return texts.map((text): Tag => {
    const [key = '', ...value] = text.split(':');
    return [key, value.join(':')];
  });
}
