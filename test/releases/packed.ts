import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The three databases of a server are the same for the most part: the window spans all of them. */
const WINDOW = { [constants.BROTLI_PARAM_LARGE_WINDOW]: 1, [constants.BROTLI_PARAM_LGWIN]: 26 };
const MAX_BYTES = 200_000_000;

/** Writes a folder as one compressed file. */
export function pack(folder: string, file: string): void {
  const tar = run(['-C', folder, '--sort=name', '--owner=0', '--group=0', '-cf', '-', '.']);
  const params = { ...WINDOW, [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(file, brotliCompressSync(tar, { params }));
}

/** @param folder that is there */
export function unpack(file: string, folder: string): void {
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 };
  run(['-C', folder, '--no-same-owner', '-xf', '-'], brotliDecompressSync(readFileSync(file), { params }));
}

function run(args: readonly string[], input?: Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync('tar', args, { input, maxBuffer: MAX_BYTES });
  if (error) throw error;
  if (status !== 0) throw new Error(`tar: ${stderr.toString()}`);
  return stdout;
}
