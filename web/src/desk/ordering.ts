// Orderings in the words of the page; those it has no words for are called as the server calls them.

import { maybe } from '../lib/messages.svelte';
import { translateSentence } from '../lib/serverText';
import type { Ordering } from './types';

export const orderingName = (name: string) => maybe(`form.ordering.${name}`) ?? name;

export const orderingText = (one: Ordering) => maybe(`form.orderingText.${one.name}`) ?? translateSentence(one.about);
