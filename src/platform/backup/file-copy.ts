import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';

import { unlessGone } from './cluster-files.ts';

const CHUNK_BYTES = 1024 * 1024;

/** Bytes and hash of a file. */
type Sum = { size: number; sha256: string };

type Account = { readonly uid: number; readonly gid: number };

type CopyOptions = {
  /** Checked between chunks. */
  signal: AbortSignal;
  /** Owner of the copies; the process's own when absent. */
  account?: Account;
  /** Called with the bytes of each chunk. */
  advanced(bytes: number): void;
};

/** Writes private files and folders durably; holds one chunk in memory. */
export class FileCopy {
  readonly #options: CopyOptions;
  readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);

  constructor(options: CopyOptions) {
    this.#options = options;
  }

  /**
   * Copies the current content of a file, hashing what is written.
   * @returns undefined when there is no such file
   * @throws errors of the file system
   */
  async copy(from: string, to: string): Promise<Sum | undefined> {
    await using source = await unlessGone(open(from, 'r'));
    if (!source) return undefined;
    await using target = await this.#make(to);
    const hash = createHash('sha256');
    let size = 0;
    for (;;) {
      this.#options.signal.throwIfAborted();
      const { bytesRead } = await source.read(this.#buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      const chunk = this.#buffer.subarray(0, bytesRead);
      hash.update(chunk);
      await target.writeFile(chunk);
      size += bytesRead;
      this.#options.advanced(bytesRead);
    }
    await target.datasync();
    return { size, sha256: hash.digest('hex') };
  }

  /** Writes a text in the same way. */
  async write(text: string, to: string): Promise<Sum> {
    await using target = await this.#make(to);
    await target.writeFile(text);
    await target.datasync();
    return { size: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
  }

  async folder(path: string): Promise<void> {
    await mkdir(path, { mode: 0o700 });
    await using made = await open(path, 'r');
    await this.#own(made);
  }

  async #make(path: string): Promise<FileHandle> {
    const made = await open(path, 'wx', 0o600);
    await this.#own(made);
    return made;
  }

  async #own(made: FileHandle): Promise<void> {
    const { account } = this.#options;
    if (account) await made.chown(account.uid, account.gid);
  }
}

/** Names in a folder are durable only after the folder was synced. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}
