import { computed, signal } from '@preact/signals';

import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { ClusterAnswer, NodeAnswer } from '../../../src/platform/coordination/contracts/cluster-report.ts';
import type { ConnectionState } from '../live/connection.ts';
import { operations as words } from './messages.ts';
import { type ShardMap, shardMapOf, TONES } from './shards.ts';

/** The token is stored with this tab, never in an address. */
const TOKEN_KEY = 'innkeeper.operator-token';
const REFRESH_MS = 2_000;
/** Time limit of a request. */
const PATIENCE_MS = 5_000;
/** Time limit of a single call, such as an audit. */
const CALL_MS = 30_000;
/** Age from which the shown data is marked as old. */
const OLD_MS = 3 * REFRESH_MS;

/** An answer of the service, or why there is none. */
export type Called<T> = { value: T } | { failed: string };

type Asked = { answer: ClusterAnswer; receivedAt: number };

/** The operations view: loads the reports of the nodes from the reservation service every two seconds. */
export class Operations {
  readonly config: PageConfig;
  readonly hasToken = signal(false);
  /** What is wrong, with the next step; `undefined` while all is well. */
  readonly trouble = signal<string | undefined>(undefined);
  readonly now = signal(Date.now());
  /** The node whose shards are highlighted in the map. */
  readonly marked = signal<string | undefined>(undefined);
  readonly #received = signal<Asked | undefined>(undefined);
  readonly nodes = computed((): readonly NodeAnswer[] => this.#received.value?.answer.reports ?? []);
  readonly missing = computed(() => this.#received.value?.answer.missing ?? []);
  readonly shards = computed((): ShardMap => shardMapOf(this.nodes.value));
  readonly takeOvers = computed(() =>
    this.nodes.value
      .flatMap(({ nodeId, takeOvers }) => takeOvers.map((one) => ({ ...one, by: nodeId })))
      .toSorted((a, b) => b.at.localeCompare(a.at)),
  );
  readonly isKnown = computed(() => this.#received.value !== undefined);
  readonly ageSeconds = computed(() =>
    Math.max(0, Math.round((this.now.value - (this.#received.value?.receivedAt ?? this.now.value)) / 1_000)),
  );
  readonly isOld = computed(() => this.isKnown.value && this.ageSeconds.value * 1_000 > OLD_MS);
  /** For buttons of the service: what is shown is out of date, or nothing is shown at all. */
  readonly connection = computed((): ConnectionState =>
    this.hasToken.value && !this.isOld.value ? { kind: 'live', lagMs: undefined } : { kind: 'offline' },
  );
  /** Grows with every change that an operator makes: lists are read again. */
  readonly changes = signal(0);
  readonly #tones = new Map<string, number>();
  #token: string | undefined;
  #next: ReturnType<typeof setTimeout> | undefined;
  readonly #tick: ReturnType<typeof setInterval>;
  #closed = false;

  constructor(config: PageConfig) {
    this.config = config;
    this.#tick = setInterval(() => (this.now.value = Date.now()), 1_000);
    const stored = sessionStorage.getItem(TOKEN_KEY);
    if (stored !== null) this.use(stored);
  }

  /** Colour of a node: it stays the same when other nodes leave. */
  toneOf(nodeId: string): number {
    const tone = this.#tones.get(nodeId) ?? this.#tones.size % TONES;
    this.#tones.set(nodeId, tone);
    return tone;
  }

  /** Starts, or continues, with a token. */
  use(token: string): void {
    this.#token = token;
    this.hasToken.value = true;
    this.trouble.value = undefined;
    clearTimeout(this.#next);
    void this.#ask(token);
  }

  /** Forgets the token and everything shown under it. */
  leave(): void {
    this.#forget(undefined);
    this.#received.value = undefined;
  }

  /** Calls the reservation service as the operator. A change is counted in `changes` once it is made. */
  async call<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Called<T>> {
    const response = await fetch(`${this.config.reservationUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token ?? ''}`,
        ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      credentials: 'omit',
      signal: AbortSignal.timeout(CALL_MS),
    }).catch(() => undefined);
    if (!response) return { failed: words.noAnswer };
    const answer = (await response.json().catch(() => undefined)) as (T & { detail?: string }) | undefined;
    if (!response.ok) return { failed: answer?.detail ?? words.refusedOnce(response.status) };
    if (method !== 'GET') this.changes.value += 1;
    return { value: answer as T };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#next);
    clearInterval(this.#tick);
  }

  async #ask(token: string): Promise<void> {
    const response = await fetch(`${this.config.reservationUrl}/ops/cluster`, {
      headers: { authorization: `Bearer ${token}` },
      credentials: 'omit',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => undefined);
    const answer = response?.ok ? ((await response.json().catch(() => undefined)) as ClusterAnswer) : undefined;
    if (this.#closed || token !== this.#token) return;
    if (response?.status === 401) return this.#forget(words.tokenOver);
    if (response?.status === 403) return this.#forget(words.notOperator);
    if (answer) {
      sessionStorage.setItem(TOKEN_KEY, token);
      this.#received.value = { answer, receivedAt: Date.now() };
      this.trouble.value = undefined;
    } else
      this.trouble.value = response ? words.refused(response.status) : words.noService(this.config.reservationUrl);
    this.now.value = Date.now();
    this.#next = setTimeout(() => void this.#ask(token), REFRESH_MS);
  }

  /** Shown data stays, marked as old, until the user leaves. */
  #forget(why: string | undefined): void {
    clearTimeout(this.#next);
    sessionStorage.removeItem(TOKEN_KEY);
    this.#token = undefined;
    this.hasToken.value = false;
    this.trouble.value = why;
  }
}
