import type { OtaRoot } from './ota-wire.ts';

export type HttpAnswer = { status: number; headers: Record<string, string>; body: string };

/** A value that is not taken, by its place in the message. */
export type RejectedValue = { place: number; code: string };

const LARGE_BYTES = 200 * 1024;

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** What a message is answered with, in its own protocol. */
export type Speaker = {
  taken(rejected: readonly RejectedValue[]): HttpAnswer;
  fault(code: string): HttpAnswer;
  large(): HttpAnswer;
};

export const speakGeneric: Speaker = {
  taken: (rejected) =>
    json(
      200,
      rejected.length === 0 ? {} : { rejected: rejected.map(({ place, code }) => ({ index: place, reason: code })) },
    ),
  fault: (code) => json(400, { code, title: 'The message cannot be taken' }),
  large: () => json(200, { note: 'x'.repeat(LARGE_BYTES) }),
};

/** Code of OTA's list of errors that stands for all faults of a value: invalid value. */
const OTA_CODE = '320';

export function speakOta(name: OtaRoot, echo: string): Speaker {
  const of = (content: string): HttpAnswer => ({
    status: 200,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body:
      `<?xml version="1.0" encoding="UTF-8"?><${name.replace(/RQ$/, 'RS')} ` +
      `xmlns="http://www.opentravel.org/OTA/2003/05" EchoToken="${echo.replaceAll(/[<>&"]/g, '')}" Version="1.0">` +
      `${content}</${name.replace(/RQ$/, 'RS')}>`,
  });
  const warning = ({ place, code }: RejectedValue): string =>
    `<Warning Type="3" Code="${OTA_CODE}" RecordID="${place}" ShortText="${code}"/>`;
  return {
    taken: (rejected) =>
      of(`<Success/>${rejected.length === 0 ? '' : `<Warnings>${rejected.map(warning).join('')}</Warnings>`}`),
    fault: (code) => of(`<Errors><Error Type="3" Code="${OTA_CODE}" ShortText="${code}"/></Errors>`),
    large: () => of(`<Success/><!-- ${'x'.repeat(LARGE_BYTES)} -->`),
  };
}
