import { migrate } from '../platform/database/migrator.ts';
import { runOnDatabase } from './database-tool.ts';

/** `npm run migrate`: migrates the database of DATABASE_URL, prints what was done, ends with 0 or 1. */
await runOnDatabase('migrate', async (databaseUrl) => {
  const { applied, functions, ms } = await migrate(databaseUrl, console.log);
  const changes = applied.length + functions.length;
  console.log(changes > 0 ? `database is up to date now (${ms} ms)` : `database was up to date (${ms} ms)`);
  return 0;
});
