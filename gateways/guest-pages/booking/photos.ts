import { type Photo, photoPath } from '../../../src/properties/rules/photo.ts';
import { html, type Markup } from '../html.ts';
import type { PageContext } from './page-context.ts';

/** Photos of a type after the first one are shown on demand. */
const MAX_MORE = 5;

/** The photos of a room type, or a quiet place for one. */
export function photosOf(page: PageContext, roomType: string, photos: readonly Photo[]): Markup {
  const { texts } = page;
  const [first, ...others] = photos.filter((one) => one.roomType === roomType);
  if (!first) return html`<p class="photo none">${texts.text('photo.none')}</p>`;
  const more = others.slice(0, MAX_MORE);
  return html`<div class="photos">
    ${photo(page, first)}
    ${
      more.length > 0 &&
      html`<details>
        <summary>${texts.text('photo.more')}</summary>
        ${more.map((one) => photo(page, one))}
      </details>`
    }
  </div>`;
}

/** A photo; the browser loads it when it comes into view. */
export function photo({ to }: PageContext, { photoId, alt, width, height }: Photo): Markup {
  const src = photoPath(to, photoId);
  return html`<img class="photo" src="${src}" alt="${alt}" width="${width}" height="${height}" loading="lazy" />`;
}
