// Keyboard shortcuts: the newest one registered for a key is asked first; it may decline.

export type ShortcutAction = (event: KeyboardEvent) => boolean | void;

const handlers: { key: string; act: ShortcutAction }[] = [];

/** Registers a shortcut; the answer of the act is false when it does not want the key. Returns how to take it back. */
export function registerShortcut(key: string, act: ShortcutAction): () => void {
  const entry = { key, act };
  handlers.push(entry);
  return () => {
    const at = handlers.indexOf(entry);
    if (at >= 0) handlers.splice(at, 1);
  };
}

/** Keys typed into a field belong to the field, but for Escape. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

export function handleShortcut(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key !== 'Escape' && isTyping(event.target)) return;
  if (event.target instanceof Element && event.target.closest('dialog[open]')) return;
  for (let at = handlers.length - 1; at >= 0; at--) {
    const entry = handlers[at]!;
    if (entry.key !== event.key) continue;
    if (entry.act(event) === false) continue;
    event.preventDefault();
    return;
  }
}
