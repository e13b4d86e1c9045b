// Runs in the page (hands.ts): the key that leads on from what has the focus to an element. Arrows within a grid, and
// within choices of which one is taken; Tab everywhere else. Empty when the focus is there.
globalThis.nextKey = (target) => {
  const at = document.activeElement;
  if (at === target) return '';
  if (at.type === 'radio' && target.type === 'radio' && at.name === target.name) {
    const all = [...document.getElementsByName(at.name)];
    return all.indexOf(at) < all.indexOf(target) ? 'ArrowDown' : 'ArrowUp';
  }
  const grid = target.closest('[role=grid], [role=treegrid]');
  if (!grid?.contains(at)) return 'Tab';
  const from = at.getBoundingClientRect();
  const to = target.getBoundingClientRect();
  if (Math.abs(from.y - to.y) > 4) return from.y < to.y ? 'ArrowDown' : 'ArrowUp';
  return from.x < to.x ? 'ArrowRight' : 'ArrowLeft';
};
