import { createServer, type Server } from 'node:net';

/**
 * Ports from here to below where Linux, macOS and Windows begin to number outgoing connections: a port of that kind
 * could be given to any client in the moments in which a service is down.
 */
const FIRST_PORT = 12_000;
const PORTS = 20_000;
/** How far apart processes search: neighbours, which run at the same time, do not meet. */
const PORTS_OF_A_PROCESS = 40;

let next = (process.pid * PORTS_OF_A_PROCESS) % PORTS;

/** Free ports of this machine; one is not given twice before all others were. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let attempt = 0; ports.length < count; attempt += 1) {
    if (attempt > PORTS) throw new Error(`there are no ${count} free ports`);
    const port = FIRST_PORT + next;
    next = (next + 1) % PORTS;
    const server = await occupy(port).catch(() => undefined);
    if (!server) continue;
    await release(server);
    ports.push(port);
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

/** Listens on a port of 127.0.0.1 until released. */
export function occupy(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

export function release(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
