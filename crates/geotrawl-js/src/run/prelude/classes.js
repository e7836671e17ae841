// Class systems of libraries: an instance of a derived class is also an instance of its library
// base.
function parentOf(value) { return typeof value === 'function' ? value : isPlain(value) ? value : undefined; }

function derive(bases, props, onMade) {
  let base = parentOf(bases[0]);
  if (props === undefined && isPlain(base)) { props = base; base = undefined; }
  const proto = createObject(base && isObject(base.prototype) ? base.prototype : RealObject.prototype);
  for (let i = 1; i < bases.length; i++) {
    const mixin = parentOf(bases[i]);
    assignAll(proto, isStandin(mixin) ? undefined : typeof mixin === 'function' ? mixin.prototype : mixin);
  }
  const members = isObject(props) && !isStandin(props) ? props : {};
  if (isPlain(members.statics)) assignAll(Derived, members.statics);
  const inherited = proto.options;
  assignAll(proto, members);
  if (isPlain(members.options) && isPlain(inherited)) proto.options = assignAll(assignAll({}, inherited), members.options);
  if (isPlain(members.includes)) assignAll(proto, members.includes);
  function Derived() {
    const self = isObject(this) && this !== realGlobal && !isStandin(this) ? this : createObject(Derived.prototype);
    const args = slice(arguments, 0);
    noteBase(base, args);
    const names = ['initialize', 'constructor', 'init', '__init__', 'initComponent'];
    let begun = false;
    for (let i = 0; i < names.length && !begun; i++) {
      const found = own(members, names[i]) || inheritedMember(base, names[i]);
      const fn = found && found.value;
      if (typeof fn !== 'function' || isStandin(fn) || fn === Derived) continue;
      begun = true;
      if (names[i] === 'initComponent') assignAll(self, args[0]);
      try { apply(fn, self, args); } catch (error) { failed(error); }
    }
    if (!begun && isPlain(args[0])) assignAll(self, args[0]);
    if (onMade) onMade(self, args);
    return self;
  }
  Derived.prototype = proto;
  hide(proto, 'constructor', Derived);
  hide(Derived, 'superclass', base && isObject(base.prototype) ? base.prototype : proto);
  hide(Derived, '__super__', Derived.superclass);
  hide(Derived, KEY, [base, members]);
  hide(Derived, 'extend', function (more) { return derive([Derived], more); });
  hide(Derived, 'include', function (more) { assignAll(proto, more); return Derived; });
  hide(Derived, 'mergeOptions', function (more) { proto.options = assignAll(assignAll({}, proto.options), more); return Derived; });
  hide(Derived, 'addInitHook', function () { return Derived; });
  hide(Derived, 'override', function (more) { assignAll(proto, more); return Derived; });
  hide(Derived, 'create', function () { return construct(Derived, slice(arguments, 0)); });
  return Derived;
}
function inheritedMember(base, name) {
  for (let i = 0; i < 16 && typeof base === 'function' && !isStandin(base); i++) {
    const found = own(base, KEY);
    if (!found || !isArray(found.value)) return undefined;
    const member = own(found.value[1], name);
    if (member) return member;
    base = found.value[0];
  }
  return undefined;
}
function noteBase(base, args) {
  for (let i = 0; i < 16 && typeof base === 'function'; i++) {
    if (isStandin(base)) { note(stateOf(base), true, args); return; }
    const found = own(base, KEY);
    if (!found || !isArray(found.value)) return;
    base = found.value[0];
  }
}
function deriveAll(parts) {
  if (parts.length < 2) return derive([undefined], parts[0]);
  return derive(slice(parts, 0, parts.length - 1), parts[parts.length - 1]);
}
function declareClass(args) {
  let name, rest = args;
  if (typeof args[0] === 'string') { name = args[0]; rest = slice(args, 1); }
  const props = rest.length > 1 ? rest[1] : isPlain(rest[0]) ? rest[0] : {};
  const bases = isArray(rest[0]) ? rest[0] : rest.length > 1 && rest[0] ? [rest[0]] : [];
  const made = derive(bases.length ? bases : [undefined], props, function (self, given) {
    if (isPlain(given[0])) assignAll(self, given[0]);
    const names = ['postMixInProperties', 'buildRendering', 'postCreate', 'startup'];
    for (let i = 0; i < names.length; i++) { const fn = own(props, names[i]); if (fn && typeof fn.value === 'function') schedule(fn.value, self, []); }
  });
  if (name) setGlobalPath(name, made);
  return made;
}
function setGlobalPath(name, value) {
  const parts = splitText(name, '.');
  let at = realGlobal;
  for (let i = 0; i < parts.length - 1; i++) { if (!isObject(at[parts[i]])) put(at, parts[i], {}); at = at[parts[i]]; }
  at[parts[parts.length - 1]] = value;
}
const extClasses = { __proto__: null };
function extDefine(name, props) {
  if (typeof props === 'function') { try { props = props({}); } catch (_) { props = {}; } }
  const members = isPlain(props) ? props : {};
  const base = typeof members.extend === 'string' ? extClasses[members.extend] || named(splitText(members.extend, '.')) : members.extend;
  const made = derive([base], members, function (self, given) { if (isPlain(given[0])) assignAll(self, given[0]); });
  if (typeof name === 'string') { extClasses[name] = made; setGlobalPath(name, made); }
  callLife(members, null);
  if (members.singleton) { const it = construct(made, []); setGlobalPath(textOf(name), it); }
  return made;
}
function extCreate(name, config) {
  if (isPlain(name)) { config = name; name = textOf(config.xclass || config.xtype || 'Component'); }
  if (typeof name === 'function') return construct(name, [config]);
  const text = textOf(name);
  if (extClasses[text]) return construct(extClasses[text], [config]);
  return construct(named(splitText(text, '.')), [config]);
}
