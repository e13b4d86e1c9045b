import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { freePorts } from '../../src/testing/launch/free-ports.ts';
import {
  type HttpAnswer,
  json,
  type RejectedValue,
  speakGeneric,
  speakOta,
  type Speaker,
} from './fake-channel/answers.ts';
import { type ChannelBehaviour, behaviourSchema } from './fake-channel/behaviour.ts';
import { readGeneric } from './fake-channel/generic-wire.ts';
import { readOta } from './fake-channel/ota-wire.ts';
import { OwnSales, type Sale, type SalesTo } from './fake-channel/own-sales.ts';
import { dateOf, dayIn, type ReadMessage, type ReadValue, type StoredNight } from './fake-channel/wire.ts';

const MINUTE_MS = 60_000;
const MAX_BODY_BYTES = 10 * 1024 * 1024;

export type FakeChannelOptions = {
  /** `room/rate`, as the channel calls them. */
  lines: readonly string[];
  /** EUR, unless a test is about currencies. */
  currency?: string;
  /** Messages that a property may send in a minute; 0 is no limit. */
  messagesPerMinute?: number;
  /** A free one, if absent. */
  port?: number;
  /** Whether it can say what it has: generic-json only. */
  canReadBack?: boolean;
};

/** A message as it came, whether it was taken or not. */
export type LoggedMessage = {
  at: number;
  protocol: 'generic-json' | 'ota-2003b';
  /** Root of OTA. */
  name?: string;
  messageId: string;
  propertyId: string;
  /** Ranges of nights, and the nights in them. */
  values: number;
  nights: number;
  /** Names of the members that are in it. */
  members: string[];
  /** Rooms, rates and restrictions of nights that the channel had already. */
  unchanged: number;
  /** The same message was taken before. */
  isRepeat: boolean;
  status: number;
  outcome: 'taken' | 'partial' | 'refused' | 'limited' | 'silent';
};

/** What the channel objects to: a code, then where. */
export type ChannelViolation = { messageId: string; text: string };

/**
 * A channel over HTTP that behaves as the certification lists of channel managers say: it reads both protocols
 * strictly, limits messages in a minute, and misbehaves on request. `/generic-json` and `/ota-2003b` are its addresses,
 * `/admin/...` is for tests in other processes.
 */
