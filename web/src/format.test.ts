import { describe, expect, it } from 'vitest';
import { age, span, until, words } from './format';
import { at, noon } from './samples';

describe('format', () => {
  it.each([
    [0, '0s'],
    [59_900, '59s'],
    [60_000, '1m'],
    [312_000, '5m12s'],
    [3 * 3_600_000 + 20 * 60_000, '3h20m'],
    [52 * 3_600_000, '2d4h'],
    [-5_000, '0s'],
  ])('writes %d ms as %s', (milliseconds, text) => {
    expect(span(milliseconds)).toBe(text);
  });

  it('says how long ago, and a dash for never', () => {
    expect(age(at(-48), noon)).toBe('48s');
    expect(age(null, noon)).toBe('—');
    expect(age(undefined, noon)).toBe('—');
  });

  it('says when, and now for what is due', () => {
    expect(until(at(12), noon)).toBe('in 12s');
    expect(until(at(-3), noon)).toBe('now');
  });

  it.each([
    ['WaitingForControlPlane', 'Waiting for control plane'],
    ['WaitingForAPIServer', 'Waiting for API server'],
    ['CaExpired', 'Ca expired'],
  ])('reads the reason %s as %s', (reason, text) => {
    expect(words(reason)).toBe(text);
  });
});
