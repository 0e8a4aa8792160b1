import { afterEach, describe, expect, it, vi } from 'vitest';
import { cockpitUrl, retry } from './api';
import { ApiError, apiUrl, attach, reader, send, withQuery } from './http';

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
    [401, 'Not signed in.'],
    [503, 'Slipway answered with status 503.'],
  ])('explains status %d without a problem document', async (status, text) => {
    answers(new Response('<html>', { status }));
    await expect(reader('http://localhost/api')(signal)).rejects.toThrow(text);
  });

  it('leaves out of a query what is not asked for', () => {
    expect(withQuery('/x', { a: '', b: undefined, c: 0, d: 'e f' })).toBe('/x?c=0&d=e+f');
    expect(withQuery('/x', { a: '' })).toBe('/x');
  });

  it('sends the token of the session with a change, and reads the session anew when it is not accepted', async () => {
    let token = 'old';
    attach({
      csrf: () => ({ header: 'X-CSRF-Token', token }),
      renew: () => {
        token = 'new';
        return Promise.resolve();
      },
      ended: () => undefined,
    });
    const fetched = answers(Response.json({ code: 'CsrfInvalid' }, { status: 403 }), Response.json({}));
    await send({ method: 'POST', url: 'http://localhost/api', body: {}, key: 'k' });
    attach(undefined);
    const headers = fetched.mock.calls.map(([, init]) => init.headers);
    expect(headers).toMatchObject([{ 'X-CSRF-Token': 'old' }, { 'X-CSRF-Token': 'new', 'Idempotency-Key': 'k' }]);
  });

  it('tells that the session has ended', async () => {
    let ended = 0;
    attach({ csrf: () => undefined, renew: () => Promise.resolve(), ended: () => (ended += 1) });
    answers(Response.json({}, { status: 401 }));
    await expect(send({ method: 'DELETE', url: 'http://localhost/api' })).rejects.toThrow('Not signed in.');
    attach(undefined);
    expect(ended).toBe(1);
  });

  it('keeps what is wrong with each field, and when to try again', async () => {
    const errors = [{ field: 'spec.version', message: 'must be like v1.36.3' }];
    answers(Response.json({ code: 'Invalid', detail: 'no', errors }, { status: 422, headers: { 'Retry-After': '7' } }));
    const failure: unknown = await send({ method: 'POST', url: 'http://localhost/api', body: {} }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 422, code: 'Invalid', fields: errors, retryAfter: 7 });
  });
});
