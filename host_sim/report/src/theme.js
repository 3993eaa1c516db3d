// Light and dark; who draws on a canvas asks for colours here and is told when they change.
const root = document.documentElement;
const listeners = [];
const wish = matchMedia('(prefers-color-scheme: dark)');

const apply = (dark) => {
  root.dataset.theme = dark ? 'dark' : 'light';
  for (const f of listeners) f();
};
apply(wish.matches);
wish.addEventListener('change', (e) => apply(e.matches));

export const toggleTheme = () => apply(root.dataset.theme !== 'dark');
export const onTheme = (f) => listeners.push(f);
export const colour = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();
export const modeColour = (mode) => colour(['open', 'stick', 'slip'][mode] ?? 'open');
