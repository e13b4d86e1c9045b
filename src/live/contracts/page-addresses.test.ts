import t from 'tap';

import { mayOpen, pageAt, PAGES, startOf } from './page-addresses.ts';

t.test('a path leads to the page that it names, and others to none', async (t) => {
  for (const page of PAGES)
    for (const path of page.paths) t.equal(pageAt(path.replaceAll(/\{\w+\}/g, 'x')), page, path);
  for (const path of ['/', '/desks', '/desk/', '/desk/nowhere', '/reports/1', '/Revenue'])
    t.equal(pageAt(path), undefined, path);
});

t.test('the day of a role begins where it works', async (t) => {
  t.equal(startOf('STAFF'), '/desk');
  for (const role of ['VIEWER', 'MANAGER', 'ADMIN', 'OWNER', undefined]) t.equal(startOf(role), '/revenue');
});

t.test('a role is offered what it may open', async (t) => {
  const offered = (role: string) => PAGES.filter((page) => mayOpen(page, role)).map(({ workspace }) => workspace);
  t.notOk(offered('VIEWER').includes('reports'));
  t.ok(offered('STAFF').includes('reports'));
  t.notOk(offered('OWNER').includes('operations'), 'which is for operators of the installation');
  t.strictSame(offered(''), [], 'nothing before the role is known');
});