export class FakeChannel {
  readonly messages: LoggedMessage[] = [];
  readonly violations: ChannelViolation[] = [];
  readonly sales = new OwnSales((...sold) => this.#sold(...sold));
  readonly options: Required<FakeChannelOptions>;
  #server: Server;
  #port: number;
  /** Listens again after a time in which nobody did. */
  #back: NodeJS.Timeout | undefined;
  #behaviour: { is: ChannelBehaviour; left: number } = { is: { kind: 'normal' }, left: Infinity };
  readonly #nights = new Map<string, StoredNight>();
  /** What was taken, by the id of its message: the time stamp of a repeat is another one. */
  readonly #taken = new Map<string, { said: string; answer: HttpAnswer }>();
  /** Times of the last messages of each property, and until when it has to wait. */
  readonly #pace = new Map<string, { times: number[]; waitUntil: number }>();

  private constructor(options: FakeChannelOptions & { port: number }) {
    this.options = { currency: 'EUR', messagesPerMinute: 20, canReadBack: true, ...options };
    this.#port = this.options.port;
    this.#server = this.#create();
  }

  static async open(options: FakeChannelOptions): Promise<FakeChannel> {
    const { port = (await freePorts(1))[0]! } = options;
    const channel = new FakeChannel({ ...options, port });
    await channel.listen();
    return channel;
  }

  get base(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  urlOf(adapter: 'generic-json' | 'ota-2003b'): string {
    return `${this.base}/${adapter}`;
  }

  /** Listens, at the same address as before. */
  async listen(): Promise<void> {
    this.#server = this.#create();
    await new Promise<void>((done, fail) => {
      this.#server.once('error', fail).listen(this.#port, '127.0.0.1', done);
    });
  }

  /** Is gone, in the middle of whatever it does; what it stored stays. */
  async kill(): Promise<void> {
    clearTimeout(this.#back);
    if (!this.#server.listening) return;
    const closed = new Promise((done) => this.#server.close(done));
    this.#server.closeAllConnections();
    await closed;
  }

  /** From the next message on. */
  async behave(is: ChannelBehaviour): Promise<void> {
    this.#behaviour = { is, left: ('times' in is ? is.times : undefined) ?? Infinity };
    if (is.kind !== 'refuse') return;
    await this.kill();
    this.#behaviour = { is: { kind: 'normal' }, left: Infinity };
    this.#back = setTimeout(() => void this.listen(), is.seconds * 1_000);
  }

  /** What the channel has of a night; nothing where it was never sent anything. */
  night(propertyId: string, line: string, date: string): StoredNight {
    return this.#nights.get(`${propertyId}|${line}|${dayIn(date)}`) ?? {};
  }

  /** Messages of a property that were taken, whole or in part, repeats not counted. */
  takenOf(propertyId: string): LoggedMessage[] {
    return this.messages.filter(
      (one) => one.propertyId === propertyId && !one.isRepeat && ['taken', 'partial'].includes(one.outcome),
    );
  }

  /** Forgets messages and violations, and how fast they came; what it stored stays. */
  reset(): void {
    this.messages.length = 0;
    this.violations.length = 0;
    this.#pace.clear();
  }

  #create(): Server {
    return createServer((request, response) => {
      void this.#answer(request).then(
        (answer) => answer && response.writeHead(answer.status, answer.headers).end(answer.body),
        (error: unknown) => fail(response, error),
      );
    });
  }

  async #answer(request: IncomingMessage): Promise<HttpAnswer | undefined> {
    const url = new URL(request.url ?? '/', this.base);
    const body = await read(request);
    if (url.pathname.startsWith('/admin/')) return this.#admin(request.method ?? '', url, body);
    if (url.pathname === '/redirected') this.#object('', 'REDIRECT_FOLLOWED');
    const protocol = url.pathname.slice(1);
    if (protocol !== 'generic-json' && protocol !== 'ota-2003b') return json(404, { code: 'NOT_FOUND' });
    if (request.method === 'POST') return this.#take(protocol, request.headers['content-type'], body);
    const canRead = request.method === 'GET' && protocol === 'generic-json' && this.options.canReadBack;
    return canRead ? this.#readBack(url) : json(405, { code: 'METHOD_NOT_ALLOWED' });
  }

  async #take(
    protocol: LoggedMessage['protocol'],
    type: string | undefined,
    body: string,
  ): Promise<HttpAnswer | undefined> {
    const found =
      protocol === 'generic-json'
        ? { name: undefined, ...readGeneric(type, body, this.#catalogue) }
        : readOta(type, body, this.#catalogue);
    const message = 'message' in found ? found.message : undefined;
    const { name, violations } = found;
    const messageId = message?.messageId ?? '';
    for (const text of violations) this.#object(messageId, text);
    const speaker = name === undefined ? speakGeneric : speakOta(name, messageId);
    const entry = this.#log(protocol, name, message);
    const answer =
      this.#limited(entry) ??
      (message === undefined
        ? refuse(entry, speaker.fault('fault' in found ? found.fault : 'MALFORMED'))
        : await this.#behaved(entry, message, speaker));
    if (answer) entry.status = answer.status;
    return answer;
  }

  get #catalogue() {
    return { lines: this.options.lines, currency: this.options.currency };
  }

  #log(protocol: LoggedMessage['protocol'], name: string | undefined, message?: ReadMessage): LoggedMessage {
    const { messageId = '', propertyId = '', values = [] } = message ?? {};
    const entry: LoggedMessage = {
      at: Date.now(),
      protocol,
      ...(name !== undefined && { name }),
      messageId,
      propertyId,
      values: values.length,
      nights: values.reduce((sum, { from, to }) => sum + Math.max(0, to - from + 1), 0),
      members: [...new Set(values.flatMap(({ members }) => Object.keys(members)))].sort(),
      unchanged: this.#unchanged(propertyId, values),
      isRepeat: false,
      status: 0,
      outcome: 'silent',
    };
    this.messages.push(entry);
    return entry;
  }

  #unchanged(propertyId: string, values: readonly ReadValue[]): number {
    const nights = new Map<string, StoredNight>();
    for (const value of values.filter(({ fault }) => fault === undefined))
      for (const key of keysOf(propertyId, value)) nights.set(key, { ...nights.get(key), ...value.members });
    let count = 0;
    for (const [key, members] of nights) {
      const stored = this.#nights.get(key) ?? {};
      for (const [name, is] of Object.entries(members)) if (stored[name as keyof StoredNight] === is) count += 1;
    }
    return count;
  }

  #limited(entry: LoggedMessage): HttpAnswer | undefined {
    const { propertyId, messageId, at } = entry;
    const { messagesPerMinute } = this.options;
    const pace = this.#pace.get(propertyId) ?? { times: [], waitUntil: 0 };
    this.#pace.set(propertyId, pace);
    pace.times = pace.times.filter((time) => time > at - MINUTE_MS);
    if (at < pace.waitUntil) this.#object(messageId, `RETRY_AFTER_IGNORED ${pace.waitUntil - at} ms too early`);
    if (messagesPerMinute === 0 || pace.times.length < messagesPerMinute) {
      pace.times.push(at);
      return undefined;
    }
    this.#object(messageId, `TOO_MANY more than ${messagesPerMinute} in a minute`);
    entry.outcome = 'limited';
    const seconds = Math.ceil((pace.times[0]! + MINUTE_MS - at) / 1_000);
    this.#wait(entry, seconds);
    return json(429, { code: 'TOO_MANY_REQUESTS' }, { 'retry-after': String(seconds) });
  }

  /** A second of grace: the answer takes its time, and clocks of two programs differ in rounding. */
  #wait({ propertyId }: LoggedMessage, seconds: number): void {
    this.#pace.get(propertyId)!.waitUntil = Date.now() + (seconds - 1) * 1_000;
  }

