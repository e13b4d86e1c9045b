import t from 'tap';

import { releasedChangelog } from './release-changelog.ts';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A bell.\n\n## [0.1.0] - 2026-01-01\n\n- All.\n';

t.test('what is unreleased gets a version and a date', async (t) => {
  t.equal(
    releasedChangelog(CHANGELOG, '0.2.0', '2026-12-01'),
    '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- A bell.\n\n## [0.1.0] - 2026-01-01\n\n- All.\n',
  );
});

t.test('a version is released once, and not for nothing', async (t) => {
  t.throws(() => releasedChangelog(CHANGELOG, '0.1.0', '2026-12-01'), { message: /has 0\.1\.0 already/ });
  const once = releasedChangelog(CHANGELOG, '0.2.0', '2026-12-01');
  t.throws(() => releasedChangelog(once, '0.3.0', '2026-12-02'), { message: 'nothing is unreleased' });
  t.throws(() => releasedChangelog('# Changelog\n', '0.3.0', '2026-12-02'), { message: /needs one/ });
});
