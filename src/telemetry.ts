import { destination, type DestinationStream, type Logger, pino } from 'pino';
import { redacted, scrubbed } from './redaction.ts';

export type LogSettings = {
  level: string;
  /** Which of the services or parts of the process speaks. */
  name?: string;
  /** Where lines go; standard error when absent, so that standard output stays the status block's. */
  to?: DestinationStream;
};

/** Lines wait up to this long to be written together; the end of the process writes the rest. */
const FLUSH_EVERY_MS = 250;
/** Beyond this much unwritten text lines are dropped: a stuck reader must not eat our memory. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

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

function standardError(): DestinationStream {
  const stream = destination({
    fd: 2,
    sync: false,
    minLength: 4096,
    periodicFlush: FLUSH_EVERY_MS,
    maxLength: MAX_BUFFERED_BYTES,
  });
  // pino's own flush at the end does not run on Deno.
  process.on('exit', () => stream.flushSync());
  return stream;
}
