import { connect, type Socket } from 'node:net';

/** One load: the same request again and again over kept-alive connections, bounded in count and time. */
export type Load = {
  port: number;
  method: string;
  /** Used round-robin. */
  paths: readonly string[];
  headers: Record<string, string>;
  /** Used round-robin. `{n}` is replaced by the number of the request, so that guests and keys are unique. */
  body?: string | readonly string[];
  connections: number;
  seconds: number;
  /**
   * Open loop: so many requests are due a second, whether earlier ones are answered or not; by default a connection
   * sends its next one at once. Times count from when a request was due, and so include waiting for a free connection.
   */
  perSecond?: number;
  /** Ends earlier after so many answers. */
  requests?: number;
  /** The report has the time of each answer, for percentiles over several loads. */
  isTimed?: boolean;
};

export type LoadReport = {
  requests: number;
  seconds: number;
  perSecond: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  ms: { p50: number; p95: number; p99: number };
  /** Answers in each whole second, which shows a slow start. */
  bySecond: number[];
  /** CPU time of this process: it shares the cores with the measured service. */
  cpuMs: number;
  /** Milliseconds of each answer, where the load said so. */
  times?: number[];
};

const HEAD_END = Buffer.from('\r\n\r\n');
const LONGEST_SECONDS = 600;

/**
 * Sends the load and counts the answers. Written on plain sockets: `node:http` would need a core for 13,000 requests a
 * second, more than the server under test has to spare. Understands only answers with a `content-length` and empty
 * ones.
 */
export async function pump(load: Load): Promise<LoadReport> {
  const started = performance.now();
  const used = process.cpuUsage();
  const deadline = started + Math.min(load.seconds, LONGEST_SECONDS) * 1000;
  const most = load.requests ?? Infinity;
  const state: State = { sent: 0, most, started, deadline, times: [], statuses: {}, ends: [] };
  await Promise.all(Array.from({ length: load.connections }, () => drive(load, state)));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(used);
  const timed = load.isTimed ? { times: state.times } : {};
  return { ...report(state, started, seconds), ...timed, cpuMs: (user + system) / 1000 };
}

type State = {
  sent: number;
  most: number;
  started: number;
  deadline: number;
  times: number[];
  /** Arrival time of each answer. */
  ends: number[];
  statuses: Record<string, number>;
};

function drive(load: Load, state: State): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: load.port, noDelay: true });
    const rest = new Answers();
    let began = 0;
    const next = (): void => {
      const now = performance.now();
      const due = load.perSecond === undefined ? now : state.started + (state.sent * 1000) / load.perSecond;
      if (state.sent >= state.most || Math.max(due, now) >= state.deadline) {
        socket.end();
        resolve();
        return;
      }
      state.sent += 1;
      began = due;
      const n = state.sent;
      if (due > now) setTimeout(() => write(socket, load, n), due - now);
      else write(socket, load, n);
    };
    socket.on('error', reject);
    socket.on('connect', next);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      const status = rest.feed(chunk);
      if (status === undefined) return;
      const now = performance.now();
      state.times.push(now - began);
      state.ends.push(now);
      state.statuses[status] = (state.statuses[status] ?? 0) + 1;
      next();
    });
  });
}

function write(socket: Socket, { method, paths, headers, body }: Load, n: number): void {
  const text = typeof body === 'string' ? body : body?.[n % body.length];
  const content = text?.replaceAll('{n}', String(n));
  const length = content === undefined ? '' : `content-length: ${Buffer.byteLength(content)}\r\n`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value.replaceAll('{n}', String(n))}\r\n`);
  const head = `${method} ${paths[n % paths.length]} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${length}\r\n`;
  socket.write(head + (content ?? ''));
}

/** Joins the chunks of one connection; at most one answer is in progress. */
class Answers {
  #chunks: Buffer[] = [];
  #size = 0;
  #expected = 0;
  #status = '';

  /** @returns the status once the answer is whole */
  feed(chunk: Buffer): string | undefined {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#expected === 0) this.#readHead();
    if (this.#expected === 0 || this.#size < this.#expected) return undefined;
    this.#chunks = [];
    this.#size = 0;
    this.#expected = 0;
    return this.#status;
  }

  #readHead(): void {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const end = all?.indexOf(HEAD_END) ?? -1;
    if (!all || end === -1) return;
    const head = all.toString('latin1', 0, end);
    const isEmpty = head.slice(9, 12) === '204';
    const length = isEmpty ? '0' : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`an answer without content-length: ${head.slice(0, 200)}`);
    this.#status = head.slice(9, 12);
    this.#expected = end + HEAD_END.length + Number(length);
  }
}

function report({ times, ends, statuses }: State, started: number, seconds: number): Omit<LoadReport, 'cpuMs'> {
  const sorted = Float64Array.from(times).toSorted();
  const at = (share: number): number =>
    Math.round((sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0) * 100) / 100;
  const bySecond: number[] = [];
  for (const end of ends) {
    const second = Math.floor((end - started) / 1000);
    bySecond[second] = (bySecond[second] ?? 0) + 1;
  }
  return {
    requests: times.length,
    seconds: Math.round(seconds * 100) / 100,
    perSecond: Math.round(times.length / seconds),
    statuses,
    ms: { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
    bySecond: Array.from(bySecond, (count) => count ?? 0),
  };
}
