import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, apiUrl, cockpitUrl, reader, retry } from './api';

describe('the API', () => {
  const signal = new AbortController().signal;

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  function answers(...responses: Response[]) {
    const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
    responses.forEach((response) => fetched.mockResolvedValueOnce(response));
    vi.stubGlobal('fetch', fetched);
    return fetched;
  }

  it('escapes names in addresses', () => {
    expect(apiUrl('clusters', 'demo', 'a/b')).toBe(`${document.baseURI}api/v1/clusters/demo/a%2Fb`);
    expect(cockpitUrl('f 1')).toMatch(/camunda\/app\/cockpit\/default\/#\/process-instance\/f%201$/);
  });

  it('asks conditionally and keeps what it has when nothing changed', async () => {
    const fetched = answers(
      new Response('{"items":[]}', { headers: { ETag: '"1"' } }),
      new Response(null, { status: 304 }),
    );
    const read = reader<unknown>('http://localhost/api');
    const first = await read(signal);
    const second = await read(signal);
    expect(second).toBe(first);
    expect(fetched.mock.calls[1]?.[1].headers).toMatchObject({ 'If-None-Match': '"1"' });
  });

  it("reports the sentences of the server's problem document", async () => {
    answers(new Response('{"title":"Conflict","detail":"No flow is active","remedy":"Start one"}', { status: 409 }));
    await expect(retry('demo', 'a')).rejects.toEqual(new ApiError(409, 'No flow is active. Start one.'));
  });

  it.each([
    [401, 'Not signed in. Reload the page and sign in.'],
    [503, 'Slipway answered with status 503.'],
  ])('explains status %d without a problem document', async (status, text) => {
    answers(new Response('<html>', { status }));
    await expect(reader('http://localhost/api')(signal)).rejects.toThrow(text);
  });
});
