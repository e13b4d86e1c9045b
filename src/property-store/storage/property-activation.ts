import { type ClientBase, Pool, type PoolClient } from 'pg';

import type { Address } from '../../kernel/rules/caller.ts';
import { actingAs, assertActingAs, VALUE_TYPES } from '../../platform/database/connection.ts';
import { PATIENCE, SETTINGS } from '../../platform/database/database.ts';
import { LimitedClient } from '../../platform/database/limited-client.ts';
import type { HeldByOtherNode, Ownership } from '../ports.ts';
import { type LoadedDocument, loadProperty } from './property-load.ts';

/** Concurrent reads of properties: more would only share PostgreSQL's processors and take longer each. */
const CONNECTIONS = 3;

/**
 * Connections are replaced after this time, because plans made for empty tables stay cached for the life of a
 * connection.
 */
const CONNECTION_SECONDS = 60;
const IDLE_MS = 10_000;

/** Acquires a property under the next epoch for a node; `mayTake`, a condition without columns, is checked first. */
export const takeProperty = ([tenant, property, node]: readonly [string, string, string], mayTake = 'true'): string =>
  `select epoch::float8, seq::float8, generation, head, held_by as "heldBy"
   from take_property_v1(${tenant}, ${property}, ${node}) where ${mayTake}`;

/** A row of `takeProperty`. */
export type TakenRow = Ownership & { heldBy: string | null };

/** Current ownership of the property. */
export const takenOf = ({ heldBy, ...ownership }: TakenRow): Ownership | HeldByOtherNode =>
  heldBy === null ? ownership : { heldBy };

const TENANT = { name: 'waking_tenant', text: `select set_config('innkeeper.tenant', $1, true)` };
const TAKE = {
  name: 'waking_take',
  text: takeProperty(
    ['$1', '$2', '$3'],
    `not $4::boolean
     or exists (select from properties where tenant_id = $1 and property_id = $2 and deleted_at is null)`,
  ),
};
/** Loads nothing of a property that another node owns. */
const LOAD = { name: 'waking_load', text: `${loadProperty('$1')} and a.owner_node = $2` };

/**
 * Acquires and loads properties in one transaction and one round trip, with prepared statements: planning the read of a
 * property takes as long as the read. On separate connections, so that activations and reports do not wait for each
 * other.
 */
export class PropertyActivation implements AsyncDisposable {
  readonly #nodeId: string;
  readonly #pool: Pool;

  constructor(databaseUrl: string, nodeId: string, Client: typeof LimitedClient = LimitedClient) {
    this.#nodeId = nodeId;
    const lives = { maxLifetimeSeconds: CONNECTION_SECONDS, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true };
    const checked = { onConnect: (client: ClientBase) => assertActingAs(client, 'innkeeper_app') };
    this.#pool = new Pool({
      connectionString: actingAs(databaseUrl, 'innkeeper_app', { ...SETTINGS, application_name: 'innkeeper_waking' }),
      max: CONNECTIONS,
      ...lives,
      ...PATIENCE,
      Client,
      pipeline: true,
      types: VALUE_TYPES,
      ...checked,
    });
    // The pool replaces an idle connection that breaks.
    this.#pool.on('error', () => {});
    // A connection that breaks during a read fails that read: the pool does not listen to it then.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /** @returns `undefined` for a missing property that must exist; only the owner when another node owns it */
  async open(
    to: Address,
    mustExist: boolean,
  ): Promise<HeldByOtherNode | { ownership: Ownership; document: LoadedDocument } | undefined> {
    const client = await this.#pool.connect();
    let failure: Error | undefined;
    try {
      const { taken, document } = await this.#ask(client, to, mustExist);
      const owned = taken && takenOf(taken);
      if (!owned || 'heldBy' in owned) return owned;
      if (document?.epoch !== owned.epoch) throw new Error('the property was read as of another owner');
      return { ownership: owned, document };
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      // A failure may have left a transaction open.
      client.release(failure);
    }
  }

  /** Sends all statements at once: none depends on the result of another, and after a failure the rest fails too. */
  async #ask(
    client: PoolClient,
    { tenantId, propertyId }: Address,
    mustExist: boolean,
  ): Promise<{ taken?: TakenRow; document?: LoadedDocument }> {
    const [, , taken, loaded] = await Promise.all([
      client.query('begin'),
      client.query({ ...TENANT, values: [tenantId] }),
      client.query<TakenRow>({ ...TAKE, values: [tenantId, propertyId, this.#nodeId, mustExist] }),
      client.query<{ document: LoadedDocument }>({ ...LOAD, values: [propertyId, this.#nodeId] }),
      client.query('commit'),
    ]);
    return { taken: taken.rows[0], document: loaded.rows[0]?.document };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}
