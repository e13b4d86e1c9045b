import t from 'tap';

import { originForm } from './origin-form.ts';

void t.test('what follows the host is the path', async (t) => {
  const targets: [string, string][] = [
    ['/api/v1/reservations?limit=1', '/api/v1/reservations?limit=1'],
    ['http://hotel.example/api/v1?x=http://y/z', '/api/v1?x=http://y/z'],
    ['HTTPS://hotel.example:8443/', '/'],
    ['http://hotel.example', '/'],
    ['http://hotel.example?x=1', '/?x=1'],
    ['http://user@hotel.example/a#b', '/a#b'],
    ['http:///a', 'http:///a'],
    ['ftp://hotel.example/a', 'ftp://hotel.example/a'],
    ['*', '*'],
    ['hotel.example:80', 'hotel.example:80'],
  ];
  for (const [target, path] of targets) t.equal(originForm(target), path, target);
});
