import { Migration } from '@mikro-orm/migrations';
import { readFile } from 'node:fs/promises';

const file = new URL('./sql/0003/cluster-members.sql', import.meta.url);

/** Which nodes with a lease are members of the cluster, whatever Redis says. */
export class ClusterMembers extends Migration {
  override readonly name = '0003-cluster-members';

  override async up(): Promise<void> {
    this.addSql(await readFile(file, 'utf8'));
  }
}
