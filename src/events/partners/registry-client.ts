import type * as Confluent from '@kafkajs/confluent-schema-registry';
import { createRequire } from 'node:module';

import { registeredSchemas } from '../contracts/event-schemas.ts';
import type { EventSchemas } from '../ports.ts';
import { EventFailure } from '../rules/event-failure.ts';
import { subjectOf, type Topic } from '../rules/topics.ts';

const require = createRequire(import.meta.url);
/**
 * CommonJS whose exports neither runtime can import by name. It is loaded with the first request: with its validator and
 * its reader of protocol buffers it is 140 modules, which a service without brokers starts without.
 */
const library = (): typeof Confluent => require('@kafkajs/confluent-schema-registry') as typeof Confluent;

/** Attempts, and the time limit for all of them. */
const TRIES = 3;
const PATIENCE_MS = 10_000;

type Middlewares = NonNullable<ConstructorParameters<typeof Confluent.SchemaRegistry>[0]['middlewares']>;
type Failed = Partial<{ status: number; message: string }>;

/** Client of any registry with Confluent's interface, the embedded one included (docs/concepts/events.md#schemas). */
export class RegistryClient implements EventSchemas {
  readonly #open: () => Confluent.SchemaRegistry;
  #opened: Confluent.SchemaRegistry | undefined;
  readonly #patienceMs: number;
  readonly #ids = new Map<Topic, Promise<number>>();

  /** @param address of the registry; credentials in it are sent along and never logged */
  constructor(address: string, { patienceMs = PATIENCE_MS } = {}) {
    const url = new URL(address);
    const [username, password] = [url.username, url.password].map(decodeURIComponent) as [string, string];
    [url.username, url.password] = ['', ''];
    const host = url.href.replace(/\/$/, '');
    const timeout = Math.ceil(patienceMs / TRIES);
    // Without it a connection to a silent server would stay open for ever.
    const middlewares: Middlewares = [
      () => ({ prepareRequest: async (next) => (await next()).enhance({ timeout }) }),
    ];
    const auth = username !== '' && { auth: { username, password } };
    const options = { host, middlewares, retry: { retries: TRIES - 1 }, ...auth };
    this.#open = () => new (library().SchemaRegistry)(options);
    this.#patienceMs = patienceMs;
  }

  get #registry(): Confluent.SchemaRegistry {
    return (this.#opened ??= this.#open());
  }

  idOf(topic: Topic): Promise<number> {
    let id = this.#ids.get(topic);
    if (!id) {
      this.#ids.set(topic, (id = this.register(topic)));
      // The next caller retries after a failure.
      id.catch(() => this.#ids.delete(topic));
    }
    return id;
  }

  /** Registers every version of a topic, oldest first, so that version numbers agree. @returns the newest's id */
  async register(topic: Topic): Promise<number> {
    let id: number | undefined;
    for (const schema of registeredSchemas(topic)) id = await this.#register(subjectOf(topic), schema);
    if (id === undefined) throw new EventFailure('SCHEMA_NOT_FOUND', `${subjectOf(topic)} has no version`);
    return id;
  }

  async schemaOf(id: number): Promise<string | undefined> {
    try {
      const type = (await this.#soon(this.#registry.getSchema(id))) as {
        schema?: (options: object) => unknown;
      };
      return JSON.stringify(type.schema?.({ exportAttrs: true }) ?? null);
    } catch (error) {
      const { status } = error as Failed;
      if (status === 404) return undefined;
      // The schema arrived but cannot be parsed: consumers of its records report it.
      if (status === undefined && !(error instanceof EventFailure)) return 'null';
      throw failureOf(`schema ${id}`, error);
    }
  }

  async #register(subject: string, schema: object): Promise<number> {
    const { COMPATIBILITY, SchemaType } = library();
    const register = async (compatibility = COMPATIBILITY.BACKWARD): Promise<number> => {
      const given = { type: SchemaType.AVRO, schema: JSON.stringify(schema) } as const;
      return (await this.#soon(this.#registry.register(given, { subject, compatibility }))).id;
    };
    try {
      return await register().catch((error: unknown) => {
        // An operator has set another level for the subject, which applies.
        const level = /\(BACKWARD != (\w+)\)/.exec((error as Failed).message ?? '')?.[1];
        if (level === undefined || !(level in COMPATIBILITY)) throw error;
        return register(COMPATIBILITY[level as keyof typeof COMPATIBILITY]);
      });
    } catch (error) {
      throw failureOf(subject, error);
    }
  }

  async #soon<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const why = new EventFailure('SCHEMA_NOT_FOUND', `no answer within ${this.#patienceMs} ms`);
      timer = setTimeout(() => reject(why), this.#patienceMs);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function failureOf(what: string, error: unknown): EventFailure {
  if (error instanceof EventFailure) return error;
  const { status, message = String(error) } = error as Failed;
  const code = status === 409 || status === 422 ? 'SCHEMA_INCOMPATIBLE' : 'SCHEMA_NOT_FOUND';
  return new EventFailure(code, `${what}: ${message}`, { cause: error });
}
