// On a phone, pages that do not use the map take the full height while they are open.

import { layoutState, type SheetHeight } from '../lib/layoutState.svelte';

/** Delay before lowering, so that the sheet stays up between two such pages. */
const LOWER_DELAY = 400;
let open = 0;
let before: SheetHeight | null = null;

/** Raises the sheet; the returned function lowers it again unless the user has moved it. Call it on mount. */
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
