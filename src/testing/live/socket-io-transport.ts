import { codeIn, type Connect } from '../../../packages/client/src/live/live-transports.ts';

/** The part of a `socket.io-client` socket that is used here, in the namespace `/live` and without its reconnection. */
interface SocketIoLike {
  readonly connected: boolean;
  emit(event: string, frame: object): unknown;
  on(event: string, heard: (...args: unknown[]) => void): unknown;
  disconnect(): unknown;
}

/**
 * The live protocol over socket.io: each frame is an event `m`. Reconnecting is up to the client, which knows its
 * position: pass a socket made with `reconnection: false, forceNew: true`.
 */
export function overSocketIo(open: () => SocketIoLike): Connect {
  return (listener) => {
    const socket = open();
    let over = false;
    const lost = (code: number): void => {
      if (over) return;
      over = true;
      listener.lost(code);
      // It would keep the connection of a rejected namespace.
      socket.disconnect();
    };
    socket.on('connect', () => listener.opened());
    socket.on('m', (frame) => listener.heard(frame));
    socket.on('connect_error', () => lost(0));
    socket.on('disconnect', (_, details) => lost(codeIn((details as { context?: unknown } | undefined)?.context)));
    return {
      send: (frame) => {
        if (socket.connected) socket.emit('m', frame);
      },
      close: () => void socket.disconnect(),
    };
  };
}
