import t from 'tap';

import { dependencyRows, licenseRows } from './dependencies-page.ts';

t.test('every package that the service names has a licence that is allowed, a purpose and a way out', (t) => {
  for (const [name = '', version = '', license = '', purpose = '', exit = ''] of dependencyRows()) {
    t.match(version, /^\d+\.\d+\.\d+/, name);
    t.ok(license !== '' && purpose !== '' && exit !== '', name);
  }
  const [first] = licenseRows();
  t.match(first, ['MIT', /^\d{3}$/]);
  t.end();
});
