import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

import { DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { personOf } from '../../../src/tenants/contracts/person-key.ts';
import {
  endedAnswer,
  personAnswer,
  preferencesAnswer,
  preferencesBody,
  sessionsAnswer,
} from '../../../src/tenants/contracts/person.ts';
import type { People } from '../../../src/tenants/ports.ts';
import type { PersonId, Preferences } from '../../../src/tenants/rules/preferences.ts';
import type { BrowserSessions } from '../../auth/browser-sessions.ts';
import { type Identity, sessionEnded } from '../../auth/identity.ts';
import { stampedReply } from '../../http/admission/admission.ts';
import { countedAddress } from '../../http/admission/client-address.ts';
import type { RateLimits } from '../../http/admission/rate-limit.ts';
import { bearerOf } from '../../http/credentials.ts';
import { refuseFields, SchemaPipe } from '../../http/validation.ts';

/** Who a token is of, beside what only some tokens have. */
type Verified = Pick<Identity, 'issuer' | 'subject' | 'mark'>;

export type OwnSettingsOptions = {
  people: People;
  /** Verifies a token, and counts a bad one for the address. */
  identify: (token: string, address: string) => Promise<Verified> | Verified;
  /** What is known of a person, with his name in a tenant. */
  profileOf: (who: Verified, tenantId: string | undefined) => Promise<z.output<typeof personAnswer>>;
};

type Parts = OwnSettingsOptions & {
  sessions: BrowserSessions;
  limits: RateLimits;
  /** The session cookie of a request, if this installation made it. */
  ownCookie: (request: FastifyRequest, reply: FastifyReply) => Promise<string | undefined>;
  isForeign: (request: FastifyRequest) => boolean;
};

/** A body of preferences has a handful of short members. */
const MAX_BODY_BYTES = 4_096;
const OPEN = { bodyLimit: MAX_BODY_BYTES, config: { access: { gate: 'open' as const } } };
const WITHOUT_BODY = { ...OPEN, preHandler: refuseFields };
const ID = /^[\w-]{43}$/;
const TENANT = /^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/;
const validated = new SchemaPipe();

/**
 * Routes for what belongs to a person and to none of his tenants: `/auth/person`, `/auth/preferences`,
 * `/auth/sessions` (docs/reference/own-settings.md#own-settings). Each needs an access token; the cookie only says
 * which session is that of the browser.
 */
export function registerOwnSettings(fastify: FastifyInstance, parts: Parts): void {
  const { people, sessions, profileOf, ownCookie } = parts;
  const who = personBy(parts);
  fastify.get('/auth/person', OPEN, async (request, reply) => {
    const { identity } = await who(request, reply);
    const tenant = String(request.headers['x-tenant-id'] ?? '');
    return z.encode(personAnswer, await profileOf(identity, TENANT.test(tenant) ? tenant : undefined));
  });
  fastify.get('/auth/preferences', OPEN, async (request, reply) => {
    const { person } = await who(request, reply);
    return z.encode(preferencesAnswer, await people.preferences(person));
  });
  fastify.patch('/auth/preferences', OPEN, async (request, reply) => {
    const { person } = await who(request, reply);
    const change = validated.transform(request.body, { type: 'body', schema: preferencesBody });
    return z.encode(preferencesAnswer, await people.prefer(person, change as z.output<typeof preferencesBody>));
  });
  fastify.get('/auth/sessions', OPEN, async (request, reply) => {
    const { person } = await who(request, reply);
    const here = sessions.placeOf(await ownCookie(request, reply));
    const items = await sessions.ofPerson(person);
    return z.encode(sessionsAnswer, { items: items.map((one) => ({ ...one, isThis: one.id === here?.id })) });
  });
  fastify.delete('/auth/sessions', WITHOUT_BODY, async (request, reply) => {
    const { person } = await who(request, reply);
    const here = sessions.placeOf(await ownCookie(request, reply));
    return z.encode(endedAnswer, { ended: await sessions.endOfPerson(person, { butFor: here?.id }) });
  });
  fastify.delete('/auth/sessions/:id', WITHOUT_BODY, async (request, reply) => {
    const { person } = await who(request, reply);
    const { id = '' } = request.params as { id?: string };
    const ended = ID.test(id) ? await sessions.endOfPerson(person, { id }) : 0;
    if (ended === 0) throw new DomainError('SESSION_NOT_FOUND', 'You have no session with this id.');
    return z.encode(endedAnswer, { ended });
  });
}

/** The preferences of the person of a token; `undefined` when they cannot be read: no sign-in fails for that. */
export async function preferencesBy(
  { people, identify }: Pick<OwnSettingsOptions, 'people' | 'identify'>,
  token: string,
  address: string,
): Promise<{ person: PersonId; preferences: Preferences } | undefined> {
  try {
    const person = personOf(await identify(token, address));
    return { person, preferences: await people.preferences(person) };
  } catch {
    return undefined;
  }
}

/** Whose token a request carries. */
function personBy({ people, identify, limits, isForeign }: Parts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<{ identity: Verified; person: PersonId }> => {
    reply.header('cache-control', 'no-store');
    if (isForeign(request)) throw new DomainError('UNAUTHENTICATED', 'Only the page of this service is answered.');
    const identity = await identify(bearerOf(request), countedAddress(request.ip));
    stampedReply(reply, () => limits.countSubject(`${identity.issuer}|${identity.subject}`));
    const person = personOf(identity);
    if (identity.mark !== undefined && (await people.hasEnded(person, identity.mark))) throw sessionEnded();
    return { identity, person };
  };
}
