import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';

import { LogOutput } from './log-output.ts';
import { redacted, scrubbed } from './redaction.ts';
import { terminalLine } from './terminal-lines.ts';

/** Loggers with a level of their own: parts of the process whose log is worth reading separately. */
const LOGGER_PARTS = ['actors', 'cluster', 'http', 'jobs', 'live', 'relay'] as const;
type LoggerPart = (typeof LOGGER_PARTS)[number];

/** Spring Boot's names of levels, and pino's. */
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

/** `configuredLevel` is null where a logger follows the one above it. */
export type LoggerReport = { configuredLevel: LogLevel | null; effectiveLevel: LogLevel };

type LogSettings = {
  level: string;
  /** Which of the services or parts of the process speaks. */
  name?: string;
  /** Where lines go; standard error when absent, so that standard output stays the status block's. */
  to?: DestinationStream;
};

/**
 * The process's log: one JSON object a line, no worker thread (Deno has none for pino). Members that name personal data
 * or secrets are blanked wherever they stand, and the finished line is searched once more for what looks like them.
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
 * Standard error, where the log goes: JSON, and short readable lines on a terminal. One for all logs of the process, of
 * which a test has many: each of its own would also wait for the exit.
 */
export function standardError(): LogOutput {
  return (shared ??= new LogOutput({ fd: 2, ...(isatty(2) && { format: terminalLine, atOnce: true }) }));
}

/** The level where none is given: a person at a terminal is to keep the addresses of the services in sight. */
export function defaultLevel(isTerminal = isatty(2)): 'warn' | 'info' {
  return isTerminal ? 'warn' : 'info';
}

/** Lines of the log that were dropped since the start because nobody read them. */
export function droppedLogLines(): number {
  return shared?.dropped ?? 0;
}

/** The log of the process and of its parts, whose levels may be changed while it runs. */
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

  /** The log of a part. Its own children would not follow a change: parts make none. */
  of(part: LoggerPart): Logger {
    return this.#parts.get(part)!.logger;
  }

  /** Names as `/actuator/loggers` shows them. */
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

  /** Changes a level on this node until it ends; null goes back to the logger above, of ROOT to `LOG_LEVEL`. */
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
