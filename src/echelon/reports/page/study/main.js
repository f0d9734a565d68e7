// The page on a study stands without a script; this only lets one choose light or dark.

readTheme();
addThemeButton(document.getElementById("theme"));
document.documentElement.dataset.ready = "true";
