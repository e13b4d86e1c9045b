import { Controller, Get, Inject, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Health, HealthState } from '../../../src/kernel/ports.ts';
import { Param } from '../../http/parameters.ts';
import { Glance, MonitorOnly, HttpReply } from '../../http/route.ts';
import type { HealthBoard } from '../../http/telemetry/health-board.ts';

/** Provides the service's `HealthBoard`. */
export const HEALTH = Symbol('health');

/** Exactly this media type, without a charset; Fastify adds none to a Buffer. */
export const ACTUATOR_TYPE = 'application/vnd.spring-boot.actuator.v3+json';

/**
 * Health in Spring Boot's shapes. The status is public; components and details are for operators
 * (docs/operations/health.md#health).
 */
@Controller('actuator')
export class HealthController {
  @Inject(HEALTH) protected readonly board!: HealthBoard;

  @Get()
  @MonitorOnly('List actuator endpoints')
  index(@Req() request: FastifyRequest, @HttpReply() reply: FastifyReply): Buffer {
    const root = `${request.protocol}://${request.host}/actuator`;
    const link = (path: string, templated = false) => ({ href: root + path, templated });
    return actuatorJson(reply, {
      _links: {
        self: link(''),
        health: link('/health'),
        'health-path': link('/health/{*path}', true),
        loggers: link('/loggers'),
        'loggers-name': link('/loggers/{name}', true),
        metrics: link('/metrics'),
        'metrics-requiredMetricName': link('/metrics/{requiredMetricName}', true),
        prometheus: link('/prometheus'),
      },
    });
  }

  @Get('health')
  @Glance('Read the health of the service')
  async health(@Req() request: FastifyRequest, @HttpReply() reply: FastifyReply): Promise<Buffer> {
    const { status, components } = await this.board.report();
    const groups = ['liveness', 'readiness'];
    reply.code(codeOf(status));
    return actuatorJson(reply, request.trusted ? { status, components, groups } : { status, groups });
  }

  @Get('health/:component')
  @Glance('Read the health of a component or group')
  async component(
    @Param('component') name: string,
    @Req() request: FastifyRequest,
    @HttpReply() reply: FastifyReply,
  ): Promise<Buffer> {
    const isGroup = name === 'liveness' || name === 'readiness';
    const found: Health | undefined = isGroup ? await this.board.group(name) : await this.board.component(name);
    if (found === undefined) {
      reply.code(404).removeHeader('content-type');
      return Buffer.alloc(0);
    }
    reply.code(codeOf(found.status));
    return actuatorJson(reply, request.trusted ? found : { status: found.status });
  }
}

/** Sends an answer of the actuator with its media type unchanged. */
export function actuatorJson(reply: FastifyReply, body: unknown): Buffer {
  reply.header('content-type', ACTUATOR_TYPE);
  return Buffer.from(JSON.stringify(body));
}

/** Probes read the status code. */
function codeOf(status: HealthState): number {
  return status === 'DOWN' || status === 'OUT_OF_SERVICE' ? 503 : 200;
}
