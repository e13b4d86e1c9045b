import { Migration } from '@mikro-orm/migrations';

/**
 * Changes no table: `commit_batch_v2` is installed with the other functions. A node of the release before, which calls
 * `commit_batch_v1`, sees by this migration that the database belongs to a newer release, and leaves its functions alone
 * (docs/concepts/storage.md#migrations).
 */
export class CommitFunction extends Migration {
  override readonly name = '0006-commit-function';

  override up(): void {}
}
