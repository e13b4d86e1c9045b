/**
 * Runs in the page before anything of its own: remembers what the page has said of its connection, and reads what it
 * shows, by attributes and in words, as somebody would who looks at it.
 */
(() => {
  /** Each state of the connection that was shown, in order. */
  const states = [];
  const look = () => {
    const state = document.querySelector('.connection')?.getAttribute('data-state');
    if (state && state !== states.at(-1)) states.push(state);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });

  /** Its words, also where only the style sheet keeps them apart. */
  const text = (element) => {
    const words = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) words.push(walker.currentNode.nodeValue.trim());
    return words.filter((word) => word !== '').join(' ');
  };
  const attributes = (element, names) => names.map((name) => element.getAttribute(name) ?? '').join(' ');

  /** Every cell with its colours, by key. */
  const cells = () =>
    [...document.querySelectorAll('[data-key]')].map((button) => [
      button.getAttribute('data-key'),
      `${text(button)} ${attributes(button.closest('td'), ['data-mood', 'data-tint', 'data-step'])}`,
    ]);

  globalThis.eyes = {
    states: () => states,
    view: () => ({
      cells: Object.fromEntries(cells()),
      nights: [...document.querySelectorAll('tr.occupancy td')].map(text),
      tiles: Object.fromEntries(
        [...document.querySelectorAll('[data-tile]')].map((tile) => [
          tile.getAttribute('data-tile'),
          text(tile.querySelector('.value')),
        ]),
      ),
      feed: [...document.querySelectorAll('.feed li')].map(text),
    }),
  };
})();
