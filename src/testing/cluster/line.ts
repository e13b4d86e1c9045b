import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a server that can be cut, stalled, or lost without an error. */
export class Line implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #lost = new WeakSet<Socket>();
  readonly #server;
  #isCut = false;
  /** While true, sent data is dropped without an error. */
  isStuck = false;

  private constructor(to: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(to.port === '' ? 6379 : to.port), to.hostname);
      this.#join(near, far);
      this.#join(far, near);
      if (this.#isCut) near.destroy();
    });
  }

  /** Open connections carry nothing any more, without an error; new ones work. */
  loseOpen(): void {
    for (const socket of this.#sockets) this.#lost.add(socket);
  }

  static async to(url: string): Promise<{ line: Line; url: string }> {
    const line = new Line(new URL(url));
    await new Promise<void>((resolve) => {
      line.#server.listen(0, '127.0.0.1', resolve);
    });
    const target = new URL(url);
    target.port = String((line.#server.address() as AddressInfo).port);
    target.hostname = '127.0.0.1';
    return { line, url: target.href };
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (bytes) => {
      if (!this.isStuck && !this.#lost.has(from)) to.write(bytes);
    });
    from.on('error', () => from.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      if (!this.#lost.has(from)) to.destroy();
    });
  }
}
