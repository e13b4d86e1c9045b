/**
 * Runs in the page before its own scripts: records arrival of frames, duration of the page's work on them, and painting
 * of the changed cells. Times are `Date.now()`: service, test and browser share one clock.
 */
(() => {
  /** Frames, and the script that followed in the same task: the page's listeners and their rendering. */
  const frames = [];
  /** Ninety nights of ten types. */
  const WHOLE = 900;
  /** Cells on the screen after each change: key, text, time. */
  const painted = [];
  let isWhole = false;
  let wholeAt;

  /** After the frame in which a change is drawn was shown: in the callback of the next one. */
  const afterPaint = (then) => requestAnimationFrame(() => requestAnimationFrame(() => then(Date.now())));

  /** Times of arrival of frames that the page has not read yet: it inflates large ones first, and keeps their order. */
  const arrivals = [];
  /** The page dispatches what came before it listened once more. */
  const known = new WeakSet();
  const Native = WebSocket;
  globalThis.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      // The first listener: the page adds its own when it has the socket.
      this.addEventListener('message', (event) => {
        if (!known.has(event)) arrivals.push(Date.now());
        known.add(event);
      });
    }
  };

  const parse = JSON.parse;
  JSON.parse = (text, ...rest) => {
    const kind = typeof text === 'string' ? /^\{"t":"(\w+)"/.exec(text.slice(0, 40))?.[1] : undefined;
    if (kind !== undefined) {
      const at = arrivals.shift() ?? Date.now();
      const began = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        const scriptMs = performance.now() - began;
        frames.push({ kind, at, scriptMs, cells: text.split('"topic":"grid"').length - 1 });
        port1.close();
      });
      port1.start();
      port2.postMessage(undefined);
    }
    return parse(text, ...rest);
  };

  const cellOf = (node) => (node instanceof Element ? node : node.parentElement)?.closest('td');
  const observer = new MutationObserver((records) => {
    const cells = new Set(records.map(({ target }) => cellOf(target)).filter((cell) => cell));
    const seen = [...cells].map((cell) => ({
      key: cell.querySelector('[data-key]')?.getAttribute('data-key'),
      text: cell.textContent,
    }));
    if (seen.length > 0) afterPaint((at) => painted.push(...seen.map((one) => ({ ...one, at }))));
    if (isWhole || document.querySelectorAll('[data-key]').length < WHOLE) return;
    isWhole = true;
    afterPaint((at) => (wholeAt = at));
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });

  globalThis.meter = {
    /** Measurements since the last call. */
    take: () => ({ frames: frames.splice(0), painted: painted.splice(0) }),
    /** Time at which all cells of a large property had been painted first; `undefined` until then. */
    wholeAt: () => wholeAt,
    /** Observes frames only: reading the changes is work too, in the same task as the page's own. */
    framesOnly: () => observer.disconnect(),
  };
})();
