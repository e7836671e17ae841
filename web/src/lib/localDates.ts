// Moments in words, in the language of the page.

import { currentLanguage } from './messages.svelte';
import * as moments from './dateFormat';

/** "3 minutes ago". */
export const formatTimeAgo = (moment: string, now = Date.now()) => moments.formatRelativeTime(moment, now, currentLanguage());

/** The locale of dates: that of the browser, where it speaks the language of the page. */
export const currentLocale = () => moments.localeFor(currentLanguage());

/** The exact moment, for the title of what `ago` says. */
export const formatExactTime = (moment: string) => moments.formatExactTime(moment, currentLanguage());
