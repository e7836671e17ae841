// Validates the address to return to after login: only addresses of this application are allowed.

export function safeReturnPath(wanted: string | null): string {
  // A second slash or a backslash would lead to another host; browsers drop control characters.
  if (!wanted || !/^\/(?![/\\])/.test(wanted) || /[\\\u0000-\u001f\u007f]/.test(wanted)) return '/';
  if (/^\/(api|login)(\/|\?|$)/.test(wanted)) return '/';
  return wanted;
}
