import { DatabaseFailure } from '../platform/database/failure.ts';

/**
 * Runs a command line tool on the database of DATABASE_URL; failures are one clear line.
 *
 * @param what purpose, as in "name the database to migrate"
 * @param work the tool; returns its exit code
 */
export async function runOnDatabase(what: string, work: (databaseUrl: string) => Promise<number>): Promise<void> {
  const databaseUrl = process.env.DATABASE_URL;
  try {
    if (databaseUrl) {
      process.exitCode = await work(databaseUrl);
      return;
    }
    console.error(
      `DATABASE_URL is not set: name the database to ${what}, as postgres://user:password@host:5432/name`,
    );
  } catch (error) {
    console.error(error instanceof DatabaseFailure ? error.message : error);
  }
  process.exitCode = 1;
}
