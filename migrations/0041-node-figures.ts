import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0041/node-figures.sql', import.meta.url);

/** The figures of each minute of each node, for a day. */
export class NodeFigures extends Migration {
  override readonly name = '0041-node-figures';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
