/** Products by what their `User-Agent` says, the more particular before those that they claim to be as well. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['Windows', /\bWindows\b/],
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Longest part of a header that is looked at. */
const MAX_HEADER = 500;

/** `Firefox, Windows`: one knows his devices by it, and it is no fingerprint. Empty for what is not known. */
export function browserName(userAgent: string | undefined): string {
  const header = (userAgent ?? '').slice(0, MAX_HEADER);
  const named = [BROWSERS, SYSTEMS].map((list) => list.find(([, pattern]) => pattern.test(header))?.[0]);
  return named.filter((name) => name !== undefined).join(', ');
}
