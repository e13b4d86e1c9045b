import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0004/job-rounds.sql', import.meta.url);

/** When each job that is repeated for all nodes was last run. */
export class JobRounds extends Migration {
  override readonly name = '0004-job-rounds';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
