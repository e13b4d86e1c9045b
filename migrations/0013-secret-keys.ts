import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0013/secret-keys.sql', import.meta.url);

/** Which keys the data of a database may be sealed with. */
export class SecretKeys extends Migration {
  override readonly name = '0013-secret-keys';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
