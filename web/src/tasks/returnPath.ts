// Where to go after logging in: only to addresses of this application.

export function safeReturnPath(wanted: string | null): string {
  // A second slash or a backslash would lead to another host; control characters are dropped by browsers.
  if (!wanted || !/^\/(?![/\\])/.test(wanted) || /[\\\u0000-\u001f\u007f]/.test(wanted)) return '/';
  if (/^\/(api|login)(\/|\?|$)/.test(wanted)) return '/';
  return wanted;
}
