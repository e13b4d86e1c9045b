import type { Minor } from '../../../src/kernel/rules/money.ts';
import { namedLines, taxLinesOf } from '../../../src/money/rules/taxes.ts';
import type { Photo } from '../../../src/properties/rules/photo.ts';
import type { Property, RoomType } from '../../../src/properties/rules/property.ts';
import { POLICY_FEE, POLICY_TAX, type Tax } from '../../../src/properties/rules/tax.ts';
import type { Party } from '../../../src/rates/rules/stay.ts';
import type { FoundOffers, OnlineOffer } from '../../../src/stay/operations/online/find-offers.ts';
import { html, type Markup } from '../html.ts';
import type { Texts } from '../texts.ts';
import type { PageContext } from './page-context.ts';
import { photosOf } from './photos.ts';
import { offerTermsText } from './terms-text.ts';

type Rooms = FoundOffers['rooms'];

/** A chosen offer in one field of a form: each part is free of the separator once it is encoded. */
const offerChoice = ({ roomType, rateCode, quoteToken }: OnlineOffer): string =>
  [roomType, rateCode, quoteToken].map(encodeURIComponent).join('|');

/** Offers of a search: of one room each with its own button, of several with one choice each. */
export function offerList(page: PageContext, { online, rooms }: FoundOffers, photos: readonly Photo[]): Markup {
  const { property } = online.view.setup;
  const isAlone = rooms.length === 1;
  const lists = rooms.map(({ party, types }, index) => {
    const offers = types.map((one) => typeEntry(page, property, one, { number: index + 1, isAlone, photos }));
    if (isAlone) return offers;
    const name = page.texts.text('offers.room', { number: index + 1, guests: guestsText(page.texts, party) });
    return html`<section aria-label="${name}">
      <h3>${name}</h3>
      ${offers}
    </section>`;
  });
  return html`${lists}${!isAlone && html`<p class="go"><button>${page.texts.text('offers.select')}</button></p>`}`;
}

/** A party in words. */
export function guestsText(texts: Texts, { adults, children }: Party): string {
  return texts.text('guests', { adults, children });
}

type Entry = { number: number; isAlone: boolean; photos: readonly Photo[] };

function typeEntry(
  page: PageContext,
  property: Property,
  { type, offers }: Rooms[number]['types'][number],
  entry: Entry,
): Markup {
  const { texts } = page;
  return html`<article class="room">
    ${photosOf(page, type.roomType, entry.photos)}
    <div class="about">
      <h3>${type.name}</h3>
      <p>
        ${texts.text('offers.maxGuests', { count: maxGuestsOf(type) })}${type.amenities.length > 0 && html` · ${type.amenities.join(', ')}`}
      </p>
      <ul class="offers">
        ${offers.map((offer, index) => offerEntry(page, property, offer, { ...entry, isFirst: index === 0 }))}
      </ul>
    </div>
  </article>`;
}

const maxGuestsOf = ({ maxGuests, maxAdults, maxChildren }: RoomType): number => maxGuests ?? maxAdults + maxChildren;

function offerEntry(
  page: PageContext,
  { metadata }: Property,
  offer: OnlineOffer,
  { number, isAlone, isFirst }: Entry & { isFirst: boolean },
): Markup {
  const { texts, services } = page;
  const { currency, total, before, nights, planName } = offer;
  const price = html`<strong class="price">${texts.money(total, currency)}</strong>`;
  const discount =
    before !== undefined &&
    before > total &&
    html`<p class="discount">
      ${texts.text('offers.discount', {
        before: texts.money(before, currency),
        saved: texts.money(before - total, currency),
      })}
    </p>`;
  const id = `offer-${number}-${encodeURIComponent(`${offer.roomType}-${offer.rateCode}`).replaceAll('%', '_')}`;
  const choose = isAlone
    ? html`<button name="choice1" value="${offerChoice(offer)}" aria-describedby="${id}">
        ${texts.text('offers.select')}
      </button>`
    : html`<label class="choose"
        ><input
          type="radio"
          name="choice${number}"
          value="${offerChoice(offer)}"
          required
          aria-describedby="${id}"
          ${isFirst && html` checked`}
        />
        ${texts.text('offers.choose')}</label
      >`;
  return html`<li>
    <div id="${id}">
      <p>${price} <span>${texts.text('offers.forNights', { nights: nights.length })}</span></p>
      <p class="plan">${planName}</p>
      ${discount}
      <p class="terms">${offerTermsText(texts, offer, metadata, services.clock.now())}</p>
    </div>
    ${priceBreakdown(texts, offer, metadata.policies.taxes)}
    <p class="go">${choose}</p>
  </li>`;
}

type Priced = Pick<OnlineOffer, 'nights' | 'currency' | 'total'> & {
  /** What the total has beside the nights, by name. */
  beside?: readonly [name: string, amount: Minor][];
};

/** Price by night, and taxes and fees by name, on demand. */
export function priceBreakdown(
  texts: Texts,
  { nights, currency, total, beside = [] }: Priced,
  taxes: readonly Tax[],
): Markup {
  const money = (amount: number): string => texts.money(amount, currency);
  const lines = namedLines(taxLinesOf(nights), taxes);
  const ours: Readonly<Record<string, string>> = {
    [POLICY_TAX]: texts.text('price.taxes'),
    [POLICY_FEE]: texts.text('price.fees'),
  };
  const row = (name: string, amount: number): Markup =>
    html`<tr>
      <th scope="row">${name}</th>
      <td>${money(amount)}</td>
    </tr>`;
  const charges = lines.map(({ code, name = code, amount }) =>
    row(taxes.some((tax) => tax.code === code) ? name : (ours[code] ?? name), amount),
  );
  return html`<details class="breakdown">
    <summary>${texts.text('price.breakdown')}</summary>
    <table>
      <tbody>
        ${nights.map(({ day, rate }) => row(texts.day(day), rate))}${charges}${beside.map(([name, amount]) => amount !== 0 && row(name, amount))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${texts.text('price.total')}</th>
          <td>${money(total)}</td>
        </tr>
      </tfoot>
    </table>
  </details>`;
}
