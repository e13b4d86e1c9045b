import { SignedText } from '../../kernel/operations/signed-text.ts';
import type { InquiryId } from '../../kernel/rules/ids.ts';
import { QuoteTokens, verifyQuote } from '../../rates/operations/quote-token.ts';
import type { Stay } from '../../rates/rules/stay.ts';
import { type BookingOptions, envelope, freshId, placeHoldCommand, PROPERTY_ID } from '../property-world.ts';
import { LifeModel } from './life-model.ts';
import type { LifeCharges } from './life-prices.ts';
import type { Scene } from './scene.ts';

const signed = new SignedText([{ id: 'k1', secret: new Uint8Array(32).fill(1) }]);

/** Ways in which a stay gets its price: at the moment of the booking, or promised before prices move. */
const WAYS = ['now', 'now', 'token', 'hold', 'inquiry'] as const;

/** What a booking takes from a promise of the current price; `undefined` where it is made without one, or none is given. */
export function promisedPrice(scene: Scene, stay: Stay, drawn: number): BookingOptions | undefined {
  // Day use has a price of its own, which never moves.
  if (stay.dayUse) return undefined;
  switch (WAYS[drawn % WAYS.length]!) {
    case 'now':
      return undefined;
    case 'token': {
      const { roomType, ...query } = stay;
      const { rates } = scene.view.quote(query, scene.now);
      const rate = rates.find((one) => one.roomType === roomType && one.bookable);
      if (!rate) return undefined;
      const token = new QuoteTokens(signed, PROPERTY_ID, query, scene.now, scene.view.charges).of(rate);
      return { quote: verifyQuote(signed, token, PROPERTY_ID, stay) };
    }
    case 'hold': {
      const outcome = scene.batch(envelope(placeHoldCommand(1, stay))).outcomes[0]!;
      if (outcome.kind !== 'accepted') return undefined;
      return { fromHold: (outcome.decision.result as { id: string }).id };
    }
    case 'inquiry': {
      const wanted = { inquiryId: freshId() as InquiryId, stay, guest: { firstName: 'Ada', lastName: 'Byron' } };
      const { inquiry } = scene.accept({ type: 'KEEP_INQUIRY', inquiry: wanted });
      return { quote: inquiry.quote, inquiryId: inquiry.inquiryId };
    }
  }
}

/** The property charges other taxes and fees from now on. */
export function changedCharges(scene: Scene, drawn: number): LifeCharges {
  const property = scene.state.property!;
  const charging = {
    taxPercent: (drawn % 41) / 2,
    feePerNight: (drawn % 7) * 55,
    feePerPersonNight: (drawn % 5) * 110,
  };
  const { metadata } = property;
  const policies = { ...metadata.policies, ...charging };
  scene.accept({ type: 'UPDATE_PROPERTY', property: { ...property, metadata: { ...metadata, policies } } });
  return charging;
}

/** A model that is used once. */
export class LifeModelCopy extends LifeModel {
  constructor(of: LifeModel) {
    super(of.policies, of.now);
    for (const [key, rooms] of of.blocked) this.blocked.set(key, rooms);
    Object.assign(this.base, of.base);
    this.charging = of.charging;
  }
}
