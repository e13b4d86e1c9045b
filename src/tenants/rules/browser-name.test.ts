import t from 'tap';

import { browserName } from './browser-name.ts';

t.test('a browser has a short name, without its version', async (t) => {
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
  t.equal(browserName(`${windows} ${chrome}`), 'Chrome, Windows');
  t.equal(browserName(`${windows} ${chrome} Edg/130.0`), 'Edge, Windows');
  t.equal(browserName('Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'), 'Firefox, Linux');
  t.equal(
    browserName('Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile Safari/604.1'),
    'Safari, iPhone',
  );
  t.equal(browserName('curl/8.5'), '');
  t.equal(browserName(undefined), '');
  t.equal(browserName(`${'x'.repeat(10_000)} Firefox/1`), '', 'what is far behind is not looked at');
});
