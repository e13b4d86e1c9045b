import type { Client } from 'pg';

/** A connection that is opened at its first use, and again after a loss. */
export class ReconnectingClient implements AsyncDisposable {
  readonly #connect: () => Promise<Client>;
  #client: Promise<Client> | undefined;
  #ended = false;

  /** @param connect opens a connection; its error goes to the caller, and the next call tries again */
  constructor(connect: () => Promise<Client>) {
    this.#connect = connect;
  }

  /** @throws DatabaseFailure */
  client(): Promise<Client> {
    if (this.#ended) return Promise.reject(new Error('the service is stopping'));
    return (this.#client ??= this.#open());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  async #open(): Promise<Client> {
    const forget = (): void => void (this.#client = undefined);
    try {
      const client = inTurn(await this.#connect());
      client.once('end', forget);
      client.once('error', forget);
      return client;
    } catch (error) {
      forget();
      throw error;
    }
  }
}

/** Serializes queries of callers that share the connection, as the driver requires. */
function inTurn(client: Client): Client {
  const ask = client.query.bind(client) as (...question: unknown[]) => Promise<unknown>;
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (...question: unknown[]): Promise<unknown> => {
    const answer = last.then(() => ask(...question));
    last = answer.catch(() => undefined);
    return answer;
  };
  return Object.assign(client, { query: inOrder as unknown as Client['query'] });
}
