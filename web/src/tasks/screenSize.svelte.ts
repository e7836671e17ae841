// Whether panels fit side by side.

let narrow = $state(false);
if (typeof matchMedia !== 'undefined') {
  const query = matchMedia('(max-width: 760px)');
  narrow = query.matches;
  query.addEventListener('change', () => (narrow = query.matches));
}

export const screenSize = {
  get narrow() {
    return narrow;
  },
};
