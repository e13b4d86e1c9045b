import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Space for a database, its log and the writes of a run of twenty minutes. */
const DISK_BYTES = 4 * 2 ** 30;
/** The last blocks are taken in small pieces: PostgreSQL allocates 8 KB at a time. */
const PIECES_BYTES = [256 * 2 ** 20, 2 ** 20, 4_096] as const;
const MAX_PIECES = 4_096;

/** A disk in a file that can be filled to the last block. Needs root, mkfs.ext4 and loop devices. */
export class SmallDisk implements Disposable {
  /** Folder on the disk. */
  readonly folder: string;
  readonly #home: string;
  readonly #ballast: string;

  private constructor(home: string) {
    this.#home = home;
    this.folder = join(home, 'disk');
    this.#ballast = join(this.folder, 'ballast');
  }

  /** @returns undefined when this machine or user cannot mount one */
  static mount(): SmallDisk | undefined {
    const home = mkdtempSync(join(tmpdir(), 'innkeeper-disk-'));
    chmodSync(home, 0o711);
    const disk = new SmallDisk(home);
    const image = join(home, 'image');
    writeFileSync(image, '');
    truncateSync(image, DISK_BYTES);
    mkdirSync(disk.folder);
    const isMounted = run('mkfs.ext4', ['-q', '-m', '0', image]) && run('mount', ['-o', 'loop', image, disk.folder]);
    if (!isMounted) {
      rmSync(home, { recursive: true, force: true });
      return undefined;
    }
    // An interrupted process leaves no mount behind.
    process.once('exit', () => disk[Symbol.dispose]());
    chmodSync(disk.folder, 0o711);
    return disk;
  }

  /** Fills the disk to the last block. */
  fill(): void {
    mkdirSync(this.#ballast, { recursive: true });
    let pieces = 0;
    for (const bytes of PIECES_BYTES)
      while (pieces++ < MAX_PIECES)
        if (!run('fallocate', ['-l', String(bytes), join(this.#ballast, String(pieces))])) break;
  }

  empty(): void {
    rmSync(this.#ballast, { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    if (!existsSync(this.#home)) return;
    // Lazily: processes that still write there do not delay the end of the run.
    run('umount', ['-l', this.folder]);
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
