// Limits for built-in functions that can run for a long time without being interrupted. Each call
// with a long text or list checks the clock first, and calls with quadratic cost are rejected.
const LONG = 50000;
const MOST_ITEMS = 2000000;
const MOST_STEPS = 300000000;
const MOST_SPLIT = 4000000;
function boundList(name) {
  const real = RealArray.prototype[name];
  if (typeof real !== 'function') return;
  hide(RealArray.prototype, name, { [name]() {
    if (isObject(this)) { const count = this.length; if (count > LONG) { if (count > MOST_ITEMS || host.late()) throw new RangeError('too long'); } }
    return apply(real, this, arguments);
  } }[name]);
}
function boundText(name) {
  const real = RealString.prototype[name];
  if (typeof real !== 'function') return;
  hide(RealString.prototype, name, { [name](part) {
    if (typeof this === 'string' && this.length > LONG) {
      if (host.late() || (name === 'split' && this.length > MOST_SPLIT) || (typeof part === 'string' && this.length * part.length > MOST_STEPS)) throw new RangeError('too long');
    }
    return apply(real, this, arguments);
  } }[name]);
}
function installBounds() {
  const lists = ['join', 'reverse', 'sort', 'copyWithin', 'concat', 'slice', 'splice', 'shift', 'unshift', 'toLocaleString', 'flat', 'lastIndexOf', 'toSorted', 'toReversed', 'toSpliced', 'with', 'fill', 'indexOf', 'includes'];
  for (let i = 0; i < lists.length; i++) boundList(lists[i]);
  const texts = ['indexOf', 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll', 'normalize', 'match', 'matchAll', 'search', 'toUpperCase', 'toLowerCase', 'localeCompare', 'trim', 'concat', 'slice', 'substring', 'substr'];
  for (let i = 0; i < texts.length; i++) boundText(texts[i]);
  const realFrom = RealArray.from;
  hide(RealArray, 'from', function from(list) { if (isObject(list) && !isStandin(list) && list.length > MOST_ITEMS) throw new RangeError('too long'); return apply(realFrom, this, arguments); });
  const write = JSON.stringify, read = JSON.parse;
  hide(JSON, 'stringify', function stringify(value) { if (host.late()) throw new RangeError('too late'); return apply(write, JSON, arguments); });
  hide(JSON, 'parse', function parse(text) { if (typeof text === 'string' && text.length > LONG && host.late()) throw new RangeError('too late'); return apply(read, JSON, arguments); });
}
