import { pageAt } from '../../src/live/contracts/page-addresses.ts';

/**
 * The address of the page: which workspace, and in its query what somebody may want to link to. A view reads its
 * parameters when it opens, writes them when it changes, and follows Back and Forward.
 */

/** `push` for what a person goes Back from (a property, a view, an opened panel), `replace` for small moves. */
export type AddressStep = 'push' | 'replace';

/** How the address moved, by Back and Forward or by a link, and from where. */
export type AddressMove = { by: 'back' | 'link'; from: string };

/** The part of a browser's window that an address needs. */
export type AddressWindow = {
  location: { pathname: string; search: string };
  history: { pushState: HistoryWrite; replaceState: HistoryWrite };
  addEventListener(type: 'popstate', listener: () => void): void;
};
type HistoryWrite = (state: unknown, title: string, url: string) => void;

/** Changes of parameters by name; without a value, or with an empty one, a parameter goes. */
type AddressChanges = Readonly<Record<string, string | undefined>>;

/** The address of one window. Views use the functions below, which are of this page's window. */
export class PageAddress {
  readonly #window: AddressWindow;
  readonly #listeners = new Set<(move: AddressMove) => void>();

  /** The address as it was last written or moved to: Back says where it leads, not where it comes from. */
  #last: string;

  constructor(window: AddressWindow) {
    this.#window = window;
    this.#last = this.whole;
    window.addEventListener('popstate', () => this.#notify('back'));
  }

  /** Path and query. */
  get whole(): string {
    const { pathname, search } = this.#window.location;
    return pathname + search;
  }

  get path(): string {
    return this.#window.location.pathname;
  }

  parameter(name: string): string | undefined {
    return new URLSearchParams(this.#window.location.search).get(name) || undefined;
  }

  /** Changes some parameters and keeps the others. The same values make no entry in the history. */
  write(changes: AddressChanges, step: AddressStep): void {
    const query = new URLSearchParams(this.#window.location.search);
    const before = query.toString();
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') query.delete(name);
      else query.set(name, value);
    }
    if (query.toString() === before) return;
    this.#put(pageUrl(this.path, query), step);
    this.#last = this.whole;
  }

  /** Goes to another page of this site; followers are notified. */
  go(to: string, step: AddressStep = 'push'): void {
    if (to === this.whole) return;
    this.#put(to, step);
    this.#notify('link');
  }

  /** Calls back after each move that the caller did not write itself. @returns stops it */
  follow(listener: (move: AddressMove) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #put(url: string, step: AddressStep): void {
    const { history } = this.#window;
    if (step === 'push') history.pushState(null, '', url);
    else history.replaceState(null, '', url);
  }

  #notify(by: AddressMove['by']): void {
    const from = this.#last;
    this.#last = this.whole;
    for (const listener of this.#listeners) listener({ by, from });
  }
}

/** A path with parameters, such as `/revenue?property=harbor-hotel`; empty ones are left out. */
export function pageUrl(path: string, parameters: URLSearchParams | AddressChanges): string {
  const given = parameters instanceof URLSearchParams ? [...parameters] : Object.entries(parameters);
  const query = new URLSearchParams(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

let ofPage: PageAddress | undefined;
const here = (): PageAddress => (ofPage ??= new PageAddress(window));

/** Path and query of the open page. */
export const currentAddress = (): string => here().whole;

/** Path of the open page. */
export const currentPath = (): string => here().path;

/** A parameter of the address; `undefined` when absent or empty. */
export const parameter = (name: string): string | undefined => here().parameter(name);

/** Writes parameters of the open view: `push` for what a person goes Back from, `replace` for small moves. */
export const writeParameters = (changes: AddressChanges, step: AddressStep): void => here().write(changes, step);

/** Goes to a page of this site without loading the document again. */
export const goToPage = (to: string, step?: AddressStep): void => here().go(to, step);

/** Calls back after every move: for the page around the workspaces. @returns stops it */
export const followMoves = (listener: (move: AddressMove) => void): (() => void) => here().follow(listener);

/**
 * Calls back after Back, Forward and links within the workspace that is open now: read the parameters again. Own
 * writes do not count. A workspace stops it in its `close()`.
 */
export function followAddress(listener: () => void): () => void {
  const own = pageAt(currentPath());
  return here().follow(() => {
    if (pageAt(currentPath()) === own) listener();
  });
}
