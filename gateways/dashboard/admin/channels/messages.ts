import { textsOf } from '../../language/texts.ts';

const say = textsOf('admin-channels');

/** Texts of the channels. */
export const channelTexts = {
  lead: say(
    'Other sellers of the rooms of this property: they are sent rooms, restrictions and rates, and send their bookings.',
  ),
  none: say('There is no channel.'),
  name: say('Channel'),
  code: say('Code of the channel'),
  codeHint: say('Short and without spaces. Bookings of the channel have it as their medium.'),
  protocol: say('Protocol'),
  genericJson: say('JSON over HTTP'),
  ota: say('OTA 2003B'),
  address: say('Address'),
  addressHint: say('https, at a public address.'),
  authorization: say('Header for signing in'),
  authorizationHint: say('Sent with each message as “authorization”. It is not shown again; empty: as it is.'),
  availability: say('Send rooms and restrictions'),
  rates: say('Send rates'),
  minRate: say('Lowest rate to send'),
  maxRate: say('Highest rate to send'),
  commission: say('Commission, %'),
  stopSell: say('Close nights first that may be oversold'),
  stopSellHint: say('When the channel has taken nothing for five seconds.'),
  isActive: say('Send changes'),
  isActiveHint: say('After a pause only the newest values are sent. Meanwhile the channel may sell what is gone.'),
  room: say('Room at the channel'),
  roomHint: say('The id that the channel has for this room type; empty: it is not sold there.'),
  rate: (plan: string): string => say('Rate at the channel for {plan}', { plan }),
  noRoom: say('Give at least one room type a room and a rate of the channel.'),
  rooms: say('Rooms'),
  state: say('State'),
  active: say('Has everything'),
  waiting: (count: number): string =>
    say('{count, plural, one {# change is} other {# changes are}} still to be sent', { count }),
  failing: (failure: string): string => say('Not taken: {failure}', { failure }),
  atRisk: (count: number): string =>
    say('{count, plural, one {# night may be} other {# nights may be}} oversold there', { count }),
  rejected: (count: number): string =>
    say('{count, plural, one {# value was} other {# values were}} not taken', { count }),
  paused: say('Paused'),
  undeliverable: say('Paused: nothing was taken for three days'),
  gone: say('Paused: the channel wants no more'),
  newChannel: say('New channel'),
  add: say('Add channel'),
  added: say('The channel is there, and everything is being sent.'),
  edit: say('Edit'),
  saved: say('The channel is saved.'),
  status: say('State of sending'),
  statusLine: say('Sending everything again is for a channel that has lost what it was sent.'),
  sendAll: say('Send everything again'),
  isSent: say('Everything is being sent again.'),
  lastTaken: (at: string): string => say('Last message taken: {at}', { at }),
  neverTaken: say('No message was taken yet.'),
  lastError: (at: string, failure: string): string => say('Last failure: {at}, {failure}', { at, failure }),
  audited: (at: string, nights: number): string =>
    say('Compared: {at}, {nights, plural, =0 {no night} one {# night} other {# nights}} different', { at, nights }),
  cannotSay: say('The channel cannot say what it has: everything is sent to it once a night.'),
  delete: say('Delete'),
  deleteLine: say(
    'Nothing is sent to it any more. Close the rooms at the channel first: what it has it goes on selling.',
  ),
  deleted: say('The channel is deleted.'),
};
