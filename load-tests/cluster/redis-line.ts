import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to Redis that can answer garbage, or lead to another Redis. */
export class RedisLine implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #server;
  #port: number;
  #isGarbage = false;

  private constructor(port: number) {
    this.#port = port;
    this.#server = createServer((near) => {
      this.#note(near);
      if (this.#isGarbage) {
        near.on('data', () => near.write(randomBytes(64)));
        return;
      }
      const far = connect(this.#port, '127.0.0.1');
      this.#note(far);
      near.on('data', (bytes) => far.write(bytes));
      far.on('data', (bytes) => near.write(this.#isGarbage ? randomBytes(bytes.length) : bytes));
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
    });
  }

  static async to(url: string): Promise<RedisLine> {
    const line = new RedisLine(Number(new URL(url).port));
    await new Promise<void>((resolve) => {
      line.#server.listen(0, '127.0.0.1', resolve);
    });
    return line;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Directs it to another server; open connections break. */
  leadTo(url: string): void {
    this.#port = Number(new URL(url).port);
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Sends random bytes instead of answers, on open and new connections; turning it off needs new connections. */
  garbage(on: boolean): void {
    this.#isGarbage = on;
    if (!on) for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #note(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy()).on('close', () => this.#sockets.delete(socket));
  }
}
