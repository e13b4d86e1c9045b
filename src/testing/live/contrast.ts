import type { Page } from 'playwright-core';

/** As text, because it runs in the page, whose types are unknown here. */
const MEASURE = `(selector) => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const over = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb) => rgb
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  let worst = { ratio: 21, text: '' };
  for (const element of document.querySelectorAll(selector)) {
    if (element.children.length > 0 || element.textContent.trim() === '') continue;
    const grounds = [];
    for (let at = element; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
    const ground = over(['white', ...grounds]);
    const ink = over(['white', ...grounds, getComputedStyle(element).color]);
    const [light, dark] = [luminance(ground), luminance(ink)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < worst.ratio) worst = { ratio, text: element.textContent + ' in ' + element.className };
  }
  return worst;
}`;

/** Lowest contrast (WCAG 2) of any matching text, with the colours that the browser mixed. */
export function worstContrast(page: Page, selector: string): Promise<{ ratio: number; text: string }> {
  return page.evaluate<{ ratio: number; text: string }>(`(${MEASURE})(${JSON.stringify(selector)})`);
}
