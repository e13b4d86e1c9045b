import { connect } from '../database/connection.ts';
import { describeFailure } from '../database/failure.ts';
import { migrate } from '../database/migrator.ts';

/** Properties that continue, and their generation. */
export type Rewound = { properties: number; generation: number };

type RewindOptions = {
  log(line: string): void;
  /** The highest generation known from another source. */
  above: number;
  /** Ignores stored leases, since nobody else can have used this database. */
  alone: boolean;
};

/**
 * Prepares a rewound database for service: migrates it, and moves every property to a generation that nobody has seen.
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
