import { Migration } from '@mikro-orm/migrations';
import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('./sql/0001/', import.meta.url);

/** All tables, row policies and grants: the files of `sql/0001` in the order of their numbers. */
export class InitialSchema extends Migration {
  override readonly name = '0001-initial-schema';

  override async up(): Promise<void> {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
    for (const file of files) this.addSql(await readFile(new URL(file, folder), 'utf8'));
  }
}
