/** Light, dark, or as the system says: the only script that runs before the page is painted, so that it never flashes. */
(() => {
  const themes = ['system', 'light', 'dark'];
  const read = () => {
    try {
      return localStorage.getItem('whereabouts.theme') ?? 'system';
    } catch {
      return 'system'; // Storage is switched off.
    }
  };
  let theme = themes.includes(read()) ? read() : 'system';
  const apply = () => {
    document.documentElement.dataset.theme = theme;
    for (const button of document.querySelectorAll('[data-theme-toggle]')) {
      button.textContent = `Theme: ${theme}`;
      button.hidden = false;
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
