import { moneyText } from '../../messages.ts';
import { ServiceButton } from '../../service-button.tsx';
import { bookingMessages as words, notSoldText, termsText } from './messages.ts';
import type { NewReservation } from './new-reservation.ts';
import { offerOf, partyKey } from './offers.ts';
import { RoomNumberField } from './room-number-field.tsx';
import type { StayOffer, Offers, RoomForm } from './shapes.ts';
import { PartyFields } from './stay-fields.tsx';

type Props = { state: NewReservation };
const NONE: Offers = { offers: [], notSold: [] };
/** Fewer rooms left are said. */
const FEW = 4;

/** What is sold for the nights: prices with taxes first, and the terms in a sentence. */
export function OfferFields({ state }: Props) {
  const form = state.form.value;
  return (
    <>
      <p class="visually-hidden" role="status">
        {state.loading.value ? words.loading : ''}
      </p>
      <div class="offers" aria-busy={state.loading.value}>
        {form.differ ? (
          form.rooms.map((room, index) => <OwnRoom key={index} state={state} room={room} index={index} />)
        ) : (
          <SameRooms state={state} room={form.rooms[0]!} />
        )}
        {form.rooms.length === 1 && <RoomNumberField state={state} />}
        {!state.isWalkIn && (
          <label class="field">
            {words.optional(words.promo)}
            <input
              type="text"
              name="promoCode"
              maxLength={20}
              autocomplete="off"
              value={form.promoCode}
              onInput={(event) => state.change({ promoCode: event.currentTarget.value.toUpperCase() })}
            />
          </label>
        )}
      </div>
    </>
  );
}

/** One choice for all rooms: first the type, then the plan. */
function SameRooms({ state, room }: Props & { room: RoomForm }) {
  const { offers, notSold } = state.offers.value.get(partyKey(room)) ?? NONE;
  const names = state.desk.names.value;
  const types = [...new Set(offers.map(({ roomType }) => roomType))];
  const count = state.form.value.rooms.length;
  if (state.datesProblem !== undefined) return null;
  if (offers.length === 0 && notSold.length === 0)
    return <p class="muted">{state.loading.value ? words.loading : words.noOffers}</p>;
  return (
    <>
      <fieldset class="room-types">
        <legend>{words.roomType}</legend>
        {types.map((roomType) => {
          const own = offers.filter((offer) => offer.roomType === roomType);
          const { left, currency } = own[0]!;
          const cheapest = Math.min(...own.map(({ total }) => total));
          return (
            <label key={roomType} class="option">
              <input
                type="radio"
                name="roomType"
                checked={room.roomType === roomType}
                disabled={left < count}
                onChange={() => state.changeRoom(0, { roomType })}
              />
              <span>
                <strong>{names.get(roomType) ?? roomType}</strong>
                <span class="amount">{words.from(moneyText(cheapest, currency))}</span>
                {left < Math.max(FEW, count) && <small>{words.left(left)}</small>}
              </span>
            </label>
          );
        })}
        {notSold.map((one) => (
          <div key={one.roomType} class="not-sold">
            <span>
              <strong>{names.get(one.roomType) ?? one.roomType}</strong> {notSoldText(one)}
            </span>
            {one.reason.startsWith('SOLD_OUT') && (
              <ServiceButton
                desk={state.desk}
                onClick={(event) => {
                  if (event.currentTarget.form?.reportValidity()) void state.waitFor(one.roomType);
                }}
              >
                {words.wait}
              </ServiceButton>
            )}
          </div>
        ))}
      </fieldset>
      <fieldset class="plans">
        <legend>
          {words.ratePlan}
          {count > 1 && ` (${words.perRoom})`}
        </legend>
        {offers
          .filter(({ roomType }) => roomType === room.roomType)
          .map((offer) => (
            <PlanOption
              key={offer.plan.code}
              state={state}
              offer={offer}
              isChosen={offer.plan.code === room.rateCode}
            />
          ))}
      </fieldset>
    </>
  );
}

function PlanOption({ state, offer, isChosen }: Props & { offer: StayOffer; isChosen: boolean }) {
  return (
    <label class="option">
      <input
        type="radio"
        name="rateCode"
        checked={isChosen}
        onChange={() => state.changeRoom(0, { rateCode: offer.plan.code })}
      />
      <span>
        <strong class="amount">{moneyText(offer.total, offer.currency)}</strong>
        <small>{words.withTaxes}</small>
        <span>{offer.plan.name}</span>
        <small class="terms">{termsText(offer, Date.now(), state.desk.property.value?.timezone)}</small>
      </span>
    </label>
  );
}

/** A room with guests and an offer of its own. */
function OwnRoom({ state, room, index }: Props & { room: RoomForm; index: number }) {
  const { offers } = state.offers.value.get(partyKey(room)) ?? NONE;
  const chosen = offerOf(room, state.offers.value);
  const names = state.desk.names.value;
  return (
    <fieldset class="own-room">
      <legend>{words.room(index + 1)}</legend>
      <div class="fields three">
        <PartyFields state={state} room={room} index={index} />
      </div>
      <label class="field">
        {words.roomType}, {words.ratePlan.toLowerCase()}
        <select
          value={chosen ? `${room.roomType}\n${room.rateCode}` : ''}
          required
          onChange={({ currentTarget: { value } }) => {
            const [roomType = '', rateCode = ''] = value.split('\n');
            state.changeRoom(index, { roomType, rateCode });
          }}
        >
          {!chosen && <option value="">…</option>}
          {offers.map((offer) => (
            <option key={`${offer.roomType}\n${offer.plan.code}`} value={`${offer.roomType}\n${offer.plan.code}`}>
              {`${moneyText(offer.total, offer.currency)} ${names.get(offer.roomType) ?? offer.roomType}, ${offer.plan.name}`}
            </option>
          ))}
        </select>
      </label>
      {chosen && <small>{termsText(chosen, Date.now(), state.desk.property.value?.timezone)}</small>}
    </fieldset>
  );
}
