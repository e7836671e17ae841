// Keyboard shortcuts. The newest handler of a key is called first and may decline the key.

export type ShortcutAction = (event: KeyboardEvent) => boolean | void;

const handlers: { key: string; act: ShortcutAction }[] = [];

/** Registers a shortcut; the handler returns false to decline the key. Returns a function that removes the shortcut. */
export function registerShortcut(key: string, act: ShortcutAction): () => void {
  const entry = { key, act };
  handlers.push(entry);
  return () => {
    const at = handlers.indexOf(entry);
    if (at >= 0) handlers.splice(at, 1);
  };
}

/** Checks whether keys go to an input field; Escape is an exception. */
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
