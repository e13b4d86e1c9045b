import { randomUUID } from 'node:crypto';

import { pause } from '../../test/blackbox/waiting.ts';
import { type Answer, HttpClient } from '../client/http.ts';
import type { ClusterWorld } from '../cluster/cluster-world.ts';
import { dayOf, type SmallProperty } from '../cluster/properties.ts';
import type { History, Kind, Operation, Outcome, SeenCell, Stay, Try } from './history.ts';

/** First of the nights that all clients want. */
const FIRST_NIGHT = 30;
const NIGHTS = 24;
/** Timeout of a call to a node, before another one is tried. */
const TRY_MS = 2_500;
/** Pause between two attempts: each waiting client calls each node about twice a second. */
const BETWEEN_TRIES_MS = 60;
/** Time limit for requests in progress at the end of the run. */
const LAST_ANSWERS_MS = 30_000;
/** Part of the answered writes that is sent again under its key. */
const REPEATED_PART = 0.05;
/** Pause between requests of a client. */
const THINK_MS = [60, 180] as const;
/** Kinds of requests, and their weights. A client without a precondition requests a booking. */
type Wishes = readonly (readonly [Kind, number])[];
const WISHES: Wishes = [
  ['book', 26],
  ['book-unpaid', 9],
  ['book-rooms', 8],
  ['close', 4],
  ['reopen', 4],
  ['group', 4],
  ['ungroup', 4],
  ['hold', 9],
  ['book-hold', 6],
  ['release', 4],
  ['pay', 6],
  ['confirm', 8],
  ['cancel', 20],
  ['modify', 10],
  ['read', 18],
];

/** Statuses that mean: retry, or try another node. */
const LATER = new Set([429, 500, 502, 503, 504]);

type Held = { id: string; stay: Stay };
/** What answers are read for. */
type Content = {
  reservationId?: string;
  holdId?: string;
  maintenanceId?: string;
  groupId?: string;
  reservations?: { reservationId: string }[];
  items?: SeenCell[];
};
type Request = {
  method: string;
  path: string;
  body?: unknown;
  stay?: Stay;
  rooms?: Stay[];
  target?: string;
  kind: Kind;
  role?: 'MANAGER';
};

/** Requests without an answer at `giveUpAt` remain unknown. */
type Stop = { now: boolean; giveUpAt: number };

export type Clients = { stop(): Promise<void> };

/**
 * Two clients per property, which send one request after the other until they are stopped.
 * @param kinds of requests; all without it
 */
export function startClients(
  world: ClusterWorld,
  properties: readonly SmallProperty[],
  history: History,
  random: () => number,
  kinds?: readonly Kind[],
): Clients {
  const wishes = WISHES.filter(([kind]) => kinds?.includes(kind) ?? true);
  const stop: Stop = { now: false, giveUpAt: Infinity };
  const each = properties.flatMap((property, n) =>
    [0, 1].map((second) =>
      new RecordedClient(world, property, history, { number: 2 * n + second, random, stop, wishes }).run(),
    ),
  );
  return {
    async stop() {
      stop.now = true;
      stop.giveUpAt = performance.now() + LAST_ANSWERS_MS;
      await Promise.all(each);
    },
  };
}

class RecordedClient {
  readonly #world: ClusterWorld;
  readonly #property: SmallProperty;
  readonly #history: History;
  readonly #number: number;
  readonly #random: () => number;
  readonly #stop: Stop;
  readonly #wishes: Wishes;
  /** Its reservations, by the received answers. */
  readonly #paid: Held[] = [];
  /** Not paid, or paid and to be confirmed. */
  readonly #pending: Held[] = [];
  readonly #holds: Held[] = [];
  readonly #maintenances: string[] = [];
  readonly #groups: string[] = [];

