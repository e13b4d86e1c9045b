import { SingleBar } from 'cli-progress';

const MEGABYTE = 1_000_000;

/** Shows the progress of a copy; on a terminal only. */
type Progress = Disposable & { advanced(bytes: number): void };

/** @param bytes expected total */
export function showProgress(what: string, bytes: number): Progress {
  if (!process.stderr.isTTY) return { advanced() {}, [Symbol.dispose]() {} };
  const bar = new SingleBar({ format: `${what} {bar} {value}/{total} MB, {eta_formatted} left`, hideCursor: true });
  const total = Math.ceil(bytes / MEGABYTE);
  let done = 0;
  bar.start(total, 0);
  return {
    advanced(more) {
      done += more;
      // Growth in the meantime, and the log, come on top.
      bar.update(Math.min(total, Math.floor(done / MEGABYTE)));
    },
    [Symbol.dispose]: () => bar.stop(),
  };
}
