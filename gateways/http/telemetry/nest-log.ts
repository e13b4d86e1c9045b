import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Nest's own words go to our log: its chatter at start as debug, what went wrong as it is. */
export class NestLog implements LoggerService {
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  log(message: unknown): void {
    this.#log.debug(String(message));
  }

  debug(message: unknown): void {
    this.#log.debug(String(message));
  }

  verbose(message: unknown): void {
    this.#log.trace(String(message));
  }

  warn(message: unknown): void {
    this.#log.warn(String(message));
  }

  error(message: unknown, ...more: unknown[]): void {
    this.#log.error({ more: more.map(String) }, String(message));
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.#log.fatal({ more: more.map(String) }, String(message));
  }
}
