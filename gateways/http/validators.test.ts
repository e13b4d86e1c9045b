import t from 'tap';

import { heldTagsOf } from './validators.ts';

const tags = (header?: string): readonly string[] =>
  heldTagsOf({ headers: header === undefined ? {} : { 'if-none-match': header } });

t.test('tags of If-None-Match are compared weakly', async (t) => {
  t.same(tags(), []);
  t.same(tags('"a"'), ['a']);
  t.same(tags('W/"a"'), ['a']);
  t.same(tags('W/"a-1", "b,c" ,W/"d"'), ['a-1', 'b,c', 'd']);
  t.same(tags('""'), ['']);
});

t.test('what is no tag names no answer', async (t) => {
  for (const header of ['*', 'a', '"a', 'w/a"', '', ',', '"a b"']) t.same(tags(header), [], header);
});
