import type { ClientFrame } from './live.ts';

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
interface SocketLike {
  readonly readyState: number;
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open' | 'message' | 'close' | 'error', heard: (event: object) => void): void;
}

const OPEN = 1;

/** The live protocol over plain WebSocket: one JSON text a frame (docs/reference/live-protocol.md#live-protocol). */
export function overWebSocket(open: () => SocketLike): Connect {
  return (listener) => {
    const socket = open();
    socket.addEventListener('open', () => listener.opened());
    socket.addEventListener('message', (event) => {
      const frame = parsed(Reflect.get(event, 'data'));
      if (frame !== undefined) listener.heard(frame);
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
