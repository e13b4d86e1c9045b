import { connect } from '../database/connection.ts';
import { describeFailure } from '../database/failure.ts';
import { migrate } from '../database/migrator.ts';

/** How many properties go on in which generation. */
export type Rewound = { properties: number; generation: number };

type RewindOptions = {
  log(line: string): void;
  /** The highest generation known from another source. */
  above: number;
  /** Leases that are stored belong to the past, because nobody but us can have reached this database. */
  alone: boolean;
};

/**
 * Makes a database whose history was rewound fit for service: brings it up to date, and takes every property into a
 * generation that nobody has seen.
 * @throws DatabaseFailure with one line, also when a node runs on it
 */
export async function rewind(databaseUrl: string, { log, above, alone }: RewindOptions): Promise<Rewound> {
  await migrate(databaseUrl, log);
  const client = await connect(databaseUrl, 'innkeeper_system', {
    settings: { idle_session_timeout: '0' },
    answerWithinMs: 0,
  });
  try {
    if (alone) await client.query('delete from system.cluster_node');
    const { rows } = await client.query<Rewound>('select * from system.rewind_generations_v1($1)', [above]);
    return rows[0]!;
  } catch (error) {
    throw describeFailure(error, databaseUrl);
  } finally {
    await client.end().catch(() => {});
  }
}
