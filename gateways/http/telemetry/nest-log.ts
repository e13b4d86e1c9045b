import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Sends Nest's log lines to the service's log: start-up lines as debug, warnings and errors at their level. */
export const nestLog = (log: Logger): LoggerService => ({
  log: (message) => log.debug(String(message)),
  debug: (message) => log.debug(String(message)),
  verbose: (message) => log.trace(String(message)),
  warn: (message) => log.warn(String(message)),
  error: (message, ...more) => log.error({ more: more.map(String) }, String(message)),
  fatal: (message, ...more) => log.fatal({ more: more.map(String) }, String(message)),
});
