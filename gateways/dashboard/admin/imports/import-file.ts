import { ApiError, type Problem, type SignedAccess } from '../../api.ts';
import { userHeaders } from '../../early/early.ts';
import { answeredWith, UNREACHABLE } from '../../messages.ts';
import { imports as words } from './messages.ts';

/** Media types of what a file begins with, or is called. */
async function mediaTypeOf(file: File): Promise<string> {
  const [one, other] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (one === 0x50 && other === 0x4b) return 'application/zip';
  if (one === 0x1f && other === 0x8b) return 'application/gzip';
  return /\.(ndjson|jsonl|json)$/i.test(file.name) ? 'application/x-ndjson' : 'text/csv';
}

type Upload = {
  access: SignedAccess;
  propertyId: string;
  file: File;
  /** Bytes that are sent so far. */
  onProgress(sent: number): void;
  signal: AbortSignal;
};

/** Sends a file to be looked at; unlike `fetch` it says how far it is. @throws ApiError */
export async function uploadFile({ access, propertyId, file, onProgress, signal }: Upload): Promise<string> {
  const { config, user } = access;
  const query = new URLSearchParams({ propertyId, name: file.name.slice(0, 200) || 'file' });
  const type = await mediaTypeOf(file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${config.reservationUrl}/api/v1/imports/uploads?${query.toString()}`);
    for (const [name, value] of Object.entries(userHeaders(user))) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', type);
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('error', () => reject(new ApiError('', UNREACHABLE)));
    request.addEventListener('abort', () => reject(new ApiError('', words.stopped)));
    request.addEventListener('load', () => {
      const answer = jsonOf(request.responseText);
      if (request.status === 201 && answer?.importId !== undefined) resolve(answer.importId);
      else reject(new ApiError(answer?.code ?? '', answer?.detail ?? answeredWith(request.status), answer));
    });
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

function jsonOf(text: string): (Problem & { importId?: string }) | undefined {
  try {
    return JSON.parse(text) as Problem & { importId?: string };
  } catch {
    return undefined;
  }
}
