/**
 * The system's error code, such as ECONNREFUSED, of an error or its cause; never the message, which may contain
 * secrets.
 */
export function faultCode(error: unknown): string | undefined {
  return codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : undefined;
}
