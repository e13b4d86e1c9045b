import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Data of a stalled connection, and whether its sender has closed it since. */
type Waiting = { bytes: Buffer[]; isOver: boolean };

/** A connection: its end at the node, its end at PostgreSQL, and whether the path between them is lost. */
type Pair = { near: Socket; far: Socket; isLost: boolean };

/** Time in milliseconds after which PostgreSQL detects a lost connection (storage/connection.ts). */
const NOTICED_MS = 6_000;

/**
 * A proxy from a node to PostgreSQL that can be stalled: data sent meanwhile arrives later, complete and in order, also
 * from a sender that has given up. This delays statements. It can also lose its connections.
 */
export class DatabaseLine implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #releases = new Set<() => void>();
  readonly #server;
  readonly #pairs = new Set<Pair>();
  #to: URL;
  #isHeld = false;

  private constructor(to: URL) {
    this.#to = to;
    this.#server = createServer((near) => {
      const far = connect(Number(this.#to.port), this.#to.hostname);
      const pair: Pair = { near, far, isLost: false };
      this.#pairs.add(pair);
      this.#pass(near, far, pair);
      this.#pass(far, near, pair);
    });
  }

  /** @returns the proxy, and the address for the node */
  static async to(url: string): Promise<{ line: DatabaseLine; url: string }> {
    const line = new DatabaseLine(new URL(url));
    await new Promise<void>((resolve) => {
      line.#server.listen(0, '127.0.0.1', resolve);
    });
    const target = new URL(url);
    target.hostname = '127.0.0.1';
    target.port = String((line.#server.address() as AddressInfo).port);
    return { line, url: target.href };
  }

  /** Directs new connections to another address; open ones stay. */
  leadTo(url: string): void {
    this.#to = new URL(url);
  }

  /**
   * Drops all data of the open connections, in both directions and for good, without an end: as when a path is lost
   * behind a proxy, or a machine in a fail-over. New connections work. PostgreSQL detects the loss.
   */
  loseConnections(): void {
    for (const pair of this.#pairs) {
      pair.isLost = true;
      setTimeout(() => pair.far.destroy(), NOTICED_MS).unref();
    }
  }

  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    for (const release of this.#releases) release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #pass(from: Socket, to: Socket, pair: Pair): void {
    const waiting: Waiting = { bytes: [], isOver: false };
    const release = (): void => {
      for (const chunk of waiting.bytes.splice(0)) to.write(chunk);
      if (waiting.isOver) to.end();
    };
    this.#sockets.add(from);
    this.#releases.add(release);
    from.setNoDelay(true);
    from.on('data', (chunk) => {
      if (pair.isLost) return;
      if (this.#isHeld) waiting.bytes.push(chunk);
      else to.write(chunk);
    });
    from.on('error', () => from.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      if (from === pair.near) this.#pairs.delete(pair);
      if (pair.isLost) return;
      waiting.isOver = true;
      if (!this.#isHeld) to.end();
    });
    to.on('close', () => this.#releases.delete(release));
  }
}
