import { afterEach, describe, expect, it } from 'vitest';
import { count, known, speak, t } from './text';
import { en } from './text.en';
import { zh } from './text.zh';

describe('the texts', () => {
  afterEach(() => {
    speak('en');
  });

  it('have the same keys in both languages', () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  });

  it('take the same values in both languages', () => {
    const values = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
    for (const [key, text] of Object.entries(en)) {
      expect(values(zh[key as keyof typeof en]), key).toEqual(values(text));
    }
  });

  it('are not empty, and not left in English', () => {
    const same = Object.entries(en).filter(([key, text]) => zh[key as keyof typeof en] === text && /[a-z]{3}/.test(text));
    const names = [
      'items.chart',
      'via.webapps',
      'via.engine-rest',
      'via.annotation',
      'create.template',
      'create.class',
      'app.cockpit', 'cluster.origin.WorkloadCluster', 'cluster.version', 'receipt.uid'];
    expect(same.map(([key]) => key).filter((key) => !names.includes(key))).toEqual([]);
    expect(Object.values(zh).filter((text) => text.trim() === '')).toEqual([]);
  });

  it('put values in and count', () => {
    expect(t('time.in', { span: '9s' })).toBe('in 9s');
    expect([count('runs', 1), count('runs', 7)]).toEqual(['1 check', '7 checks']);
    speak('zh');
    expect(t('time.in', { span: '9秒' })).toBe('9秒后');
    expect(document.documentElement.lang).toBe('zh-Hans');
  });

  it('leave words that they do not know as they are', () => {
    expect([known('state', 'Ready'), known('state', 'Melting')]).toEqual(['Ready', 'Melting']);
  });
});