  async #behaved(entry: LoggedMessage, message: ReadMessage, speaker: Speaker): Promise<HttpAnswer | undefined> {
    const { is } = this.#behaviour;
    this.#behaviour.left -= 1;
    if (this.#behaviour.left <= 0) this.#behaviour = { is: { kind: 'normal' }, left: Infinity };
    switch (is.kind) {
      case 'silent':
        return undefined;
      case 'status': {
        if (is.retryAfter !== undefined) this.#wait(entry, is.retryAfter);
        const wait: Record<string, string> = is.retryAfter === undefined ? {} : { 'retry-after': `${is.retryAfter}` };
        return refuse(entry, json(is.status, { code: 'OUT_OF_ORDER' }, wait));
      }
      case 'redirect':
        return refuse(entry, { status: 302, headers: { location: `${this.base}/redirected` }, body: '' });
      case 'html':
        return refuse(entry, { status: 200, headers: { 'content-type': 'text/html' }, body: PAGE });
      case 'slow': {
        const answer = this.#store(entry, message, speaker, is);
        await new Promise((done) => setTimeout(done, is.seconds * 1_000));
        return answer;
      }
      case 'large':
        this.#store(entry, message, speaker, is);
        return speaker.large();
      case 'normal':
      case 'refuse':
      case 'forget':
      case 'partial':
        return this.#store(entry, message, speaker, is);
    }
  }

