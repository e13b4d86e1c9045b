/** Where the live protocol is spoken: beside the page. */
export function liveUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/v1`;
}
