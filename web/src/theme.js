// Sets the chosen theme before anything is drawn. Loaded as a classic script, which blocks drawing.
try {
  const theme = localStorage.getItem("antiphon-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // no storage: the system's theme it is
}
