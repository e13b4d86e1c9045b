import { batch, signal } from '@preact/signals';

import type { WireOf } from '../../../src/kernel/contracts/answers.ts';
import type { PageConfig } from '../../../src/live/contracts/page-config.ts';
import type { endedAnswer, personAnswer, sessionsAnswer } from '../../../src/tenants/contracts/person.ts';
import { freshUser, type SignedIn, signedIn } from '../access/identity.ts';
import { access } from '../access/messages.ts';
import { ApiError, ask, read, type SignedAccess } from '../api.ts';
import { network, onNetworkBack } from '../live/network.ts';
import { ownWords as words, sessionName } from './messages.ts';

export type Person = WireOf<typeof personAnswer>;
export type ListedSession = WireOf<typeof sessionsAnswer>['items'][number];

/** State of the own settings as signals: who it is here, and where he is signed in. */
export class OwnSettings {
  readonly person = signal<Person | undefined>(undefined);
  readonly sessions = signal<readonly ListedSession[] | undefined>(undefined);
  readonly busy = signal(false);
  readonly done = signal('');
  readonly trouble = signal<string | undefined>(undefined);
  /** Nothing is followed: whether there is a network is all that is known. */
  readonly connection = network;
  /** The token was typed in, so this browser has no session. */
  readonly isTyped = signedIn() !== undefined;
  readonly #config: PageConfig;
  readonly #stopWatching: () => void;
  #user: SignedIn;

  constructor(config: PageConfig, user: SignedIn) {
    this.#config = config;
    this.#user = user;
    this.#stopWatching = onNetworkBack(() => void this.load());
    void this.load();
  }

  get user(): SignedIn {
    return this.#user;
  }

  close(): void {
    this.#stopWatching();
  }

  async load(): Promise<void> {
    try {
      const access = await this.#access();
      const [person, { items }] = await Promise.all([
        read<Person>(access, 'own', '/auth/person'),
        read<WireOf<typeof sessionsAnswer>>(access, 'own', '/auth/sessions'),
      ]);
      batch(() => {
        this.person.value = person;
        this.sessions.value = items;
        this.trouble.value = undefined;
      });
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Signs one browser out. */
  async end(session: ListedSession): Promise<void> {
    await this.#ending(`/auth/sessions/${encodeURIComponent(session.id)}`, () => words.ended(sessionName(session)));
  }

  /** Signs all browsers out but this one. */
  async endOthers(): Promise<void> {
    await this.#ending('/auth/sessions', words.endedOthers);
  }

  async #ending(path: string, said: (count: number) => string): Promise<void> {
    this.busy.value = true;
    this.done.value = '';
    try {
      const { body } = await ask(await this.#access(), 'own', path, { method: 'DELETE', body: {} });
      await this.load();
      this.done.value = said((body as WireOf<typeof endedAnswer>).ended);
    } catch (error) {
      // It has ended by itself: what is shown is old.
      if (error instanceof ApiError && error.code === 'SESSION_NOT_FOUND') await this.load();
      else this.#failed(error);
    } finally {
      this.busy.value = false;
    }
  }

  #failed(error: unknown): void {
    const isOver = error instanceof ApiError && error.code === 'UNAUTHENTICATED';
    this.trouble.value = isOver ? access.expired : error instanceof Error ? error.message : access.noService;
  }

  /** A token expires within minutes, and this page has no connection that renews it. */
  async #access(): Promise<SignedAccess> {
    this.#user = await freshUser(this.#user);
    return { config: this.#config, user: this.#user };
  }
}
