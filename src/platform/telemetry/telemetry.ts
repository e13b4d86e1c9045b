import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';

import { LogOutput } from './log-output.ts';
import { redacted, scrubbed } from './redaction.ts';
import { terminalLine } from './terminal-lines.ts';

/** Loggers with a level of their own, for parts of the process. */
const LOGGER_PARTS = ['actors', 'cluster', 'http', 'jobs', 'live', 'relay', 'subscriptions'] as const;
type LoggerPart = (typeof LOGGER_PARTS)[number];

/** Spring Boot's level names, and pino's. */
const PINO_LEVELS = {
  OFF: 'silent',
  ERROR: 'error',
  WARN: 'warn',
  INFO: 'info',
  DEBUG: 'debug',
  TRACE: 'trace',
} as const;
type LogLevel = keyof typeof PINO_LEVELS;
export const LOG_LEVELS = ['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'] as const satisfies readonly LogLevel[];

/** `configuredLevel` is null where a logger inherits the parent's level. */
export type LoggerReport = { configuredLevel: LogLevel | null; effectiveLevel: LogLevel };

type LogSettings = {
  level: string;
  /** Service or part of the process. */
  name?: string;
  /** Destination; standard error by default, so that standard output has the status block only. */
  to?: DestinationStream;
};

/**
 * Creates the process's log: one JSON object per line, no worker thread (Deno has none for pino). Members with
 * personal data or secrets are blanked at any depth, and the finished line is searched for patterns of them.
 */
export function createLog({ level, name, to }: LogSettings): Logger {
  return pino(
    {
      level,
      ...(name !== undefined && { name }),
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (line) => redacted(line),
        bindings: (bindings) => redacted(bindings),
      },
      hooks: { streamWrite: scrubbed },
    },
    to ?? standardError(),
  );
}

let shared: LogOutput | undefined;

/**
 * Standard error, for the log: JSON, or short readable lines on a terminal. One instance for all logs of the process,
 * since each would wait at the exit.
 */
export function standardError(): LogOutput {
  return (shared ??= new LogOutput({ fd: 2, ...(isatty(2) && { format: terminalLine, atOnce: true }) }));
}

/** Default level: on a terminal the addresses of the services should stay visible. */
export function defaultLevel(isTerminal = isatty(2)): 'warn' | 'info' {
  return isTerminal ? 'warn' : 'info';
}

/** Log lines dropped since the start because nobody read them. */
export function droppedLogLines(): number {
  return shared?.dropped ?? 0;
}

/** The logs of the process and its parts, with levels that can be changed at run time. */
export class Loggers {
  readonly root: Logger;
  readonly #first: string;
  readonly #parts: ReadonlyMap<string, { logger: Logger; configured: LogLevel | null }>;

  constructor(root: Logger) {
    this.root = root;
    this.#first = root.level;
    const open = (part: LoggerPart) => ({ logger: root.child({ logger: part }), configured: null });
    this.#parts = new Map(LOGGER_PARTS.map((part) => [part, open(part)]));
  }

  /** The log of a part. Child loggers would not follow a level change, so parts create none. */
  of(part: LoggerPart): Logger {
    return this.#parts.get(part)!.logger;
  }

  /** Names as in `/actuator/loggers`. */
  get names(): readonly string[] {
    return ['ROOT', ...this.#parts.keys()];
  }

  /** @returns `undefined` when there is no logger of this name */
  report(name: string): LoggerReport | undefined {
    const effective = levelOf(this.root);
    if (name === 'ROOT') return { configuredLevel: effective, effectiveLevel: effective };
    const part = this.#parts.get(name);
    return part && { configuredLevel: part.configured, effectiveLevel: levelOf(part.logger) };
  }

  /** Changes a level on this node until the process ends; null resets to the parent's, for ROOT to `LOG_LEVEL`. */
  set(name: string, level: LogLevel | null): void {
    const part = this.#parts.get(name);
    if (part) part.configured = level;
    else if (name === 'ROOT') this.root.level = level === null ? this.#first : PINO_LEVELS[level];
    for (const { logger, configured } of this.#parts.values())
      logger.level = configured === null ? this.root.level : PINO_LEVELS[configured];
  }
}

function levelOf({ level }: Logger): LogLevel {
  return LOG_LEVELS.find((name) => PINO_LEVELS[name] === level) ?? 'ERROR';
}
