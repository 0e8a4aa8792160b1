// The console in a test: a server that answers from values, and a person who clicks and types.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, vi } from 'vitest';
import { App } from './app';
import './audit';
import './create';
import './receipts';
import './statistics';
import './work-items';
import { forgetSession } from './session';
import type { Session } from './session';
import { noon } from './samples';
import { speak } from './text';

type Answer = (call: { method: string; path: string; body: unknown }) => unknown;

/** Answers with another status than 200. */
export class Status {
  constructor(
    readonly status: number,
    readonly body: unknown = {},
    readonly headers: Record<string, string> = {},
  ) {}
}

/** Somebody who may do everything, with a session of their own. */
export const admin: Session = {
  name: 'ada',
  displayName: 'Ada',
  roles: ['admin'],
  actions: ['READ', 'CREATE', 'OPERATE', 'DELETE', 'DEPLOY', 'ADMIN'],
  via: 'session',
  csrf: { header: 'X-CSRF-Token', token: 'token-1' },
};

/** A whole list as one part. */
export function listed(items: unknown[]): object {
  return { items, total: items.length, offset: 0, limit: 50 };
}

/** The server's end of a stream of events. */
export class Stream extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  /** Those that were opened and are not closed, the latest last. */
  static open: Stream[] = [];
  readyState = 0;

  constructor(readonly url: string) {
    super();
    Stream.open.push(this);
  }

  close(): void {
    this.readyState = Stream.CLOSED;
    Stream.open = Stream.open.filter((one) => one !== this);
  }

  connect(): void {
    this.readyState = Stream.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  say(name: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  /** Breaks; closed is what a browser makes of a refusal. */
  fail(closed = false): void {
    this.readyState = closed ? Stream.CLOSED : Stream.CONNECTING;
    this.dispatchEvent(new Event('error'));
  }
}

/** One console, fresh for each test of the surrounding suite. */
export class Console {
  /** What changes were asked for: method, path below /api/v1/, body. */
  readonly changes: { method: string; path: string; body: unknown }[] = [];
  /** What the server says; undefined refuses the connection. */
  answer: Answer | undefined;
  /** Who is signed in; nobody is undefined. */
  session: Session | undefined = admin;
  /** The headers of the latest change. */
  headers: Record<string, string> = {};

  private place = document.createElement('div');

  constructor() {
    beforeEach(() => {
      vi.useFakeTimers({ now: noon, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
      this.place = document.createElement('div');
      document.body.replaceChildren(this.place);
      this.changes.length = 0;
      this.session = admin;
      forgetSession();
      Stream.open = [];
      vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => this.fetched(url, init));
      // jsdom has no modal dialogs, and no media.
      HTMLDialogElement.prototype.showModal = function show() {
        this.open = true;
      };
      HTMLDialogElement.prototype.close = function close() {
        this.open = false;
      };
      window.matchMedia = () => ({ matches: false, addEventListener: () => undefined }) as unknown as MediaQueryList;
      window.history.replaceState(null, '', '#/');
      localStorage.clear();
      speak('en');
    });
    afterEach(() => {
      render(null, this.place);
      vi.unstubAllGlobals();
      vi.useRealTimers();
    });
  }

  private fetched(url: string, init: RequestInit): Promise<Response> {
    if (this.answer === undefined) return Promise.reject(new Error('connection refused'));
    const method = init.method ?? 'GET';
    const path = url.split('/api/v1/')[1] ?? url;
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    if (path === 'session' && method === 'GET') {
      const { session } = this;
      return Promise.resolve(session === undefined ? Response.json({}, { status: 401 }) : Response.json(session));
    }
    if (method !== 'GET') {
      this.changes.push({ method, path, body });
      this.headers = init.headers as Record<string, string>;
    }
    const found = this.answer({ method, path, body });
    if (found instanceof Status) {
      const { status, headers } = found;
      const text = status === 204 ? null : JSON.stringify(found.body);
      return Promise.resolve(new Response(text, { status, headers }));
    }
    return Promise.resolve(
      found === undefined ? Response.json({ detail: `No ${path}` }, { status: 404 }) : Response.json(found),
    );
  }

  async open(hash: string, answer: Answer | undefined): Promise<void> {
    this.answer = answer;
    await act(() => {
      render(null, this.place);
    });
    forgetSession();
    window.history.replaceState(null, '', hash);
    await act(() => {
      render(<App />, this.place);
    });
    // First who it is, then the page, then what is on it.
    for (let step = 0; step < 4; step += 1) await this.wait(0);
  }

  async wait(milliseconds: number): Promise<void> {
    await act(async () => {
      await vi.advanceTimersByTimeAsync(milliseconds);
    });
    await act(() => new Promise((resolve) => setImmediate(resolve)));
  }

  get text(): string {
    return this.place.textContent;
  }

  all<E extends HTMLElement = HTMLElement>(selector: string): E[] {
    return [...this.place.querySelectorAll<E>(selector)];
  }

  one(selector: string): HTMLElement {
    const found = this.place.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`There is no ${selector} in: ${this.text}`);
    return found;
  }

  /** What somebody may type into or press. */
  control(selector: string): HTMLInputElement {
    return this.one(selector) as HTMLInputElement;
  }

  async click(text: string, within = ''): Promise<void> {
    const found = this.all(`${within} button, ${within} a, ${within} label`).find((one) => one.textContent.includes(text));
    if (found === undefined) throw new Error(`There is nothing to click with ${text} in: ${this.text}`);
    await act(() => {
      found.click();
    });
    await this.wait(0);
  }

  async type(name: string, text: string): Promise<void> {
    await this.set(name, text, 'input');
  }

  async select(name: string, value: string): Promise<void> {
    await this.set(name, value, 'change');
  }

  async submit(within = 'dialog form'): Promise<void> {
    const form = this.one(within);
    await act(() => {
      form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    });
    await this.wait(0);
  }

  private async set(label: string, value: string, event: string): Promise<void> {
    const holder = this.all<HTMLLabelElement>('label').find((one) => one.textContent.startsWith(label));
    const field = holder?.control as HTMLInputElement | null | undefined;
    if (field == null) throw new Error(`There is no field ${label}.`);
    field.value = value;
    await act(() => {
      field.dispatchEvent(new Event(event, { bubbles: true }));
    });
    await this.wait(0);
  }
}
