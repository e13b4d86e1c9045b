import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SMALLEST_FILE_BYTES = 4 * 1024;
const LARGEST_FILE_BYTES = 64 * 2 ** 20;

/** A small disk in memory, which can be filled to the last block. Only root may make one. */
export class TemporaryDisk implements Disposable {
  /** Root of the disk. */
  readonly folder: string;
  readonly #onExit = (): void => this[Symbol.dispose]();

  private constructor(folder: string) {
    this.folder = folder;
    // An interrupted process leaves no mount behind.
    process.once('exit', this.#onExit);
  }

  /** @returns undefined where this machine or user cannot mount one */
  static mount(bytes: number): TemporaryDisk | undefined {
    if (process.getuid?.() !== 0) return undefined;
    const folder = mkdtempSync(join(tmpdir(), 'innkeeper-disk-'));
    const options = `size=${bytes},mode=755`;
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
    if (status === 0) return new TemporaryDisk(folder);
    rmdirSync(folder);
    return undefined;
  }

  /** Bytes that can still be written. */
  get free(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /**
   * Fills it.
   * @param leave bytes that stay free
   * @returns how it is emptied again
   */
  fill(leave = 0): () => void {
    const ballast = mkdtempSync(join(this.folder, 'ballast-'));
    for (let size = LARGEST_FILE_BYTES, n = 0; size >= SMALLEST_FILE_BYTES; n += 1) {
      size = Math.min(size, this.free - leave);
      if (size < SMALLEST_FILE_BYTES) break;
      try {
        writeFileSync(join(ballast, String(n)), Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
    return () => rmSync(ballast, { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#onExit);
    if (!existsSync(this.folder)) return;
    // Lazily: what still writes there does not delay the end.
    execFileSync('umount', ['-l', this.folder]);
    rmdirSync(this.folder);
  }
}
