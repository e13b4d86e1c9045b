import { fstatSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, WriteStream } from 'node:tty';

/** A pipe accepts a text of this size whole or not at all, so that the written part is always known. */
const CHUNK_BYTES = 4_096;
/** How long lines wait to be written together; the end of the process writes the rest. */
const FLUSH_EVERY_MS = 250;
/** Interval of retries with a reader that has stopped. */
const RETRY_EVERY_MS = 100;
/** Unwritten text beyond which lines are dropped: a reader that has stopped must not use up memory. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
/** How long the end of the process waits for a reader that has stopped. */
const EXIT_FLUSH_MS = 500;
const EXIT_PAUSE_MS = 10;

type LogOutputOptions = {
  /** File descriptor, 1 or 2. */
  fd: number;
  maxBufferedBytes?: number;
  /** Formats a line for display, where needed. */
  format?: (line: string) => string;
  /** Whether every text is written at once instead of with following ones. */
  atOnce?: boolean;
};

/**
 * A standard stream that never blocks the process: pipes and sockets are written without blocking, unread text waits
 * in a bounded buffer, and what does not fit is dropped and counted. Once the reader continues, a line says how many
 * lines are missing.
 *
 * A terminal whose output is stopped (Ctrl-S) is written through a separate stream for the same reason. A file blocks
 * as files do.
 */
export class LogOutput {
  readonly #fd: number;
  readonly #options: LogOutputOptions;
  readonly #maxBytes: number;
  /** Neither read nor written: while it lives the descriptor does not block. */
  readonly socket: Socket | undefined;
  /** Stream for a terminal. */
  readonly #terminal: WriteStream | undefined;
  #isWriting = false;
  #text = '';
  #textBytes = 0;
  /** Taken from the text and not written yet. */
  #chunk = Buffer.alloc(0);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  #dropped = 0;
  #reported = 0;

  constructor(options: LogOutputOptions) {
    this.#options = options;
    this.#fd = options.fd;
    this.#maxBytes = options.maxBufferedBytes ?? MAX_BUFFERED_BYTES;
    this.socket = withoutBlocking(options.fd);
    this.#terminal = terminalOf(options.fd);
    process.on('exit', () => this.flushNow());
  }

  /** Dropped lines since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Accepts whole lines; never waits, never throws. */
  write(lines: string): void {
    const shown = this.#options.format?.(lines) ?? lines;
    const bytes = Buffer.byteLength(shown);
    if (this.#buffered + bytes > this.#maxBytes) {
      this.#dropped += linesIn(lines);
      return;
    }
    if (this.#reported < this.#dropped) this.#report();
    this.#add(shown, bytes);
    if (this.#isStopped) return;
    if (this.#options.atOnce || this.#textBytes >= CHUNK_BYTES) this.#flush();
    else this.#later(FLUSH_EVERY_MS);
  }

  /** Writes what it can within the time, for the end of the process. */
  flushNow(withinMs = EXIT_FLUSH_MS): void {
    const deadline = performance.now() + withinMs;
    for (;;) {
      this.#flush(true);
      if (this.#buffered === 0 || performance.now() >= deadline) break;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_PAUSE_MS);
    }
    clearTimeout(this.#timer);
  }

  get #buffered(): number {
    return this.#chunk.length + this.#textBytes;
  }

  #add(text: string, bytes: number): void {
    this.#text += text;
    this.#textBytes += bytes;
  }

  /** @param isLast whether an asynchronous write could not complete any more */
  #flush(isLast = false): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#buffered > 0) {
      if (this.#chunk.length === 0) this.#take();
      const written = this.#tryWrite(this.#chunk.subarray(0, CHUNK_BYTES), isLast);
      if (written === 'failed') {
        this.#dropBuffered();
        return;
      }
      this.#isStopped = written === 0;
      if (written === 0) {
        this.#later(RETRY_EVERY_MS);
        return;
      }
      this.#chunk = this.#chunk.subarray(written);
      if (this.#buffered === 0 && this.#reported < this.#dropped) this.#report();
    }
  }

  #dropBuffered(): void {
    this.#dropped += linesIn(this.#chunk.toString()) + linesIn(this.#text);
    this.#chunk = Buffer.alloc(0);
    this.#text = '';
    this.#textBytes = 0;
    this.#isStopped = false;
  }

  #take(): void {
    this.#chunk = Buffer.from(this.#text);
    this.#text = '';
    this.#textBytes = 0;
  }

  /** @returns written bytes, 0 when the reader accepts nothing now, `failed` when it is gone or the disk is full */
  #tryWrite(bytes: Buffer, isLast: boolean): number | 'failed' {
    if (this.#isWriting) return 0;
    try {
      if (this.#terminal && !isLast) return this.#begin(this.#terminal, bytes);
      return writeSync(this.#fd, bytes);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : 'failed';
    }
  }

  /** A stopped terminal completes the write when it continues. */
  #begin(terminal: WriteStream, bytes: Buffer): number {
    this.#isWriting = true;
    terminal.write(bytes, () => {
      this.#isWriting = false;
      this.#flush();
    });
    return bytes.length;
  }

  #later(ms: number): void {
    this.#timer ??= setTimeout(() => this.#flush(), ms).unref();
  }

  #report(): void {
    const lines = this.#dropped - this.#reported;
    this.#reported = this.#dropped;
    const line = {
      level: 'warn',
      time: new Date().toISOString(),
      pid: process.pid,
      dropped: lines,
      droppedSinceStart: this.#dropped,
      msg: 'lines of this log were dropped: nobody read them, or they could not be written',
    };
    const text = `${JSON.stringify(line)}\n`;
    const shown = this.#options.format?.(text) ?? text;
    this.#add(shown, Buffer.byteLength(shown));
  }
}

/**
 * Makes a pipe or socket non-blocking by opening it as a socket, on Node and on Deno; neither has a call for it.
 * @returns what must stay referenced, `undefined` for files and terminals
 */
function withoutBlocking(fd: number): Socket | undefined {
  try {
    const stat = fstatSync(fd);
    if (!stat.isFIFO() && !stat.isSocket()) return undefined;
    const socket = new Socket({ fd, readable: false, writable: true });
    socket.on('error', () => {});
    return socket.unref();
  } catch {
    return undefined;
  }
}

/** Runtimes make terminals blocking so that no last line is lost; here they are written in another way. */
function terminalOf(fd: number): WriteStream | undefined {
  if (!isatty(fd)) return undefined;
  const terminal = new WriteStream(fd);
  const handle = Reflect.get(terminal, '_handle') as Partial<Handle> | null | undefined;
  handle?.setBlocking?.(false);
  handle?.unref?.();
  terminal.on('error', () => {});
  return terminal;
}

/** The handle below a stream, in either runtime. */
type Handle = { setBlocking(blocks: boolean): void; unref(): void };

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
