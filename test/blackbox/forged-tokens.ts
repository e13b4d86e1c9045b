import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createHmac } from 'node:crypto';

import { type Changes, signedToken, signingKey } from './signed-token.ts';

export type Token = { what: string; token: string };

/**
 * Tokens that must be refused, made from a good one of the development issuer
 * (docs/concepts/tenants-and-roles.md#tokens).
 */
export async function forgedTokens(dataDir: string, good: string, evilUrl: string): Promise<Token[]> {
  return [...unsigned(dataDir, good), ...(await wronglySigned(good, evilUrl)), ...(await wrongClaims(dataDir, good))];
}

/** Tokens that are right, though unusual: without them the others would prove nothing. */
export async function rightTokens(dataDir: string, good: string): Promise<Token[]> {
  const now = Math.floor(Date.now() / 1000);
  return [
    await signed('signed anew', dataDir, good, {}),
    await signed('ours among its audiences', dataDir, good, { claims: { aud: ['other', 'innkeeper'] } }),
    await signed('expired for two seconds', dataDir, good, { claims: { exp: now - 2 } }),
    await signed('typ in full', dataDir, good, { header: { typ: 'application/at+jwt' } }),
  ];
}

async function signed(what: string, dataDir: string, good: string, changes: Changes): Promise<Token> {
  return { what, token: await signedToken(dataDir, good, changes) };
}

function encoded(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

function unsigned(dataDir: string, good: string): Token[] {
  const header = decodeProtectedHeader(good);
  const [, payload = '', signature = ''] = good.split('.');
  const key = signingKey(dataDir, header.kid);
  const { d: _secret, ...publicKey } = key;
  const hs256 = (secret: string | Buffer): string => {
    const text = `${encoded({ ...header, alg: 'HS256' })}.${payload}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const owner = encoded({ ...decodeJwt(good), sub: 'demo-owner' });
  const none = (alg: string, end = ''): string => `${encoded({ ...header, alg })}.${payload}.${end}`;
  return [
    { what: 'alg none', token: none('none') },
    { what: 'alg nOnE', token: none('nOnE') },
    { what: 'alg none with the signature of another', token: none('none', signature) },
    { what: 'no alg', token: `${encoded({ typ: header.typ, kid: header.kid })}.${payload}.${signature}` },
    { what: 'HS256 with the public key', token: hs256(Buffer.from(key.x ?? '', 'base64url')) },
    { what: 'HS256 with the public key as text', token: hs256(key.x ?? '') },
    { what: 'HS256 with the JWK', token: hs256(JSON.stringify(publicKey)) },
    { what: 'HS256 with nothing', token: hs256('') },
    { what: 'another alg for the same signature', token: none('ES256', signature) },
    { what: 'claims of somebody else', token: `${good.split('.')[0]}.${owner}.${signature}` },
    { what: 'no signature', token: `${good.split('.')[0]}.${payload}.` },
    { what: 'half a signature', token: good.slice(0, -20) },
    { what: 'a part too many', token: `${good}.${signature}` },
    { what: 'a header that is no JSON', token: `${encoded('{"alg":')}.${payload}.${signature}` },
    { what: 'a header that is a list', token: `${encoded([])}.${payload}.${signature}` },
    { what: 'claims that are no object', token: `${good.split('.')[0]}.${encoded('"x"')}.${signature}` },
    { what: 'dots only', token: '...' },
    { what: 'no JWT', token: 'opaque-0123456789' },
    { what: 'two tokens', token: `${good} ${good}` },
    { what: '9 KB', token: `${good}${'x'.repeat(9_000)}` },
  ];
}

/** By a key of our own, which the header recommends. */
async function wronglySigned(good: string, evilUrl: string): Promise<Token[]> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'evil', alg: 'EdDSA' };
  const { typ, kid } = decodeProtectedHeader(good);
  const evil = async (what: string, header: Record<string, unknown>): Promise<Token> => {
    const token = new SignJWT({ ...decodeJwt(good) }).setProtectedHeader({ alg: 'EdDSA', typ, ...header });
    return { what, token: await token.sign(privateKey) };
  };
  return [
    await evil('an unknown key', { kid: 'evil' }),
    await evil('another key under the id of ours', { kid }),
    await evil('another key without an id', {}),
    await evil('jwk', { kid, jwk }),
    await evil('jwk of an unknown id', { kid: 'evil', jwk }),
    await evil('jku', { kid: 'evil', jku: `${evilUrl}/jwks` }),
    await evil('x5u', { kid: 'evil', x5u: `${evilUrl}/x5u` }),
    await evil('x5c', { kid: 'evil', x5c: [encoded('certificate')] }),
    await evil('an id that is a path', { kid: '../../../dev/null' }),
    await evil('an id that is SQL', { kid: "x' union select 'key" }),
  ];
}

/** By the right key: only what they say is wrong. */
async function wrongClaims(dataDir: string, good: string): Promise<Token[]> {
  const now = Math.floor(Date.now() / 1000);
  const { iss = '' } = decodeJwt(good);
  const changes: Record<string, Changes> = {
    'wrong audience': { claims: { aud: 'other' } },
    'no audience': { claims: { aud: undefined } },
    'an audience like ours': { claims: { aud: 'innkeeper2' } },
    'wrong issuer': { claims: { iss: 'http://127.0.0.1:1' } },
    'an issuer like ours': { claims: { iss: `${iss}/` } },
    'no issuer': { claims: { iss: undefined } },
    'typ JWT': { header: { typ: 'JWT' } },
    'no typ': { header: { typ: undefined } },
    'typ of an ID token': { header: { typ: 'id+jwt' } },
    expired: { claims: { exp: now - 10 } },
    'expired long ago': { claims: { exp: 1 } },
    'no expiry': { claims: { exp: undefined } },
    'an expiry that is text': { claims: { exp: `${now + 60}` as unknown as number } },
    'not yet valid': { claims: { nbf: now + 60 } },
    'made in the future': { claims: { iat: now + 60 } },
    'nobody in it': { claims: { sub: '' } },
    'no subject': { claims: { sub: undefined } },
    'a subject that is a number': { claims: { sub: 1 as unknown as string } },
    'a critical header that nobody knows': { header: { crit: ['surprise'], surprise: 1 } },
  };
  return Promise.all(Object.entries(changes).map(([what, change]) => signed(what, dataDir, good, change)));
}
