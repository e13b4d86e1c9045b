import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own words go to our log: its chatter at start as debug, what went wrong as it is. */
export const nestLog = (log: Logger): LoggerService => ({
  log: (message) => log.debug(String(message)),
  debug: (message) => log.debug(String(message)),
  verbose: (message) => log.trace(String(message)),
  warn: (message) => log.warn(String(message)),
  error: (message, ...more) => log.error({ more: more.map(String) }, String(message)),
  fatal: (message, ...more) => log.fatal({ more: more.map(String) }, String(message)),
});
