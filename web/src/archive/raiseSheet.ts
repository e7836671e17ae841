// On a phone, pages to which the map has nothing to say take the whole height while they are open.

import { layoutState, type SheetHeight } from '../lib/layoutState.svelte';

/** From one such page to the next the sheet stays where it is. */
const LOWER_DELAY = 400;
let open = 0;
let before: SheetHeight | null = null;

/** Raises the sheet; what it gives lowers it again, unless a person has moved it. Call it when the page is mounted. */
export function raiseSheet(): () => void {
  open += 1;
  if (layoutState.isPhone && layoutState.sheet !== 'full' && before === null) {
    before = layoutState.sheet;
    layoutState.sheet = 'full';
  }
  return () => {
    open -= 1;
    setTimeout(() => {
      if (open > 0 || before === null) return;
      if (layoutState.sheet === 'full') layoutState.sheet = before;
      before = null;
    }, LOWER_DELAY);
  };
}
