import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import { until } from './waiting.ts';

/** A message as it arrived, in the order of arrival. */
export type Received = {
  id: string;
  type: string;
  propertyId: string;
  generation: number;
  seq: number;
  data: Record<string, unknown>;
  /** As it was sent, for its signature. */
  raw: string;
  headers: Record<string, string>;
};

type Answering = (response: ServerResponse, message: Received) => void;

const taking: Answering = (response) => void response.writeHead(204).end();

/** A receiver of webhooks on a real socket: it keeps what it takes, and answers as its test says. */
export class Receiver {
  /** Taken messages, repeats too. */
  readonly taken: Received[] = [];
  /** Requests, taken or not. */
  requests = 0;
  /** Answers instead of taking. */
  answering: Answering | undefined;
  #server: Server;
  readonly #port: number;
  readonly #path: string;

  private constructor(path: string, port: number) {
    this.#path = path;
    this.#port = port;
    this.#server = createServer(this.#listener());
  }

  static async open(path = '/hooks'): Promise<Receiver> {
    const [port] = (await freePorts(1)) as [number];
    const receiver = new Receiver(path, port);
    await receiver.begin();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${this.#path}`;
  }

  /** Listens, at the same address as before. */
  async begin(): Promise<void> {
    this.#server = createServer(this.#listener());
    await new Promise<void>((done) => this.#server.listen(this.#port, '127.0.0.1', done));
  }

  /** Is gone, in the middle of whatever it does. */
  async kill(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** The taken messages of a property, the first of each id. */
  of(propertyId: string): Received[] {
    const all = new Map<string, Received>();
    for (const one of this.taken) if (one.propertyId === propertyId && !all.has(one.id)) all.set(one.id, one);
    return [...all.values()];
  }

  /** Waits until `count` messages of a property were taken. */
  async has(propertyId: string, count: number, ms = 30_000): Promise<Received[]> {
    return until(`${count} messages of ${propertyId}`, ms, () => {
      const all = this.of(propertyId);
      return all.length >= count ? all : undefined;
    });
  }

  #listener(): RequestListener {
    return (request, response) => {
      void read(request).then((raw) => {
        this.requests += 1;
        const body = JSON.parse(raw) as Omit<Received, 'id' | 'raw' | 'headers'>;
        const headers = request.headers as Record<string, string>;
        const message = { ...body, id: headers['webhook-id'] ?? '', raw, headers };
        if (this.answering) return this.answering(response, message);
        this.taken.push(message);
        taking(response, message);
        return undefined;
      });
    };
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
