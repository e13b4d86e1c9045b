/** Channel of reservations that agents have made; nobody else sells by it. */
export const AGENT_CHANNEL = 'AGENT';

/** Bounds of an agent, below those of users (docs/reference/mcp.md#limits). */
export const AGENT_BOUNDS = {
  /** Nights of a stay. */
  nights: 30,
  /** Rooms of one hold. */
  rooms: 2,
  /** Holds and unpaid reservations at a time, over all properties of the tenant. */
  holds: 3,
  /** Rooms x nights of these. */
  roomNights: 60,
  /** Confirmed stays to come that are not paid, over all properties of the tenant. */
  unpaidStays: 10,
  /** Bookings within 24 hours, with those that were cancelled: of the agent, and of them to one e-mail address. */
  bookingsOfDay: 30,
  bookingsOfAddress: 5,
  /** Offers of one search; the cheapest come first. */
  offers: 20,
  /** Properties of one list. */
  properties: 50,
  /** Days for which a payment link is valid; an unpaid reservation is over long before. */
  linkDays: 1,
} as const;

/** Guarantees that an agent can give: none, or that its person pays by a link. It has no card, and no company. */
export const AGENT_GUARANTEES = { AT_PROPERTY: 'NONE', BY_LINK: 'PREPAY' } as const;

/** What a program may do on behalf of a person; each is a tool of the MCP server. */
export const AGENT_TOOLS = [
  'list_properties',
  'search_availability',
  'quote_stay',
  'explain_price',
  'hold_room',
  'book_stay',
  'get_reservation',
  'cancel_reservation',
] as const;
export type AgentTool = (typeof AGENT_TOOLS)[number];

/** Longest text of a property that is passed on. */
const MAX_TEXT = 200;

/**
 * A text of a property as data: without the characters that are invisible, and could hide instructions from people who
 * read along.
 */
export function plainText(text: string): string {
  const shown = text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu, ' ');
  return shown.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
}
