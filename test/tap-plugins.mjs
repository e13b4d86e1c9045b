import { spawnSync } from 'node:child_process';
import { t } from 'tap';

/**
 * What npm installs is tap with its TypeScript plugin, which .taprc leaves out: a test runner that notices it only
 * while it runs has already loaded the wrong one. Building it anew takes ten seconds, so it is done once.
 */
if (t.pluginSignature.includes('@tapjs/typescript')) {
  const { status } = spawnSync('tap', ['build'], { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = status ?? 1;
}
