import { signal } from '@preact/signals';

import { randomKey } from '../../../../packages/client/src/retrying.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { sandboxAnswer } from '../../../../src/sandbox/contracts/sandbox.ts';
import { ask, read, type SignedAccess } from '../../api.ts';
import { messageOf } from '../messages.ts';
import { sandbox as words } from './messages.ts';

export type SandboxView = WireOf<typeof sandboxAnswer>;

/** Where the property is, and how it is read and written. */
type SandboxPlace = { access: SignedAccess; propertyPath: string; name: string };

/** While something is under way its state is read again so often. */
const LOOK_MS = 1_000;
const UNDER_WAY: ReadonlySet<SandboxView['state']> = new Set(['PLAYING', 'ENDING']);

/** The sandbox of one property, as the service says it. */
export class PropertySandboxState {
  readonly shown = signal<SandboxView | undefined>(undefined);
  readonly trouble = signal<string | undefined>(undefined);
  readonly busy = signal(false);
  readonly #place: () => Promise<SandboxPlace>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(place: () => Promise<SandboxPlace>) {
    this.#place = place;
  }

  load(): Promise<void> {
    return this.#take(async ({ access, propertyPath }) =>
      read<SandboxView>(access, 'reservation', `${propertyPath}/sandbox`),
    );
  }

  begin(): Promise<void> {
    return this.#write('POST', ({ name }) => ({ name: words.copyName(name) }));
  }

  end(): Promise<void> {
    return this.#write('DELETE', () => ({}));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #write(method: 'POST' | 'DELETE', bodyOf: (place: SandboxPlace) => object): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    await this.#take(async (place) => {
      const sent = { method, body: bodyOf(place), key: randomKey() };
      const answer = await ask(place.access, 'reservation', `${place.propertyPath}/sandbox`, sent);
      return answer.body as SandboxView;
    });
    this.busy.value = false;
  }

  async #take(question: (place: SandboxPlace) => Promise<SandboxView>): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const answer = await question(await this.#place());
      if (this.#isClosed) return;
      this.shown.value = answer;
      this.trouble.value = undefined;
    } catch (error) {
      if (!this.#isClosed) this.trouble.value = messageOf(error);
    }
    const { state } = this.shown.peek() ?? {};
    if (!this.#isClosed && state !== undefined && UNDER_WAY.has(state))
      this.#timer = setTimeout(() => void this.load(), LOOK_MS);
  }
}
