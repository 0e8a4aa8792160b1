import { describe, expect, it } from 'vitest';
import { windowOf } from './windowed';

describe('the window of a list', () => {
  it('has the rows that can be seen and a few more', () => {
    expect(windowOf(10_000, 50, 5_000, 500)).toEqual({ first: 92, end: 118 });
  });

  it('ends where the list does', () => {
    expect(windowOf(10, 50, 0, 500)).toEqual({ first: 0, end: 10 });
    expect(windowOf(10_000, 50, 499_500, 500)).toEqual({ first: 9_982, end: 10_000 });
  });

  it('is empty for an empty list', () => {
    expect(windowOf(0, 50, 0, 500)).toEqual({ first: 0, end: 0 });
  });

  it('stays within a list that became shorter', () => {
    expect(windowOf(3, 50, 5_000, 500)).toEqual({ first: 0, end: 3 });
  });
});
