/** `setImmediate` for a browser: runs something once all promises have settled, before any timer. */
const waiting: (() => void)[] = [];
const channel = new MessageChannel();
Object.assign(channel.port1, { onmessage: () => waiting.shift()?.() });

Object.assign(globalThis, {
  setImmediate: (run: () => void) => {
    waiting.push(run);
    channel.port2.postMessage(0);
  },
});
