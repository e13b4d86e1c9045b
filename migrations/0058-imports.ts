import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0058/imports.sql', import.meta.url);

/** Imports with their lines, and which reservations came of them. */
export class ImportTables extends Migration {
  override readonly name = '0058-imports';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
