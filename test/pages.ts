import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');

/** Packages and the folders of tools are not entered: what tests write there comes and goes meanwhile. */
const ours = readdirSync(ROOT, { withFileTypes: true }).filter(({ name }) => !/^(node_modules$|\.)/.test(name));

/** Every page of the repository, by its path from the root. */
export const pages = ours
  .flatMap((entry) =>
    entry.isDirectory() ? readdirSync(join(ROOT, entry.name), { recursive: true, withFileTypes: true }) : [entry],
  )
  .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .filter((file) => !/(^|\/)(node_modules|\.[^/]+)\//.test(file));
export const texts = new Map(pages.map((page) => [page, readFileSync(join(ROOT, page), 'utf8')]));

/** The text of a page without its examples. */
export const proseOf = (page: string): string => texts.get(page)!.replaceAll(/^```[\s\S]*?^```/gm, '');

/** Anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} +(.+)$/gm)) {
    const plain = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    let unique = anchor;
    for (let copy = 1; anchors.has(unique); copy += 1) unique = `${anchor}-${copy}`;
    anchors.add(unique);
  }
  return anchors;
}
