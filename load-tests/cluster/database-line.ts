import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What waits on a line that is held, and whether its sender has hung up since. */
type Waiting = { bytes: Buffer[]; isOver: boolean };

/**
 * A line of a node to PostgreSQL that can be held up: what was sent meanwhile arrives later, whole and in order, also
 * from a sender who has given up. That is how a statement comes late.
 */
export class DatabaseLine implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #releases = new Set<() => void>();
  readonly #server;
  #isHeld = false;

  private constructor(to: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(to.port), to.hostname);
      this.#pass(near, far);
      this.#pass(far, near);
    });
  }

  /** @returns the line, and the address to give to the node */
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

  #pass(from: Socket, to: Socket): void {
    const waiting: Waiting = { bytes: [], isOver: false };
    const release = (): void => {
      for (const chunk of waiting.bytes.splice(0)) to.write(chunk);
      if (waiting.isOver) to.end();
    };
    this.#sockets.add(from);
    this.#releases.add(release);
    from.setNoDelay(true);
    from.on('data', (chunk) => {
      if (this.#isHeld) waiting.bytes.push(chunk);
      else to.write(chunk);
    });
    from.on('error', () => from.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      waiting.isOver = true;
      if (!this.#isHeld) to.end();
    });
    to.on('close', () => this.#releases.delete(release));
  }
}