  #store(
    entry: LoggedMessage,
    { messageId, propertyId, values }: ReadMessage,
    speaker: Speaker,
    is: ChannelBehaviour,
  ): HttpAnswer {
    const id = `${propertyId}|${entry.name ?? ''}|${messageId}`;
    const before = this.#taken.get(id);
    const said = JSON.stringify(values);
    if (before && before.said !== said) this.#object(messageId, 'ID_REUSED with other values');
    if (before?.said === said) {
      entry.isRepeat = true;
      entry.outcome = 'taken';
      return before.answer;
    }
    const rejected: RejectedValue[] = [];
    for (const [index, value] of values.entries()) {
      const code = value.fault ?? (is.kind === 'partial' && isRejected(is, value, index) ? 'NOT_TODAY' : undefined);
      if (code !== undefined) rejected.push({ place: value.place, code });
      else if (is.kind !== 'forget' || (is.share === 'half' && index % 2 === 0)) this.#put(propertyId, value);
    }
    entry.outcome = rejected.length === 0 ? 'taken' : 'partial';
    const answer = speaker.taken(rejected);
    this.#taken.set(id, { said, answer });
    return answer;
  }

  #put(propertyId: string, value: ReadValue): void {
    for (const key of keysOf(propertyId, value)) {
      const night = this.#nights.get(key) ?? {};
      this.#nights.set(key, Object.assign(night, value.members));
    }
  }

  #sold(room: string, from: number, to: number, rooms: number): void {
    for (const [key, night] of this.#nights) {
      const [, line = '', day] = key.split('|');
      if (line.startsWith(`${room}/`) && Number(day) >= from && Number(day) <= to && night.availability !== undefined)
        night.availability = Math.max(0, night.availability - rooms);
    }
  }

  #readBack(url: URL): HttpAnswer {
    const [propertyId = '', from, to] = ['propertyId', 'from', 'to'].map((name) => url.searchParams.get(name) ?? '');
    const [first, last] = [dayIn(from), dayIn(to)];
    if (first === undefined || last === undefined || first > last) {
      this.#object('', `READ_BACK ${url.search}`);
      return json(400, { code: 'NO_DATES' });
    }
    const values = this.options.lines.flatMap((line) => {
      const [externalRoom, externalRate] = line.split('/');
      return Array.from({ length: last - first + 1 }, (_, n) => dateOf(first + n)).flatMap((date) => {
        const night = this.night(propertyId, line, date);
        if (Object.keys(night).length === 0) return [];
        const { availability, rate, maxStay, ...rest } = night;
        const amount = rate === undefined ? {} : { rate: rate / 100, currency: this.options.currency };
        const restrictions =
          rest.closed === undefined ? {} : { restrictions: { ...rest, maxStay: maxStay === 0 ? null : maxStay } };
        return [{ externalRoom, externalRate, from: date, to: date, availability, ...amount, ...restrictions }];
      });
    });
    return json(200, { values });
  }

  #object(messageId: string, text: string): void {
    this.violations.push({ messageId, text });
  }

  async #admin(method: string, url: URL, body: string): Promise<HttpAnswer> {
    const given = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
    switch (`${method} ${url.pathname.slice('/admin/'.length)}`) {
      case 'GET messages':
        return json(200, this.messages);
      case 'GET violations':
        return json(200, this.violations);
      case 'GET night': {
        const [propertyId = '', line = '', date = ''] = ['propertyId', 'line', 'date'].map(
          (name) => url.searchParams.get(name) ?? '',
        );
        return json(200, this.night(propertyId, line, date));
      }
      case 'POST behaviour':
        // Answered before the listener goes.
        setImmediate((is: ChannelBehaviour) => void this.behave(is), behaviourSchema.parse(given));
        return json(202, {});
      case 'POST sales-to':
        this.sales.to = given as SalesTo;
        return json(200, {});
      case 'POST sell':
        return json(200, await this.sales.sell(given as Sale));
      case 'POST change':
        return json(200, await this.sales.change(String(given.externalId), given));
      case 'POST cancel':
        return json(200, await this.sales.cancel(String(given.externalId)));
      case 'POST reset':
        this.reset();
        return json(200, {});
      default:
        return json(404, { code: 'NOT_FOUND' });
    }
  }
}

const PAGE =
  '<!doctype html><html><head><title>Sign in</title></head><body><p>Your session has ended.<br></body></html>';

const keysOf = (propertyId: string, { room, rate, from, to }: ReadValue): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `${propertyId}|${room}/${rate}|${from + n}`);

const isRejected = ({ lines }: { lines?: string[] | undefined }, { room, rate }: ReadValue, index: number): boolean =>
  lines ? lines.includes(`${room}/${rate}`) : index % 2 === 1;

function refuse(entry: LoggedMessage, answer: HttpAnswer): HttpAnswer {
  entry.outcome = 'refused';
  return answer;
}

function fail(response: ServerResponse, error: unknown): void {
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ code: 'MALFORMED', detail: String(error) }));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** As a program: `LINES=TWIN/BEST,TWIN/BB PORT=4000 node test/services/fake-channel.ts`. */
if (process.argv[1] === import.meta.filename) {
  const { LINES = 'TWIN/BEST', CURRENCY = 'EUR', PORT, MESSAGES_PER_MINUTE = '20' } = process.env;
  const channel = await FakeChannel.open({
    lines: LINES.split(','),
    currency: CURRENCY,
    ...(PORT !== undefined && { port: Number(PORT) }),
    messagesPerMinute: Number(MESSAGES_PER_MINUTE),
  });
  process.stderr.write(`listening on ${channel.base}\n`);
}
