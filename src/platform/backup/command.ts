import { isDiskFullError } from '../config/write-whole.ts';
import { DatabaseFailure } from '../database/failure.ts';
import { LaunchError } from '../launch/launch-error.mjs';

/**
 * Runs a command line tool that a signal may interrupt: it cleans up and ends with 1. Errors that a user can act on
 * are one line.
 *
 * @param work returns its exit code
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<number>): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(name, () => stop.abort(new LaunchError('interrupted')));
  try {
    process.exitCode = await work(stop.signal);
  } catch (error) {
    console.error(isLine(error) ? `innkeeper: ${whatToDo(error)}` : error);
    process.exitCode = 1;
  }
}

function whatToDo(error: Error): string {
  if (!isDiskFullError(error)) return error.message;
  return `the disk is full: make room there or name a folder on another one; what was written is not complete (${error.message})`;
}

/** Own errors, and those of the file system and of options, need no stack. */
function isLine(error: unknown): error is Error {
  if (error instanceof LaunchError || error instanceof DatabaseFailure) return true;
  if (!(error instanceof Error) || !('code' in error)) return false;
  return 'syscall' in error || String(error.code).startsWith('ERR_PARSE_ARGS');
}
