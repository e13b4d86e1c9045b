import t from 'tap';

import { PageAddress, pageUrl, type AddressWindow } from './address.ts';

/** A window with a history, as far as an address needs one. */
function scriptedWindow(start: string): AddressWindow & { entries: string[]; back(): void } {
  const entries = [start];
  let at = 0;
  const listeners: (() => void)[] = [];
  const url = (): URL => new URL(entries[at] ?? '/', 'http://page.example');
  return {
    entries,
    location: {
      get pathname() {
        return url().pathname;
      },
      get search() {
        return url().search;
      },
    },
    history: {
      pushState: (_state, _title, to) => void entries.splice(++at, entries.length, to),
      replaceState: (_state, _title, to) => void (entries[at] = to),
    },
    addEventListener: (_type, listener) => void listeners.push(listener),
    back() {
      at -= 1;
      for (const listener of listeners) listener();
    },
  };
}

t.test('a view writes its parameters and keeps those of others', async (t) => {
  const window = scriptedWindow('/revenue?property=harbor-hotel&mode=price');
  const address = new PageAddress(window);
  t.equal(address.path, '/revenue');
  t.equal(address.parameter('property'), 'harbor-hotel');
  t.equal(address.parameter('night'), undefined);

  address.write({ night: '2027-03-01', mode: undefined }, 'push');
  address.write({ night: '2027-03-02' }, 'replace');
  t.strictSame(window.entries, [
    '/revenue?property=harbor-hotel&mode=price',
    '/revenue?property=harbor-hotel&night=2027-03-02',
  ]);
});

t.test('the same values make no entry in the history, and an empty one is none', async (t) => {
  const window = scriptedWindow('/desk?date=2027-03-01');
  const address = new PageAddress(window);
  address.write({ date: '2027-03-01' }, 'push');
  address.write({ view: '' }, 'push');
  address.go('/desk?date=2027-03-01');
  t.equal(window.entries.length, 1);
  address.write({ date: '' }, 'push');
  t.equal(window.entries.at(-1), '/desk');
  t.equal(new PageAddress(scriptedWindow('/desk?date=')).parameter('date'), undefined);
});

t.test('Back and links are notified, own writes are not', async (t) => {
  const window = scriptedWindow('/desk');
  const address = new PageAddress(window);
  const seen: string[] = [];
  const stop = address.follow(({ by, from }) => seen.push(`${by} from ${from} to ${address.whole}`));
  address.write({ stay: 'one' }, 'push');
  t.strictSame(seen, []);
  window.back();
  address.go('/desk?stay=two');
  t.strictSame(seen, ['back from /desk?stay=one to /desk', 'link from /desk to /desk?stay=two']);
  stop();
  window.back();
  t.equal(seen.length, 2);
});

t.test('an address leaves out what has no value', async (t) => {
  t.equal(pageUrl('/guests', { query: undefined }), '/guests');
  t.equal(pageUrl('/guests', { query: 'Ana Ruiz', page: '' }), '/guests?query=Ana+Ruiz');
});
