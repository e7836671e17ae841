// Display names of rankings; rankings without a translation keep the server's name.

import { findMessage } from '../lib/messages.svelte';
import { translateSentence } from '../lib/serverText';
import type { Ordering } from './types';

export const orderingName = (name: string) => findMessage(`form.ordering.${name}`) ?? name;

export const orderingText = (one: Ordering) => findMessage(`form.orderingText.${one.name}`) ?? translateSentence(one.about);
