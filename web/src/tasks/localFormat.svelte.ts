// Formats of format.ts in the current language, and a clock for relative times.

import { currentLanguage, t } from '../lib/messages.svelte';
import { ApiError } from '../lib/api';
export { countryName } from '../lib/gazetteer';
import * as format from './format';

export const formatCount = (value: number, digits = 0) => format.formatCount(value, currentLanguage(), digits);
export const formatCompact = (value: number) => format.formatCompact(value, currentLanguage());
export const formatRate = (value: number) => format.formatRate(value, currentLanguage());
export const formatBytes = (value: number) => format.formatBytes(value, currentLanguage());
export const formatDuration = (milliseconds: number) => format.formatDuration(milliseconds, currentLanguage());
export const formatExactTime = (moment: string | number) => format.formatExactTime(moment, currentLanguage());
export const formatTimeAgo = (moment: string | number) => format.formatRelativeTime(moment, now, currentLanguage());

let now = $state(Date.now());
if (typeof window !== 'undefined') setInterval(() => (now = Date.now()), 10_000);

/** Returns the error message to show to the user. */
export function errorMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : t('desk.unexpected');
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
