/** Address of the live protocol, on the page's host. */
export function liveUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws/v1`;
}
