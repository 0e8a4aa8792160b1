// How the console asks the server: deadlines, the token against forged requests, and failures in words.
import { t } from './text';

/** What is wrong with one field of what was sent. */
export interface FieldError {
  field: string;
  message: string;
  remedy?: string | null;
}

/** What a problem document (RFC 9457) says beside its sentence. */
export interface ProblemFacts {
  code?: string | undefined;
  fields?: FieldError[] | undefined;
  /** In how many seconds it may be tried again. */
  retryAfter?: number | undefined;
}

/** An answer that is not what was asked for, in words for people. */
export class ApiError extends Error {
  readonly code: string | undefined;
  readonly fields: FieldError[];
  readonly retryAfter: number | undefined;

  constructor(
    readonly status: number,
    message: string,
    { code, fields, retryAfter, ...options }: ProblemFacts & ErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.code = code;
    this.fields = fields ?? [];
    this.retryAfter = retryAfter;
  }
}

/** The address of an API resource, also where Slipway is served below a path. */
export function apiUrl(...segments: string[]): string {
  const path = ['api', 'v1', ...segments.map(encodeURIComponent)].join('/');
  return new URL(path, document.baseURI).href;
}

/** An address with those values of a query that are not empty. */
export function withQuery(url: string, values: Record<string, string | number | undefined>): string {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? url : `${url}?${query}`;
}

/** What a session needs of calls: a header with each change, and to know that it has ended. */
export interface SessionHooks {
  csrf: () => { header: string; token: string } | null | undefined;
  /** Reads the session anew because its token is not accepted any more. */
  renew: () => Promise<void>;
  ended: () => void;
}

/** What the window hears when somebody has signed in: what failed for the lack of it is tried again at once. */
export const signedInEvent = 'slipway:signed-in';

const noSession: SessionHooks = { csrf: () => undefined, renew: () => Promise.resolve(), ended: () => undefined };
let session: SessionHooks = noSession;

export function attach(hooks: SessionHooks | undefined): void {
  session = hooks ?? noSession;
}

export const callDeadline = 10_000;

/**
 * Reads one resource again and again.
 *
 * The entity tag is kept by hand: answers are marked no-store, so that the browser would never ask conditionally.
 */
export function reader<T>(url: string): (signal: AbortSignal) => Promise<T> {
  let tag: string | null = null;
  let last: T | undefined;
  return async (signal) => {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (tag !== null && last !== undefined) headers['If-None-Match'] = tag;
    const deadline = AbortSignal.timeout(callDeadline);
    const response = await call(url, { headers, signal: AbortSignal.any([signal, deadline]) });
    if (response.status === 304 && last !== undefined) return last;
    if (!response.ok) throw await problem(response);
    last = (await response.json()) as T;
    tag = response.headers.get('ETag');
    return last;
  };
}

/** Reads one resource once. */
export async function read<T>(url: string, signal: AbortSignal = AbortSignal.timeout(callDeadline)): Promise<T> {
  const response = await call(url, { headers: { Accept: 'application/json' }, signal });
  if (!response.ok) throw await problem(response);
  return (await response.json()) as T;
}

/** Reads one resource as text of another type. */
export async function readText(url: string, type: string, signal: AbortSignal): Promise<string> {
  const response = await call(url, { headers: { Accept: `${type}, application/problem+json` }, signal });
  if (!response.ok) throw await problem(response);
  return response.text();
}

export interface Change {
  method: 'POST' | 'PUT' | 'DELETE';
  url: string;
  body?: unknown;
  deadline?: number;
  /** Names this change: sent twice, it happens once. */
  key?: string;
}

/** Asks for a change. */
export async function send(change: Change): Promise<Response> {
  let response = await sendOnce(change);
  if (response.status === 403 && (await codeOf(response)) === 'CsrfInvalid') {
    await session.renew();
    response = await sendOnce(change);
  }
  if (!response.ok) throw await problem(response);
  return response;
}

function sendOnce({ method, url, body, deadline = callDeadline, key }: Change): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  const csrf = session.csrf();
  if (csrf != null) headers[csrf.header] = csrf.token;
  if (key !== undefined) headers['Idempotency-Key'] = key;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return call(url, { method, headers, ...sent, signal: AbortSignal.timeout(deadline) });
}

/** A name for a change that nobody else uses; also where the page has no secure context. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Browsers word a refused connection each in their own way, and none for people. */
async function call(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    throw new ApiError(0, t('error.unreachable'), { cause: error });
  }
  if (response.status === 401) session.ended();
  return response;
}

async function codeOf(response: Response): Promise<unknown> {
  try {
    return ((await response.clone().json()) as Record<string, unknown>).code;
  } catch {
    return undefined;
  }
}

/** An answer that is a failure, in words. */
export async function problem(response: Response): Promise<ApiError> {
  const body = await bodyOf(response);
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError(response.status, sentencesOf(body) ?? meaning(response.status), {
    code: typeof body.code === 'string' ? body.code : undefined,
    fields: Array.isArray(body.errors) ? (body.errors as FieldError[]) : undefined,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  });
}

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  try {
    return (await response.json()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** What is wrong, and what to do. */
function sentencesOf(body: Record<string, unknown>): string | undefined {
  const sentences = [body.detail ?? body.title, body.remedy].filter((text) => typeof text === 'string' && text !== '');
  return sentences.length === 0 ? undefined : sentences.map((text) => `${String(text).replace(/\.$/, '')}.`).join(' ');
}

function meaning(status: number): string {
  if (status === 401 || status === 403 || status === 404) return t(`error.${status}`);
  return t('error.status', { status: String(status) });
}

/** What is wrong with a field, and what to do. */
export function sentenceOf({ message, remedy }: FieldError): string {
  return sentencesOf({ detail: message, remedy }) ?? message;
}

/** What somebody reads about a failure of any sort. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
