import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * Ports from here to below where Linux, macOS and Windows begin to number outgoing connections: a port of that kind
 * could be given to any client in the moments in which a service is down.
 */
const FIRST_PORT = 12_000;
const PORTS_OF_A_BLOCK = 100;
const BLOCKS = 200;
/** Blocks of a process at most: then it begins again with its first. */
const MAX_BLOCKS = 3;

/**
 * Listeners on the first port of each block of this process. That port is never given away, and the system lets one
 * process listen there until it ends: so no two processes give away ports of the same block, however long they take to
 * use them.
 */
const held: Server[] = [];
let left: number[] = [];
let taking: Promise<void> | undefined;

/**
 * Free ports of this machine, for servers that come later, or come back at the same address. This function
 * gives them to no other process, and to this one not again before some hundred others. A server that is to listen at
 * once listens on port 0 instead.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = left.shift();
    if (port === undefined) await (taking ??= takePorts().finally(() => (taking = undefined)));
    else if (await isFree(port)) ports.push(port);
  }
  return ports;
}

/** The first of so many free ports that lie side by side. */
export async function portsInARow(count: number): Promise<number> {
  for (;;) {
    const ports = await freePorts(count);
    const first = ports[0]!;
    if (ports.every((port, n) => port === first + n)) return first;
  }
}

/** Listens on a port of 127.0.0.1 until disposed of. */
export function occupy(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** @throws Error when other processes have all blocks */
async function takePorts(): Promise<void> {
  if (held.length < MAX_BLOCKS) held.push(await takeBlock());
  else held.push(held.shift()!);
  const { port } = held.at(-1)!.address() as AddressInfo;
  left = Array.from({ length: PORTS_OF_A_BLOCK - 1 }, (_, n) => port + 1 + n);
}

async function takeBlock(): Promise<Server> {
  for (let n = 0; n < BLOCKS; n += 1) {
    const block = (process.pid + n) % BLOCKS;
    const holder = await occupy(FIRST_PORT + block * PORTS_OF_A_BLOCK).catch(() => undefined);
    if (holder) return holder.unref();
  }
  throw new Error('other processes have all ports of tests');
}

async function isFree(port: number): Promise<boolean> {
  await using server = await occupy(port).catch(() => undefined);
  return server !== undefined;
}
