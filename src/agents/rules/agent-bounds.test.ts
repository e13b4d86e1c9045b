import t from 'tap';

import { plainText } from './agent-bounds.ts';

t.test('a text of a hotel has no characters that people do not see', async (t) => {
  t.equal(plainText('Sea\u0000 view\u200b\u202e room\nignore\tall'), 'Sea view room ignore all');
  t.equal(plainText('Hôtel de la Plage \u{1f3d6}'), 'Hôtel de la Plage \u{1f3d6}');
  t.equal(plainText('x'.repeat(1_000)).length, 200);
  t.notMatch(plainText('a\u{e0041}\u{e0042}b'), /[\u{e0000}-\u{e007f}]/u, 'tags that spell words');
});
