// Dates and times in the current language.

import { currentLanguage } from './messages.svelte';
import * as moments from './dateFormat';

/** Formats a relative time, e.g. "3 minutes ago". */
export const formatTimeAgo = (moment: string, now = Date.now()) => moments.formatRelativeTime(moment, now, currentLanguage());

/** Returns the locale for dates: the browser's, if it matches the language of the page. */
export const currentLocale = () => moments.localeFor(currentLanguage());

/** Formats an exact time, for the title of a relative one. */
export const formatExactTime = (moment: string) => moments.formatExactTime(moment, currentLanguage());
