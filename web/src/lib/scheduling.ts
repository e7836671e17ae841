// Splits long work into short tasks, so that the page can respond in between.

type Yielding = { scheduler?: { yield?: () => Promise<void> } };

/** Yields to the browser once. */
export function yieldToBrowser(): Promise<void> {
  return (globalThis as Yielding).scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}

/** Waits until the work so far has been painted (or 120 ms, in a tab that paints nothing). */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, 120);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(resolve);
    });
  });
}