  constructor(
    world: ClusterWorld,
    property: SmallProperty,
    history: History,
    how: { number: number; random: () => number; stop: Stop; wishes: Wishes },
  ) {
    [this.#world, this.#property, this.#history] = [world, property, history];
    [this.#number, this.#random, this.#stop, this.#wishes] = [how.number, how.random, how.stop, how.wishes];
  }

  async run(): Promise<void> {
    const headers = { authorization: `Bearer ${this.#world.token('STAFF')}`, 'x-tenant-id': this.#world.tenantId };
    using http = new HttpClient({ sockets: 4, headers, timeoutMs: TRY_MS });
    const [least, most] = THINK_MS;
    while (!this.#stop.now) {
      await pause(least + this.#random() * (most - least));
      const request = this.#next();
      const operation = await this.#ask(http, request);
      this.#history.ended(operation);
      this.#learn(request, operation.outcome);
      const { key, outcome } = operation;
      if (key === undefined || outcome.kind !== 'ok' || this.#random() >= REPEATED_PART) continue;
      const repeat: Request = { ...request, kind: 'repeat', stay: undefined, rooms: undefined };
      this.#history.ended(await this.#ask(http, repeat, key));
    }
  }

  /** Calls node after node until one has decided. */
  async #ask(http: HttpClient, request: Request, repeated?: string): Promise<Operation> {
    const { method, path, body, kind, stay, rooms, target, role } = request;
    const id = randomUUID();
    const key = method === 'GET' ? undefined : (repeated ?? randomUUID());
    const headers = {
      'x-request-id': id,
      ...(key && { 'idempotency-key': key }),
      ...(role && { authorization: `Bearer ${this.#world.token(role)}` }),
    };
    const operation: Operation = {
      id,
      key,
      client: this.#number,
      property: this.#property.propertyId,
      kind,
      stay,
      rooms,
      target,
      invokedAt: this.#history.now(),
      returnedAt: 0,
      tries: [],
      outcome: { kind: 'unknown' },
    };
    this.#history.invoked(operation);
    const { nodes } = this.#world;
    let at = Math.floor(this.#random() * nodes.length);
    for (;;) {
      const node = nodes[at++ % nodes.length]!;
      const began = this.#history.now();
      const url = `${node.url('RESERVATION')}${path}`;
      const call = { method, url, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const answer = await http.call(call).catch(() => undefined);
      const code = answer && answer.status >= 400 ? codeOf(answer) : undefined;
      const one: Try = {
        node: node.name,
        at: began,
        ms: this.#history.now() - began,
        status: answer?.status ?? 0,
        code,
      };
      operation.tries.push(one);
      if (answer && !LATER.has(answer.status) && code !== 'IDEMPOTENCY_IN_PROGRESS') {
        operation.returnedAt = this.#history.now();
        operation.outcome = this.#outcomeOf(answer, kind, code);
        return operation;
      }
      this.#history.attempted(operation, one);
      if (performance.now() > this.#stop.giveUpAt) {
        operation.returnedAt = this.#history.now();
        return operation;
      }
      await pause(BETWEEN_TRIES_MS);
    }
  }

  #outcomeOf(answer: Answer, kind: Kind, code: string | undefined): Outcome {
    const { status, headers, text } = answer;
    const seq = headers['x-property-seq'] === undefined ? undefined : Number(headers['x-property-seq']);
    if (status >= 200 && status < 300) {
      const replayed = headers['idempotency-replayed'] === 'true';
      const content = text === '' ? {} : (JSON.parse(text) as Content);
      const [first, ...others] = content.reservations?.map(({ reservationId }) => reservationId) ?? [];
      const { reservationId = first, holdId, maintenanceId, groupId } = content;
      const entity = reservationId ?? holdId ?? maintenanceId ?? groupId;
      const cells = kind === 'read' && { cells: content.items ?? [] };
      return { kind: 'ok', seq: seq ?? -1, replayed, entity, ...(others.length > 0 && { others }), ...cells };
    }
    if (status === 400 || status === 401 || status === 403)
      this.#history.strange.push(`${kind}: ${status} ${text.slice(0, 300)}`);
    return { kind: 'refused', seq, code: code ?? '', status };
  }

  /** Records the result for the client. */
  #learn({ kind, stay, target }: Request, outcome: Outcome): void {
    const isOver = outcome.kind === 'ok' || (outcome.kind === 'refused' && outcome.status !== 422);
    if (target !== undefined && isOver && (kind === 'cancel' || kind === 'release' || kind === 'book-hold'))
      for (const list of [this.#paid, this.#pending, this.#holds]) removeFrom(list, target);
    if (kind === 'reopen' || kind === 'ungroup') {
      const list = kind === 'reopen' ? this.#maintenances : this.#groups;
      if (isOver) list.splice(list.indexOf(target!), 1);
    }
    if (outcome.kind !== 'ok') return;
    const { entity, others = [] } = outcome;
    if (entity !== undefined && kind === 'close') this.#maintenances.push(entity);
    if (entity !== undefined && kind === 'group') this.#groups.push(entity);
    // Dates of these are unknown to the client: they are cancelled, and not changed.
    if (entity !== undefined && kind === 'book-rooms')
      for (const id of [entity, ...others]) this.#pending.push({ id, stay: this.#stay() });
    if (entity !== undefined && stay !== undefined) {
      const isPaid = kind === 'book' || kind === 'book-hold';
      if (isPaid) (this.#property.autoConfirms ? this.#paid : this.#pending).push({ id: entity, stay });
      if (kind === 'book-unpaid') this.#pending.push({ id: entity, stay });
      if (kind === 'hold') this.#holds.push({ id: entity, stay });
      if (kind === 'modify') this.#paid.forEach((one) => one.id === target && (one.stay = stay));
    }
    const isConfirmed = kind === 'confirm' || (kind === 'pay' && this.#property.autoConfirms);
    if (!isConfirmed || target === undefined || stay === undefined) return;
    removeFrom(this.#pending, target);
    this.#paid.push({ id: target, stay });
  }

  #next(): Request {
    let at = this.#random() * this.#wishes.reduce((sum, [, weight]) => sum + weight, 0);
    const wish = this.#wishes.find(([, weight]) => (at -= weight) < 0)![0];
    return this.#requestOf(wish) ?? this.#booking('book', this.#stay());
  }

  #requestOf(kind: Kind): Request | undefined {
    const root = '/api/v1/reservations';
    const [paid, pending, hold] = [this.#paid, this.#pending, this.#holds].map((list) => this.#oneOf(list));
    switch (kind) {
      case 'book':
      case 'book-unpaid':
        return this.#booking(kind, this.#stay());
      case 'book-rooms':
        return this.#rooms();
      case 'close':
      case 'reopen':
        return this.#maintenance(kind);
      case 'group':
      case 'ungroup':
        return this.#group(kind);
      case 'book-hold':
        return hold && { ...this.#booking(kind, hold.stay, hold.id), target: hold.id };
      case 'hold': {
        const stay = this.#stay();
        const body = { propertyId: this.#property.propertyId, ...stay, rooms: 1 };
        return { kind, method: 'POST', path: `${root}/holds`, body, stay };
      }
      case 'release':
        return hold && { kind, method: 'DELETE', path: `${root}/holds/${hold.id}`, target: hold.id };
      case 'pay': {
        const body = { method: 'CREDIT_CARD', cardToken: 'tok_visa' };
        const path = `${root}/${pending?.id}/payments`;
        return pending && { kind, method: 'POST', path, body, target: pending.id, stay: pending.stay };
      }
      case 'confirm': {
        const path = `${root}/${pending?.id}/confirm`;
        return pending && { kind, method: 'POST', path, body: {}, target: pending.id, stay: pending.stay };
      }
      case 'cancel': {
        const one = paid ?? pending;
        return one && { kind, method: 'DELETE', path: `${root}/${one.id}`, body: {}, target: one.id, stay: one.stay };
      }
      case 'modify':
        return paid && this.#modification(paid);
      case 'repeat':
        return undefined;
      case 'read': {
        const range = `start_date=${dayOf(this.#property, FIRST_NIGHT)}&end_date=${dayOf(this.#property, FIRST_NIGHT + NIGHTS)}`;
        const path = `/api/v1/tenants/${this.#world.tenantId}/availability?property_id=${this.#property.propertyId}&${range}`;
        return { kind, method: 'GET', path };
      }
    }
  }

  /** One to three rooms at once, all or none. */
  #rooms(): Request {
    const { stayDetails, ...body } = this.#booking('book', this.#stay()).body as Record<string, object>;
    const { checkIn, checkOut } = stayDetails as Stay;
    const rooms = Array.from({ length: 1 + Math.floor(this.#random() * 3) }, () => {
      return { roomType: this.#stay().roomType, adults: 2 };
    });
    const path = '/api/v1/bookings';
    const stays = rooms.map(({ roomType }) => ({ roomType, checkIn, checkOut }));
    const whole = { ...body, stayDetails: { checkIn, checkOut }, rooms };
    return { kind: 'book-rooms', method: 'POST', path, body: whole, rooms: stays };
  }

  /** A room goes out of order, or comes back. */
  #maintenance(kind: 'close' | 'reopen'): Request | undefined {
    const { tenantId } = this.#world;
    const path = `/api/v1/tenants/${tenantId}/properties/${this.#property.propertyId}/maintenances`;
    const target = this.#oneOf(this.#maintenances);
    if (kind === 'reopen')
      return target === undefined ? undefined : { kind, method: 'DELETE', path: `${path}/${target}`, target };
    const { roomType, checkIn, checkOut } = this.#stay();
    const number = Math.floor(this.#random() * this.#property.rooms[roomType]!);
    const body = {
      roomNumber: `${roomType}${number}`,
      from: checkIn,
      to: checkOut,
      kind: 'OUT_OF_ORDER',
      reason: 'Nemesis',
    };
    // `to` is the last night that it is closed, not the morning after.
    const rooms = [{ roomType, checkIn, checkOut: nightAfter(checkOut) }];
    return { kind, method: 'POST', path, body, rooms };
  }

  /** A room is blocked for a group, or given back. */
  #group(kind: 'group' | 'ungroup'): Request | undefined {
    const path = '/api/v1/reservations/groups';
    const target = this.#oneOf(this.#groups);
    if (kind === 'ungroup')
      return target === undefined
        ? undefined
        : { kind, method: 'DELETE', path: `${path}/${target}`, target, role: 'MANAGER' };
    const { roomType, checkIn } = this.#stay();
    const body = {
      propertyId: this.#property.propertyId,
      name: 'Nemesis',
      cutoffDate: dayOf(this.#property, FIRST_NIGHT - 1),
      blocks: [{ roomType, date: checkIn, rooms: 1, rate: 90 }],
    };
    const rooms = [{ roomType, checkIn, checkOut: nightAfter(checkIn) }];
    return { kind, method: 'POST', path, body, role: 'MANAGER', rooms };
  }

  #modification({ id, stay }: Held): Request {
    const { checkIn, checkOut } = this.#stay();
    const path = `/api/v1/reservations/${id}`;
    const body = { modifications: { stayDetails: { checkIn, checkOut } } };
    return { kind: 'modify', method: 'PUT', path, body, target: id, stay: { ...stay, checkIn, checkOut } };
  }

  #booking(kind: Kind, stay: Stay, holdId?: string): Request {
    const name = randomUUID();
    const body = {
      propertyId: this.#property.propertyId,
      ...(holdId !== undefined && { holdId }),
      guestInfo: { firstName: 'Ada', lastName: `Guest ${name.slice(0, 8)}`, email: `ada.${name}@example.com` },
      stayDetails: { ...stay, adults: 2 },
      ...(kind !== 'book-unpaid' && { paymentDetails: { method: 'CREDIT_CARD', cardToken: 'tok_visa' } }),
    };
    return { kind, method: 'POST', path: '/api/v1/reservations', body, stay };
  }

  #stay(): Stay {
    const types = Object.keys(this.#property.rooms);
    const from = FIRST_NIGHT + Math.floor(this.#random() * NIGHTS);
    const nights = 1 + Math.floor(this.#random() * 3);
    const roomType = types[Math.floor(this.#random() * types.length)]!;
    return { roomType, checkIn: dayOf(this.#property, from), checkOut: dayOf(this.#property, from + nights) };
  }

  #oneOf<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }
}

const DAY_MS = 86_400_000;
const nightAfter = (date: string): string => new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);

function removeFrom(list: Held[], id: string): void {
  const at = list.findIndex((one) => one.id === id);
  if (at >= 0) list.splice(at, 1);
}

function codeOf({ text }: Answer): string {
  try {
    return (JSON.parse(text) as { code?: string }).code ?? '';
  } catch {
    return '';
  }
}
