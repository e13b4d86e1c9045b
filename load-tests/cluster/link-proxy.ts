import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Whether a caller, by process id, is cut off now. */
export type IsCut = (caller: number | undefined) => boolean;

type Pair = { near: Socket; far: Socket; caller: number | undefined };

/**
 * A proxy before the port of a node that other nodes call: the kernel names the caller, so a connection can be cut for
 * one caller and in one direction. A cut connection drops data without an error, as a network does.
 */
export class LinkProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #callers: () => readonly number[];
  #isCut: IsCut = () => false;

  private constructor(to: number, callers: () => readonly number[]) {
    this.#callers = callers;
    this.#server = createServer((near) => this.#join(near, connect(to, '127.0.0.1')));
  }

  /**
   * @param to port of the node
   * @param callers process ids of all nodes
   */
  static async before(to: number, callers: () => readonly number[], port = 0): Promise<LinkProxy> {
    const proxy = new LinkProxy(to, callers);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(port, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  cut(isCut: IsCut): void {
    this.#isCut = isCut;
  }

  /** Dropped data is lost: connections that missed some are closed, as a network would do in the end. */
  mend(): void {
    for (const { near, far, caller } of this.#pairs) {
      if (!this.#isCut(caller)) continue;
      near.destroy();
      far.destroy();
    }
    this.#isCut = () => false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { near, far } of this.#pairs) [near, far].forEach((socket) => socket.destroy());
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #join(near: Socket, far: Socket): void {
    const pair: Pair = { near, far, caller: ownerOf(near.remotePort ?? 0, this.#callers()) };
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    // Both directions of a connection: neither requests nor answers arrive.
    near.on('data', (bytes) => this.#isCut(pair.caller) || far.write(bytes));
    far.on('data', (bytes) => this.#isCut(pair.caller) || near.write(bytes));
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', end).on('close', end);
  }
}

/** Process id of the owner of a port on this machine, among some processes. */
function ownerOf(port: number, processes: readonly number[]): number | undefined {
  const inode = inodeOf(port);
  if (inode === undefined) return undefined;
  return processes.find((pid) => {
    try {
      const folder = `/proc/${pid}/fd`;
      return readdirSync(folder).some((fd) => linkOf(`${folder}/${fd}`) === `socket:[${inode}]`);
    } catch {
      return false;
    }
  });
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function inodeOf(port: number): string | undefined {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8').split('\n').slice(1),
  );
  const row = tables.map((line) => line.trim().split(/\s+/)).find((fields) => fields[1]?.endsWith(local));
  return row?.[9];
}
