// Moments in words, in the language of the page.

import { currentLanguage } from './messages.svelte';
import * as moments from './dateFormat';

/** "3 minutes ago". */
export const ago = (moment: string, now = Date.now()) => moments.relative(moment, now, currentLanguage());

/** The locale of dates: that of the browser, where it speaks the language of the page. */
export const currentLocale = () => moments.localeFor(currentLanguage());

/** The exact moment, for the title of what `ago` says. */
export const exact = (moment: string) => moments.exact(moment, currentLanguage());
