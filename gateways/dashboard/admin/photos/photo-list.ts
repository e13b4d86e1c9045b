import { batch, signal } from '@preact/signals';

import { randomKey } from '../../../../packages/client/src/retrying.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { photoAnswer, photoListAnswer } from '../../../../src/properties/contracts/photos.ts';
import { MAX_PHOTO_BYTES } from '../../../../src/properties/rules/photo.ts';
import { ApiError, ask, read, sendFile, type SignedAccess } from '../../api.ts';
import { curlOf } from '../form/curl.ts';
import { messageOf } from '../messages.ts';
import type { Place } from '../section.ts';
import { readRoomTypes, type RoomTypeSetUp } from '../sections/room-reads.ts';
import { photos as words } from './messages.ts';

export type PhotoView = WireOf<typeof photoAnswer>;
export type PhotoChange = Partial<Pick<PhotoView, 'alt' | 'roomType' | 'position'>>;

/** Where photos belong, and how they are read and written. */
type Of = { fresh(): Promise<SignedAccess>; place(): Place };

/** Photos of a property, in the order in which guests see them. */
export class PhotoList {
  readonly items = signal<readonly PhotoView[] | undefined>(undefined);
  readonly types = signal<readonly RoomTypeSetUp[]>([]);
  readonly trouble = signal<string | undefined>(undefined);
  readonly done = signal<string | undefined>(undefined);
  readonly busy = signal(false);
  readonly #of: Of;

  constructor(of: Of) {
    this.#of = of;
  }

  async load(): Promise<void> {
    await this.#try(async () => {
      this.types.value = await readRoomTypes(this.#of.place());
      await this.#read();
    });
  }

  /** Adds files one after the other; one that is refused does not stop the others. */
  async add(files: readonly File[]): Promise<void> {
    const refused: string[] = [];
    await this.#try(async () => {
      for (const [index, file] of files.entries()) {
        this.done.value = words.adding(index + 1, files.length);
        const why = file.size > MAX_PHOTO_BYTES ? words.tooLarge : await this.#sent(file);
        if (why !== undefined) refused.push(words.notAdded(file.name, why));
      }
      await this.#read();
    });
    batch(() => {
      this.done.value = words.added(files.length - refused.length);
      if (refused.length > 0) this.trouble.value = refused.join(' ');
    });
  }

  change(photo: PhotoView, change: PhotoChange): Promise<void> {
    return this.#write(words.saved, async (access) => {
      await ask(access, 'reservation', this.#path(photo), { method: 'PUT', body: change, key: randomKey() });
    });
  }

  remove(photo: PhotoView): Promise<void> {
    return this.#write(words.deleted, async (access) => {
      await ask(access, 'reservation', this.#path(photo), { method: 'DELETE', body: {}, key: randomKey() });
    });
  }

  /** Changes places with the one before, or after. */
  move(photo: PhotoView, step: -1 | 1): Promise<void> {
    const items = this.items.peek() ?? [];
    const other = items[items.indexOf(photo) + step];
    if (!other) return Promise.resolve();
    return this.#write(words.saved, async (access) => {
      for (const [one, position] of [
        [photo, other.position],
        [other, photo.position],
      ] as const)
        await ask(access, 'reservation', this.#path(one), { method: 'PUT', body: { position }, key: randomKey() });
    });
  }

  /** The command that adds a photo. */
  addCommand(): string {
    const { access } = this.#of.place();
    const path = `${this.#path()}?alt=Front`;
    const request = { service: 'reservation', method: 'POST', path } as const;
    const file = `-H 'Content-Type: image/jpeg' --data-binary @front.jpg`;
    return [curlOf(access.config, access.user.tenantId, [request]), file].join(' \\\n  ');
  }

  /** The command that changes one. */
  changeCommand(photo: PhotoView, body: PhotoChange): string {
    const { access } = this.#of.place();
    const request = { service: 'reservation', method: 'PUT', path: this.#path(photo), body } as const;
    return curlOf(access.config, access.user.tenantId, [request]);
  }

  #path(photo?: PhotoView): string {
    const path = `${this.#of.place().propertyPath}/photos`;
    return photo ? `${path}/${photo.photoId}` : path;
  }

  /** @returns why it was refused */
  async #sent(file: File): Promise<string | undefined> {
    try {
      await sendFile(await this.#of.fresh(), this.#path(), {}, file);
      return undefined;
    } catch (error) {
      return error instanceof ApiError && error.code === 'UNSUPPORTED_MEDIA_TYPE'
        ? words.wrongType
        : messageOf(error);
    }
  }

  async #read(): Promise<void> {
    const access = await this.#of.fresh();
    const { items } = await read<WireOf<typeof photoListAnswer>>(access, 'reservation', this.#path());
    this.items.value = items;
  }

  #write(done: string, work: (access: SignedAccess) => Promise<void>): Promise<void> {
    return this.#try(async () => {
      await work(await this.#of.fresh());
      await this.#read();
      this.done.value = done;
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    if (this.busy.peek()) return;
    batch(() => {
      this.busy.value = true;
      this.trouble.value = undefined;
      this.done.value = undefined;
    });
    try {
      await work();
    } catch (error) {
      this.trouble.value = messageOf(error);
    } finally {
      this.busy.value = false;
    }
  }
}
