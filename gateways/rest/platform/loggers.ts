import { Controller, Get, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { type LoggerBody, loggerBody } from '../../../src/kernel/contracts/loggers.ts';
import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { LOG_LEVELS, type LoggerReport, type Loggers } from '../../../src/platform/telemetry/telemetry.ts';
import { Body, Param } from '../../http/parameters.ts';
import { MonitorOnly, HttpReply, SteerOnly } from '../../http/route.ts';
import { actuatorJson } from './health.ts';

/** Provides the `Loggers` of the process. */
export const LOGGERS = Symbol('loggers');

/**
 * Log levels of this node in Spring Boot's shapes (docs/operations/health.md#health); a change lasts until the process
 * ends.
 */
@Controller('actuator/loggers')
export class LoggersController {
  @Inject(LOGGERS) protected readonly loggers!: Loggers;

  @Get()
  @MonitorOnly('List log levels')
  all(@HttpReply() reply: FastifyReply): Buffer {
    const loggers = Object.fromEntries(this.loggers.names.map((name) => [name, this.#report(name)]));
    return actuatorJson(reply, { levels: LOG_LEVELS, loggers });
  }

  @Get(':name')
  @MonitorOnly('Read a log level')
  one(@Param('name') name: string, @HttpReply() reply: FastifyReply): Buffer {
    return actuatorJson(reply, this.#report(name));
  }

  @Post(':name')
  @HttpCode(204)
  @SteerOnly('Set a log level')
  set(
    @Param('name') name: string,
    @Body({ schema: loggerBody }) { configuredLevel }: LoggerBody,
    @Req() { operator }: FastifyRequest,
  ): void {
    this.#report(name);
    const by = operator?.subject ?? 'development';
    this.loggers.root.warn({ changed: name, to: configuredLevel, by }, 'log level changed');
    this.loggers.set(name, configuredLevel);
  }

  /** @throws DomainError LOGGER_NOT_FOUND */
  #report(name: string): LoggerReport {
    const report = this.loggers.report(name);
    if (report) return report;
    throw new DomainError('LOGGER_NOT_FOUND', `There are ${this.loggers.names.join(', ')}.`);
  }
}
