// The console in a test: a server that answers from values, and a person who clicks and types.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, vi } from 'vitest';
import { App } from './app';
import { noon } from './samples';
import { speak } from './text';

type Answer = (call: { method: string; path: string; body: unknown }) => unknown;

/** Answers with another status than 200. */
export class Status {
  constructor(
    readonly status: number,
    readonly body: unknown = {},
  ) {}
}

/** One console, fresh for each test of the surrounding suite. */
export class Console {
  /** What changes were asked for: method, path below /api/v1/, body. */
  readonly changes: { method: string; path: string; body: unknown }[] = [];
  /** What the server says; undefined refuses the connection. */
  answer: Answer | undefined;

  private place = document.createElement('div');

  constructor() {
    beforeEach(() => {
      vi.useFakeTimers({ now: noon, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
      this.place = document.createElement('div');
      document.body.replaceChildren(this.place);
      this.changes.length = 0;
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
    if (method !== 'GET') this.changes.push({ method, path, body });
    const found = this.answer({ method, path, body });
    if (found instanceof Status) return Promise.resolve(Response.json(found.body, { status: found.status }));
    return Promise.resolve(
      found === undefined ? Response.json({ detail: `No ${path}` }, { status: 404 }) : Response.json(found),
    );
  }

  async open(hash: string, answer: Answer | undefined): Promise<void> {
    this.answer = answer;
    window.history.replaceState(null, '', hash);
    await act(() => {
      render(<App />, this.place);
    });
    await this.wait(0);
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

  all(selector: string): HTMLElement[] {
    return [...this.place.querySelectorAll<HTMLElement>(selector)];
  }

  one(selector: string): HTMLElement {
    const found = this.place.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`There is no ${selector} in: ${this.text}`);
    return found;
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

  async submit(): Promise<void> {
    const form = this.one('dialog form');
    await act(() => {
      form.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    });
    await this.wait(0);
  }

  private async set(label: string, value: string, event: string): Promise<void> {
    const holder = this.all('label').find((one) => one.textContent.startsWith(label));
    const field = holder?.querySelector<HTMLInputElement>('input, select');
    if (field == null) throw new Error(`There is no field ${label}.`);
    field.value = value;
    await act(() => {
      field.dispatchEvent(new Event(event, { bubbles: true }));
    });
    await this.wait(0);
  }
}
