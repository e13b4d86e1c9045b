import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0007/companies.sql', import.meta.url);

/** Companies that stays are invoiced to, and what they have paid. */
export class Companies extends Migration {
  override readonly name = '0007-companies';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
