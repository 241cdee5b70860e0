/**
 * Light, dark, or as the system says, whether there is a key, and the language of examples: the only script that runs
 * before the page is painted, so that nothing flashes or moves afterwards.
 */
(() => {
  const themes = ['system', 'light', 'dark'];
  const read = (name) => {
    try {
      return localStorage.getItem(name) ?? '';
    } catch {
      return ''; // Storage is switched off.
    }
  };
  const kept = read('whereabouts.theme');
  let theme = themes.includes(kept) ? kept : 'system';
  document.documentElement.toggleAttribute('data-key', read('whereabouts.key') !== '');
  // The answer to a request in the address has its room on a phone from the start.
  document.documentElement.toggleAttribute('data-asked', location.search !== '');
  // The language of examples, as their room on the page depends on it.
  document.documentElement.dataset.language = read('whereabouts.language');
  const apply = () => {
    document.documentElement.dataset.theme = theme;
    for (const button of document.querySelectorAll('[data-theme-toggle]')) {
      button.textContent = `Theme: ${theme}`;
      button.classList.remove('waiting');
    }
  };
  apply();
  addEventListener('DOMContentLoaded', () => {
    apply();
    for (const button of document.querySelectorAll('[data-theme-toggle]')) {
      button.addEventListener('click', () => {
        theme = themes[(themes.indexOf(theme) + 1) % themes.length];
        try {
          localStorage.setItem('whereabouts.theme', theme);
        } catch {
          // It holds for this page then.
        }
        apply();
        dispatchEvent(new Event('themechange'));
      });
    }
  });
})();
