// A WorkloadCluster as somebody writes it: one object, which the form and the YAML show in their own ways.
import type { FieldError } from './http';

/** Any JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

export type Path = readonly (string | number)[];

export type Draft = JsonObject;

export function newDraft(namespace: string): Draft {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'WorkloadCluster',
    metadata: { name: '', namespace },
    spec: { version: '', topology: { class: '' } },
  };
}

/** What stands at a path; undefined if there is nothing. */
export function at(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((found, step) => {
    if (Array.isArray(found)) return typeof step === 'number' ? found[step] : undefined;
    return isObject(found) ? found[step] : undefined;
  }, value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same with another value at a path; undefined takes it away, and what is empty without it. */
export function put(draft: Draft, path: Path, value: Json | undefined): Draft {
  const next = changed(draft, path, value);
  return isObject(next) ? next : {};
}

function changed(value: Json | undefined, path: Path, to: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...value] : [];
    const next = changed(list[step], rest, to);
    if (next === undefined) list.splice(step, 1);
    else list[step] = next;
    return list.length === 0 ? undefined : list;
  }
  const object = isObject(value) ? value : {};
  const { [step]: before, ...others } = object;
  const next = changed(before, rest, to);
  // In its place, so that the YAML does not jump about.
  if (next !== undefined) return { ...object, [step]: next };
  return Object.keys(others).length === 0 ? undefined : others;
}

/** How the server names a path: `spec.topology.workers[0].name`. */
export function fieldOf(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** What is wrong at a field, or within it. */
export function errorsAt(errors: FieldError[], field: string): FieldError[] {
  return errors.filter((one) => one.field === field || one.field.startsWith(`${field}.`) || one.field.startsWith(`${field}[`));
}

/** What is wrong at no field of the form. */
export function errorsElsewhere(errors: FieldError[], fields: string[]): FieldError[] {
  const placed = new Set(fields.flatMap((field) => errorsAt(errors, field)));
  return errors.filter((one) => !placed.has(one));
}

/** A text of the form as the schema wants it; undefined for nothing. */
export function valueOf(text: string, type: string | undefined): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (type === 'integer' || type === 'number') return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
  if (type === 'string') return trimmed;
  if (type === 'boolean') return trimmed === 'true';
  try {
    return JSON.parse(trimmed) as Json;
  } catch {
    return trimmed;
  }
}

/** A value as the form shows it. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
