import { DatabaseFailure } from '../database/failure.ts';
import { LaunchError } from '../launch/launch-error.mjs';

/**
 * Runs a command line tool that a signal may interrupt: it cleans up after itself and ends with 1. What a person can
 * act on is one line.
 *
 * @param work answers its exit code
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<number>): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(name, () => stop.abort(new LaunchError('interrupted')));
  try {
    process.exitCode = await work(stop.signal);
  } catch (error) {
    console.error(isLine(error) ? `innkeeper: ${error.message}` : error);
    process.exitCode = 1;
  }
}

/** Ours, those of the file system (no right, no space) and those about options say all there is to say. */
function isLine(error: unknown): error is Error {
  if (error instanceof LaunchError || error instanceof DatabaseFailure) return true;
  if (!(error instanceof Error) || !('code' in error)) return false;
  return 'syscall' in error || String(error.code).startsWith('ERR_PARSE_ARGS');
}
