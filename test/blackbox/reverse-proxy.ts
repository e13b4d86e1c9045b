import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';

/** Where what comes under a path goes; the path is taken away, as `proxy_pass` with a slash at its end does. */
export type Routes = Record<string, string>;

/** A reverse proxy as `ops/nginx.conf` describes one: one origin, paths for the services, upgrades handed on. */
export async function reverseProxy(port: number, routes: Routes): Promise<Disposable> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming, answer) => forward(incoming, answer, targetOf(incoming, routes)));
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    const { url, path } = targetOf(incoming, routes);
    const upstream = connect(Number(url.port), url.hostname, () => {
      const headers = Object.entries(headersOf(incoming)).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      upstream.write(`${incoming.method} ${path} HTTP/1.1\r\n${headers.join('')}\r\n`);
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    [Symbol.dispose]: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Target = { url: URL; path: string; prefix: string };

function targetOf({ url: path = '/' }: IncomingMessage, routes: Routes): Target {
  const prefix = Object.keys(routes)
    .toSorted((a, b) => b.length - a.length)
    .find((one) => path.startsWith(one))!;
  return { url: new URL(routes[prefix]!), path: `/${path.slice(prefix.length)}`, prefix };
}

/** As `$proxy_add_x_forwarded_for` has it: the client behind whatever it has said itself. */
function headersOf({ headers, socket }: IncomingMessage): IncomingHttpHeaders {
  const said = [headers['x-forwarded-for'], socket.remoteAddress].flat().filter((one) => one !== undefined);
  return { ...headers, 'x-forwarded-for': said.join(', '), 'x-forwarded-proto': 'http' };
}

function forward(incoming: IncomingMessage, answer: ServerResponse, { url, path, prefix }: Target): void {
  const { hostname: host, port } = url;
  const asked = { host, port, path, method: incoming.method, headers: headersOf(incoming) };
  // A reused connection may be closed in the moment in which it is used again. Real proxies then ask once more; this one
  // keeps none.
  const upstream = request({ ...asked, agent: false }, (given) => {
    const { location } = given.headers;
    const moved = location?.startsWith('/') ? { location: prefix + location.slice(1) } : {};
    answer.writeHead(given.statusCode ?? 502, { ...given.headers, ...moved });
    given.pipe(answer);
  });
  upstream.on('error', () => answer.writeHead(502).end());
  incoming.pipe(upstream);
}
