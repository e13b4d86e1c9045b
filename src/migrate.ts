import { DatabaseFailure } from './storage/failure.ts';
import { migrate } from './storage/migrator.ts';

/** `npm run migrate`: brings the database of DATABASE_URL up to date, prints what was done, ends with 0 or 1. */
async function main(databaseUrl: string | undefined): Promise<number> {
  if (!databaseUrl) {
    console.error(
      'DATABASE_URL is not set: name the database to migrate, as postgres://user:password@host:5432/name',
    );
    return 1;
  }
  try {
    const { applied, functions, ms } = await migrate(databaseUrl, console.log);
    const changes = applied.length + functions.length;
    console.log(changes > 0 ? `database is up to date now (${ms} ms)` : `database was up to date (${ms} ms)`);
    return 0;
  } catch (error) {
    console.error(error instanceof DatabaseFailure ? error.message : error);
    return 1;
  }
}

process.exitCode = await main(process.env.DATABASE_URL);
