import { readFileSync } from 'node:fs';

/** @typedef {{ name: string, uid: number, gid: number }} Account */

/** Accounts for PostgreSQL when root starts it, best first. None is ever created. */
const unprivileged = ['postgres', 'nobody'];

/**
 * The account that PostgreSQL must run as. It refuses root, so root uses an unprivileged account.
 * @param {number} [ownerId] owner of an existing database: only its owner can open it
 * @returns {Account | undefined} undefined when PostgreSQL runs as the current user
 */
export function databaseAccount(ownerId) {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readAccounts();
  const owner = accounts.find((account) => account.uid === ownerId && account.uid !== 0);
  if (owner) return owner;
  if (ownerId) return { name: String(ownerId), uid: ownerId, gid: ownerId };
  return unprivileged.map((name) => accounts.find((account) => account.name === name)).find(Boolean);
}

/** @returns {Account[]} */
function readAccounts() {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length > 3)
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
