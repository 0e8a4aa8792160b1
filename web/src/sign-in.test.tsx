import { describe, expect, it } from 'vitest';
import { cluster, flow, phase } from './samples';
import { safeTarget } from './sign-in';
import { Console, Status, admin, listed } from './testing';

describe('signing in', () => {
  const page = new Console();
  const fleet = { ...listed([cluster('edge')]), counts: { Initializing: 1 } };
  const ways = { password: true, providers: [{ id: 'corp', title: 'Example Corp', href: '/oauth2/authorization/corp' }] };

  /** A server where nobody is signed in until the password is right. */
  function server(first: unknown = new Status(401, { code: 'NotSignedIn' })) {
    return ({ method, path, body }: { method: string; path: string; body: unknown }) => {
      if (path === 'sign-in') return ways;
      if (path === 'session' && method === 'DELETE') return new Status(204);
      if (path === 'session') {
        if ((body as { password: string }).password !== 'right') return first;
        page.session = admin;
        return admin;
      }
      return path.startsWith('clusters') ? fleet : undefined;
    };
  }

  async function opened(hash: string, first?: unknown): Promise<void> {
    page.session = undefined;
    await page.open(hash, server(first));
  }

  async function enter(password: string): Promise<void> {
    await page.type('Name', 'ada');
    await page.type('Password', password);
    await page.submit('main form');
  }

  it('is asked for first, and leads back to where somebody wanted to go', async () => {
    await opened('#/?state=Initializing');
    expect(page.one('h1').textContent).toBe('Sign in to Slipway');
    expect(page.all('.main-nav')).toHaveLength(0);
    await enter('right');
    await page.wait(0);
    expect(location.hash).toBe('#/?state=Initializing');
    expect(page.text).toContain('demo/edge');
  });

  it('says that name and password do not match', async () => {
    await opened('#/');
    await enter('wrong');
    expect(page.one('[role=alert]').textContent).toBe('Name and password do not match.');
  });

  it('counts down after too many attempts', async () => {
    await opened('#/', new Status(429, { detail: 'Too many attempts' }, { 'Retry-After': '30' }));
    await enter('wrong');
    expect(page.text).toContain('Too many attempts.');
    expect(page.text).toContain('Next try in 30 s.');
    expect(page.control('main form button').disabled).toBe(true);
    await page.wait(31_000);
    expect(page.control('main form button').disabled).toBe(false);
  });

  it('says that a provider has signed nobody in', async () => {
    await opened('#/sign-in?error=provider');
    expect(page.one('[role=alert]').textContent).toContain('The provider did not sign you in.');
  });

  it('may be done elsewhere', async () => {
    await opened('#/stuck');
    const link = page.one('.providers a');
    expect(link.textContent).toBe('Sign in with Example Corp');
    expect(link.getAttribute('href')).toBe('oauth2/authorization/corp');
    link.dispatchEvent(new Event('click'));
    page.session = admin;
    await page.open('#/', server());
    expect(location.hash).toBe('#/stuck');
  });

  it('comes over the page when the session ends, and nothing that was typed is lost', async () => {
    const waiting = flow([phase('Endpoint', { state: 'WAITING', run: 'r', choices: ['RETRY'] })]);
    const server2 = server();
    let ended = false;
    await page.open('#/clusters/demo/edge', (call) => {
      if (call.path.includes('session') || call.path === 'sign-in') return server2(call);
      if (ended) return new Status(401);
      return call.path === 'clusters/demo/edge' ? { cluster: cluster('edge'), flows: [waiting] } : undefined;
    });
    await page.click('Decide…');
    await page.type('Why', 'the network is back');
    ended = true;
    await page.submit();
    await page.wait(0);
    expect(page.all('dialog').map((one) => one.querySelector('h2')?.textContent)).toContain('Sign in again');
    await page.type('Password', 'right');
    ended = false;
    const again = page.all('dialog').findIndex((one) => one.textContent.includes('Sign in again'));
    page.all('dialog')[again]?.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
    await page.wait(0);
    await page.wait(0);
    expect(page.all('dialog')).toHaveLength(1);
    expect(page.control('dialog input[name=reason]').value).toBe('the network is back');
    expect(page.one('.connection').textContent).toBe('Live');
  });

  it('shows who it is, as what, and the way out', async () => {
    page.session = { ...admin, roles: ['operator', 'designer'] };
    await page.open('#/', server());
    await page.click('Account Ada');
    expect(page.one('.user-panel').textContent).toContain('operator, designer');
    await page.click('Sign out');
    expect(page.changes).toEqual([{ method: 'DELETE', path: 'session', body: undefined }]);
    expect(page.headers['X-CSRF-Token']).toBe('token-1');
    expect(page.one('h1').textContent).toBe('Sign in to Slipway');
  });

  it('says what somebody may not do, and does not do it', async () => {
    page.session = { ...admin, roles: ['viewer'], actions: ['READ'] };
    const waiting = flow([phase('Endpoint', { state: 'WAITING', run: 'r', choices: ['RETRY'] })]);
    await page.open('#/clusters/demo/edge', ({ path }) =>
      path === 'clusters/demo/edge' ? { cluster: cluster('edge'), flows: [waiting] } : undefined,
    );
    const barred = page.all('.act').map((one) => [one.querySelector('button')?.getAttribute('aria-disabled'), one.querySelector('.bar')?.textContent]);
    expect(barred).toEqual(Array.from({ length: 3 }, () => ['true', 'needs the role operator']));
    for (const button of ['Decide…', 'Delete…', 'Retry']) await page.click(button);
    expect(page.all('dialog')).toHaveLength(0);
    expect(page.changes).toEqual([]);
  });

  it('says why it does not know who somebody is, and tries again when asked', async () => {
    await page.open('#/', undefined);
    expect(page.text).toContain('Slipway does not answer.');
  });

  it.each([
    ['#/stuck', '#/stuck'],
    ['/camunda/app/cockpit/default/?a=b#/x', '/camunda/app/cockpit/default/?a=b#/x'],
    ['https://evil.example.test/', '#/'],
    ['//evil.example.test/', '#/'],
    ['/\\evil.example.test/', '#/'],
    ['javascript:alert(1)', '#/'],
    ['', '#/'],
  ])('goes on to %s as %s', (to, target) => {
    expect(safeTarget(to)).toBe(target);
  });
});
