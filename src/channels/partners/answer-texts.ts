/** Longest text of a channel's that is repeated. */
const MAX_CODE_CHARACTERS = 40;
const CODE = new RegExp(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,${MAX_CODE_CHARACTERS - 1}}$`);

/** A text of a channel's that reads like a code and may be repeated; `undefined` for every other value. */
export const codeText = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && CODE.test(text) ? text : undefined;
};

/** What an HTTP status says against the message; `undefined` for 2xx. */
export function statusFault(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? 'it redirects, which is not followed' : `it answers ${status}`;
}

/** A fault with the codes that the channel names for it. */
export const withCodes = (fault: string, codes: readonly (string | undefined)[]): string => {
  const known = codes.filter((code) => code !== undefined);
  return known.length === 0 ? fault : `${fault} (${known.join(' ')})`;
};

/** Why a run was rejected: the first value that is a code. */
export const reasonIn = (...values: unknown[]): string =>
  values.map(codeText).find((code) => code !== undefined) ?? 'no reason that is a code';
