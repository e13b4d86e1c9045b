import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0044/people.sql', import.meta.url);

/** Preferences of people, and their sessions across tenants. */
export class People extends Migration {
  override readonly name = '0044-people';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
