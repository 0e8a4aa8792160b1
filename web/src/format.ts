import { t } from './text';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A length of time in at most two units, as kubectl writes ages: `48s`, `5m12s`, `3h20m`, `2d4h`. */
export function span(milliseconds: number): string {
  const rest = Math.max(0, milliseconds);
  if (rest < minute) return `${Math.floor(rest / second)}${t('time.second')}`;
  if (rest < hour) return two(rest, minute, t('time.minute'), second, t('time.second'));
  if (rest < day) return two(rest, hour, t('time.hour'), minute, t('time.minute'));
  return two(rest, day, t('time.day'), hour, t('time.hour'));
}

function two(rest: number, big: number, bigName: string, small: number, smallName: string): string {
  const bigs = Math.floor(rest / big);
  const smalls = Math.floor((rest % big) / small);
  return smalls === 0 ? `${bigs}${bigName}` : `${bigs}${bigName}${smalls}${smallName}`;
}

/** How long ago something was; an em dash if it never was. */
export function age(instant: string | null | undefined, now: number): string {
  return instant == null ? t('time.never') : span(now - Date.parse(instant));
}

/** When something will be: `in 12s`, or `now` if it is due. */
export function until(instant: string | null | undefined, now: number): string {
  if (instant == null) return t('time.never');
  const left = Date.parse(instant) - now;
  return left < second ? t('time.now') : t('time.in', { span: span(left) });
}

/** `WaitingForControlPlane` as people read it: `Waiting for control plane`. */
export function words(reason: string): string {
  const spaced = reason.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return spaced
    .split(' ')
    .map((word, index) => (index === 0 || /^[A-Z]{2,}/.test(word) ? word : word.toLowerCase()))
    .join(' ');
}

/** The language of dates and times. */
export function locale(): string {
  return document.documentElement.lang || 'en';
}
