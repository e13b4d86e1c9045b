/**
 * Where each entry of the history was scrolled to. Going Back shows it there again: the browser itself only knows the
 * document, and the views scroll inside themselves and get their data later.
 */

type Place = { selector: string; top: number; left: number };

/** Parts of the page that scroll on their own, besides the document. */
const SCROLLED = '#page main, #page main [tabindex], #page main ol, #page main section, #page main div';
/** How long a view may take until it is as long as it was. */
const PATIENCE_MS = 3_000;
const MAX_PLACES = 100;

const places = new Map<string, Place[]>();

/** Notes where the parts of the page stand, under the address that is left. */
export function noteScroll(address: string): void {
  const moved = [...document.querySelectorAll(SCROLLED)].filter((part) => part.scrollTop > 0 || part.scrollLeft > 0);
  places.delete(address);
  places.set(address, moved.map(placeOf));
  const oldest = places.keys().next().value;
  if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest);
}

/** Scrolls as noted, once the parts are long enough; gives up when a person scrolls first. */
export function restoreScroll(address: string): void {
  const noted = places.get(address) ?? [];
  const until = performance.now() + PATIENCE_MS;
  const ended = new AbortController();
  for (const kind of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(kind, () => ended.abort(), { signal: ended.signal });
  const attempt = (): void => {
    if (ended.signal.aborted) return;
    const open = noted.filter((place) => !isScrolledTo(place));
    if (open.length > 0 && performance.now() < until) requestAnimationFrame(attempt);
    else ended.abort();
  };
  attempt();
}

function isScrolledTo({ selector, top, left }: Place): boolean {
  const part = document.querySelector(selector);
  part?.scrollTo(left, top);
  return part !== null && Math.abs(part.scrollTop - top) <= 1 && Math.abs(part.scrollLeft - left) <= 1;
}

function placeOf(part: Element): Place {
  const steps: string[] = [];
  for (let at: Element | null = part; at && at.id !== 'page'; at = at.parentElement) {
    const index = [...(at.parentElement?.children ?? [])].indexOf(at) + 1;
    steps.unshift(`${at.localName}:nth-child(${index})`);
  }
  return { selector: `#page > ${steps.join(' > ')}`, top: part.scrollTop, left: part.scrollLeft };
}
