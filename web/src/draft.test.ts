import { describe, expect, it } from 'vitest';
import { at, errorsAt, errorsElsewhere, fieldOf, newDraft, put, valueOf } from './draft';

describe('a draft', () => {
  const draft = newDraft('demo');

  it('changes one place and leaves the others', () => {
    const next = put(draft, ['spec', 'topology', 'workers', 0], { name: 'md-0' });
    expect(at(next, ['spec', 'topology', 'workers', 0, 'name'])).toBe('md-0');
    expect(at(next, ['metadata', 'namespace'])).toBe('demo');
    expect(at(draft, ['spec', 'topology', 'workers'])).toBeUndefined();
  });

  it('takes away what is empty with what was in it', () => {
    const with_ = put(draft, ['spec', 'clusterNetwork', 'pods', 'cidrBlocks'], ['10.0.0.0/8']);
    expect(put(with_, ['spec', 'clusterNetwork', 'pods', 'cidrBlocks'], undefined)).toEqual(draft);
    const workers = put(put(draft, ['spec', 'w', 0], { name: 'a' }), ['spec', 'w', 1], { name: 'b' });
    expect(at(put(workers, ['spec', 'w', 0], undefined), ['spec', 'w'])).toEqual([{ name: 'b' }]);
  });

  it('keeps the order of what it changes', () => {
    expect(Object.keys(put(draft, ['kind'], 'Other'))).toEqual(Object.keys(draft));
  });

  it('names places as the server does', () => {
    expect(fieldOf(['spec', 'topology', 'workers', 0, 'name'])).toBe('spec.topology.workers[0].name');
  });

  it('finds what is wrong at a place and within it, and nowhere else', () => {
    const errors = ['spec.a', 'spec.a.b', 'spec.a[0]', 'spec.ab'].map((field) => ({ field, message: '' }));
    expect(errorsAt(errors, 'spec.a').map(({ field }) => field)).toEqual(['spec.a', 'spec.a.b', 'spec.a[0]']);
    expect(errorsElsewhere(errors, ['spec.a']).map(({ field }) => field)).toEqual(['spec.ab']);
  });

  it.each([
    ['3', 'integer', 3],
    ['three', 'integer', 'three'],
    [' x ', 'string', 'x'],
    ['true', 'boolean', true],
    ['{"a": 1}', 'object', { a: 1 }],
    ['{"a"', undefined, '{"a"'],
    ['  ', 'string', undefined],
  ])('reads %j of type %s', (text, type, value) => {
    expect(valueOf(text, type)).toEqual(value);
  });
});
