// Orderings in the words of the page; those it has no words for are called as the server calls them.

import { findMessage } from '../lib/messages.svelte';
import { translateSentence } from '../lib/serverText';
import type { Ordering } from './types';

export const orderingName = (name: string) => findMessage(`form.ordering.${name}`) ?? name;

export const orderingText = (one: Ordering) => findMessage(`form.orderingText.${one.name}`) ?? translateSentence(one.about);
