import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findProgram } from '../../test/services/debian.ts';

/** What Porcupine says of a history; `illegal` names cells and keys that no order of the operations explains. */
export type PorcupineReport = {
  cells: number;
  cellOperations: number;
  keys: number;
  keyOperations: number;
  illegal: string[];
  /** Not decided within the time of main.go. */
  undecided: string[];
};

/** Porcupine, built by Go from its module (go.sum pins it); the folder is removed when it is disposed of. */
export class Porcupine implements Disposable {
  readonly #folder: string;
  readonly #program: string;

  private constructor(folder: string, program: string) {
    [this.#folder, this.#program] = [folder, program];
  }

  /** @returns undefined where there is no Go @throws Error when it cannot be built */
  static build(): Porcupine | undefined {
    const go = findProgram('go');
    if (go === undefined) return undefined;
    const folder = mkdtempSync(join(tmpdir(), 'innkeeper-porcupine-'));
    const program = join(folder, 'porcupine');
    const { status, stderr } = spawnSync(go, ['build', '-o', program, '.'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    if (status === 0) return new Porcupine(folder, program);
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`go build of Porcupine ended with ${status}: ${stderr.slice(-500)}`);
  }

  /** @throws Error when the history cannot be read */
  check(file: string): PorcupineReport {
    const { stdout, stderr } = spawnSync(this.#program, [file], { encoding: 'utf8' });
    if (stdout === '') throw new Error(stderr.trim());
    return JSON.parse(stdout) as PorcupineReport;
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
