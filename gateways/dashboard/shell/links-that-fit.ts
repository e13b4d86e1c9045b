/** Widths in pixels; `here` is the place of the link of the open page, -1 without one. */
type Links = { widths: readonly number[]; here: number; room: number; more: number };

/**
 * Places of the links that a navigation has room for, in their order: all of them, or the open page and the first
 * ones, with a menu for the rest. None where not even the open page fits beside that menu.
 */
export function linksThatFit({ widths, here, room, more }: Links): number[] {
  const all = widths.map((_, place) => place);
  if (sum(widths) <= room) return all;
  let left = room - more - (widths[here] ?? 0);
  if (left < 0) return [];
  const shown = new Set([here]);
  for (const place of all) {
    if (place === here) continue;
    left -= widths[place]!;
    if (left < 0) break;
    shown.add(place);
  }
  return all.filter((place) => shown.has(place));
}

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);
