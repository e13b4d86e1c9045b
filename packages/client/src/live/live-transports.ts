import type { ClientFrame } from './frames.ts';

/** Callbacks of a transport into its client. */
interface TransportListener {
  /** Frames may be sent. */
  opened(): void;
  /** One frame as received. */
  heard(frame: unknown): void;
  /** The connection is closed; `code` is that of the WebSocket, 0 without one. */
  lost(code: number): void;
}

/** One connection to the live gateway. */
export interface LiveTransport {
  /** Frames for a closed connection are dropped: the next connection sends everything again. */
  send(frame: ClientFrame): void;
  close(): void;
}

/** Opens a connection; the client calls it again after each loss. */
export type Connect = (listener: TransportListener) => LiveTransport;

/** The part of the WebSocket interface that is used here, of the browser or of `ws`. */
export interface SocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open' | 'message' | 'close' | 'error', heard: (event: object) => void): void;
}

const OPEN = 1;

/**
 * The live protocol over plain WebSocket: one JSON text a frame, or its compressed bytes
 * (docs/reference/live-protocol.md#live-protocol).
 */
export function overWebSocket(open: () => SocketLike): Connect {
  return (listener) => {
    const socket = open();
    const hear = (text: unknown): void => {
      const frame = parsed(text);
      if (frame !== undefined) listener.heard(frame);
    };
    /** Frames are heard in their order: what comes while one is inflated waits for it. */
    let waiting = 0;
    let last = Promise.resolve();
    const later = (text: () => Promise<unknown>): void => {
      const before = last;
      waiting += 1;
      last = (async () => {
        await before;
        // What cannot be inflated is missing like a frame that is no JSON.
        hear(await text().catch(() => undefined));
        waiting -= 1;
      })();
    };
    socket.addEventListener('open', () => listener.opened());
    socket.addEventListener('message', (event) => {
      const data: unknown = Reflect.get(event, 'data');
      if (isBinary(data)) later(() => inflated(data));
      else if (waiting > 0) later(() => Promise.resolve(data));
      else hear(data);
    });
    socket.addEventListener('close', (event) => listener.lost(codeIn(event)));
    // Every error is followed by a close.
    socket.addEventListener('error', () => {});
    return {
      send: (frame) => {
        if (socket.readyState === OPEN) socket.send(JSON.stringify(frame));
      },
      close: () => socket.close(),
    };
  };
}

/** The `ws` of Node has buffers also for text, which are no `ArrayBuffer`. */
const isBinary = (data: unknown): data is Blob | ArrayBuffer => data instanceof Blob || data instanceof ArrayBuffer;

async function inflated(data: Blob | ArrayBuffer): Promise<string> {
  const text = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(text).text();
}

/** Invalid JSON is ignored: if it was a delta, its number is missing and will be requested. */
function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}

export function codeIn(event: unknown): number {
  const code: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, 'code') : undefined;
  return typeof code === 'number' ? code : 0;
}
