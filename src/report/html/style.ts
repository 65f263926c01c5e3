/** The style sheet of the page. Every pair of colours has the contrast that WCAG 2.2 AA requires, in both themes. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f6f3; --card: #ffffff; --sunk: #f1f1ed; --line: #dcddd8;
  --text: #1b1e22; --quiet: #575e66; --link: #1a56a0;
  --deviated: #ac1f17; --deviated-tint: #fdeeec;
  --known: #6a3d9a; --known-tint: #f2ecf9;
  --passed: #1b6537; --passed-tint: #e9f5ec;
  --observed: #1a56a0; --observed-tint: #e8f1fb;
  --inconclusive: #784c00; --inconclusive-tint: #fcf2dd;
  --skipped: #575e66; --skipped-tint: #ececea;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #131518; --card: #1b1e22; --sunk: #14171a; --line: #32373d;
    --text: #e7e8ea; --quiet: #a6adb5; --link: #8fbff5;
    --deviated: #ff9d93; --deviated-tint: #381f1e;
    --known: #c9abf2; --known-tint: #281e38;
    --passed: #82d49d; --passed-tint: #172e1f;
    --observed: #8fbff5; --observed-tint: #17293e;
    --inconclusive: #efc267; --inconclusive-tint: #332811;
    --skipped: #a6adb5; --skipped-tint: #2a2e33;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 0 1rem 4rem; max-width: 66rem;
  background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, dl, dd, figure, pre { margin: 0; padding: 0; }
ul { list-style: none; }
code, pre { font-family: var(--mono); font-size: .875em; }
pre { white-space: pre-wrap; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.quiet { color: var(--quiet); }

.top { padding: 1.75rem 0 0; }
.eyebrow { color: var(--quiet); font-size: .875rem; font-family: var(--mono); }
h1 { font-size: clamp(1.625rem, 5vw, 2.125rem); line-height: 1.15; letter-spacing: -.02em; margin: .25rem 0 .75rem; text-wrap: balance; }
.target { font-size: 1.0625rem; }
.alert { margin-top: 1rem; padding: .75rem 1rem; border-left: 4px solid var(--inconclusive); background: var(--inconclusive-tint); border-radius: 4px; }
.bar { display: block; width: 100%; height: .5rem; margin: 1.125rem 0 .75rem; border-radius: 4px; background: var(--line); }
.bar .deviated { fill: #d0443a; } .bar .passed { fill: #3a9d63; } .bar .observed { fill: #4a8bd6; }
.bar .known { fill: #9a6fd0; } .bar .inconclusive { fill: #dfa52d; } .bar .skipped { fill: #9aa1a8; }
.counts { display: flex; flex-wrap: wrap; gap: .75rem; }
.counts div { flex: 1 1 9rem; display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: .4rem .875rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.counts dt { white-space: nowrap; font-size: .875rem; color: var(--quiet); }
.counts dd { font-size: 1.25rem; line-height: 1.2; font-weight: 650; letter-spacing: -.01em; }
.counts .deviated dd { color: var(--deviated); } .counts .passed dd { color: var(--passed); }
.counts .known dd { color: var(--known); } .counts .observed dd { color: var(--observed); } .counts .inconclusive dd { color: var(--inconclusive); }
.counts .zero dd { color: var(--quiet); font-weight: 400; }

nav { margin: .5rem 0 0; border-bottom: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
nav a { display: inline-block; padding: .5rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }

section { margin-top: 3rem; }
section:first-child { margin-top: 1.25rem; }
h2 { font-size: 1.375rem; letter-spacing: -.01em; line-height: 1.3; margin-bottom: .75rem; }
.count { color: var(--quiet); font-weight: 400; }
h3 { font-size: 1.0625rem; line-height: 1.4; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.none, .more { color: var(--quiet); }
.tag { display: inline-block; padding: 0 .5em; border-radius: 99px; background: var(--skipped-tint); color: var(--skipped); font-size: .8125rem; }
.label, figcaption { color: var(--quiet); font-size: .8125rem; font-weight: 600; }

.problem { padding: 1.25rem; margin-bottom: 1.25rem; }
.sent { margin: .25rem 0 1rem; }
.method { font-weight: 650; font-size: .875em; }
.status { font-weight: 650; padding: 0 .5em; border-radius: 99px; background: var(--skipped-tint); font-size: .8125rem; }
.status.deviated { background: var(--deviated-tint); color: var(--deviated); }
.status.inconclusive { background: var(--inconclusive-tint); color: var(--inconclusive); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: .75rem; }
.sides figure { min-width: 0; padding: .625rem .875rem .75rem; background: var(--sunk); border-radius: 6px; }
.compare .passed { background: var(--passed-tint); box-shadow: inset 3px 0 var(--passed); }
.compare .deviated { background: var(--deviated-tint); box-shadow: inset 3px 0 var(--deviated); }
.compare .passed figcaption { color: var(--passed); } .compare .deviated figcaption { color: var(--deviated); }
.facts { margin: 1rem 0; display: grid; gap: .375rem; }
.facts div { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .75rem; }
dt { color: var(--quiet); }
.command { margin-top: .375rem; padding: .625rem .875rem; background: var(--sunk); border-radius: 6px; }

summary { cursor: pointer; list-style: none; position: relative; padding-left: 1.25rem; border-radius: 4px; }
summary::-webkit-details-marker { display: none; }
summary::before {
  content: ""; position: absolute; left: .125rem; top: .55em; width: .4em; height: .4em;
  border: solid var(--quiet); border-width: 0 2px 2px 0; transform: rotate(-45deg);
}
details[open] > summary::before { transform: rotate(45deg); top: .45em; }
summary:hover { color: var(--link); }
.exchange > summary .quiet { white-space: nowrap; }
.problem > .exchange { margin-top: 1rem; }
.exchange > .sides, .exchange > .findings { margin: .625rem 0 .75rem; }
.findings li { padding: .125rem 0; }

.rows li { padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
.rows > li:last-child { border-bottom: 0; }
.index { margin-bottom: 1.25rem; padding-left: 2.5rem; }
.index li { padding: .25rem 1rem .25rem 0; border-bottom: 0; line-height: 1.35; }
.index .quiet { font-size: .8125rem; }
.part { display: grid; gap: 0 .75rem; align-items: baseline; justify-items: start; }
.gap { display: grid; gap: .125rem 1rem; }
.gap dt { color: var(--text); }
.gap code { display: block; }
meter { width: min(100%, 16rem); height: 1rem; vertical-align: middle; margin-right: .5rem; }
section > h3 { margin: 1.25rem 0 .75rem; }
.lead { margin-bottom: 1rem; }
.problem { box-shadow: inset 3px 0 var(--deviated); }
.rows { overflow: hidden; }
.rows + .rows, .rows + .file { margin-top: .75rem; }
.file > .rows { border: 0; border-top: 1px solid var(--line); border-radius: 0; }

.file { margin-bottom: .75rem; }
.file > summary { padding: .75rem 1.25rem .75rem 2.5rem; display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: baseline; }
.file > summary::before { left: 1.25rem; top: 1.3rem; }
.file[open] > summary::before { top: 1.2rem; }
.file h3 { font-size: .9375rem; margin-right: .5rem; }
#scenarios h3 { font-family: var(--mono); }
.badge { font-size: .8125rem; padding: 0 .6em; border-radius: 99px; }
.badge.deviated { background: var(--deviated-tint); color: var(--deviated); }
.badge.known { background: var(--known-tint); color: var(--known); }
.badge.passed { background: var(--passed-tint); color: var(--passed); }
.badge.observed { background: var(--observed-tint); color: var(--observed); }
.badge.inconclusive { background: var(--inconclusive-tint); color: var(--inconclusive); }
.badge.skipped { background: var(--skipped-tint); color: var(--skipped); }
.scenario { border-top: 1px solid var(--line); padding: .5rem 1.25rem; }
.scenario > summary { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr); gap: 0 .5rem; align-items: baseline; }
.scenario > :not(summary) { margin: .375rem 0; }
.what code { display: block; }
.sign { font-weight: 700; text-align: center; }
.sign.deviated, .verdict.deviated { color: var(--deviated); } .sign.passed, .verdict.passed { color: var(--passed); }
.sign.known, .verdict.known { color: var(--known); }
.sign.observed, .verdict.observed { color: var(--observed); } .sign.skipped, .verdict.skipped { color: var(--skipped); }
.sign.inconclusive, .verdict.inconclusive { color: var(--inconclusive); }
.verdict { grid-column: 2; font-size: .875rem; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }

@media (min-width: 36rem) {
  .scenario > summary { grid-template-columns: 1.25rem minmax(0, 1fr) auto; }
  .verdict { grid-column: 3; }
  .scenario > :not(summary), .exchange > .sides, .exchange > .findings { margin-left: 1.25rem; }
}
@media (min-width: 40rem) {
  body { padding: 0 2rem 5rem; }
  .rows .part { grid-template-columns: 5.5rem minmax(0, 1fr) auto; padding-top: .5rem; padding-bottom: .5rem; }
  .gap { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
  .gap dd { grid-column: 2; }
}
@media (max-width: 30rem) {
  .facts div { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .problem, .scenario, .rows li, .file > summary { padding-left: .875rem; padding-right: .875rem; }
  .file > summary { padding-left: 2.125rem; } .file > summary::before { left: .875rem; }
}
@media print {
  :root {
    color-scheme: light;
    --page: #fff; --card: #fff; --sunk: #f4f4f2; --line: #c9cac6; --text: #000; --quiet: #4a5058; --link: #000;
    --deviated: #ac1f17; --deviated-tint: #fdeeec; --known: #6a3d9a; --known-tint: #f2ecf9; --passed: #1b6537; --passed-tint: #e9f5ec;
    --observed: #1a56a0; --observed-tint: #e8f1fb; --inconclusive: #784c00; --inconclusive-tint: #fcf2dd;
    --skipped: #4a5058; --skipped-tint: #ececea;
  }
  @page { margin: 16mm 14mm; }
  body { padding: 0; max-width: none; font-size: 10pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  nav { display: none; }
  .top { padding-top: 0; }
  section { margin-top: 1.5rem; }
  h2, h3, .label, figcaption { break-after: avoid; }
  .rows li, .scenario > summary, .compare, .facts, .command { break-inside: avoid; }
  summary::before { display: none; }
  summary, .file > summary { padding-left: 0; }
  .file > summary, .scenario { padding-left: .75rem; }
  /* What is folded on a screen is read on paper, but for the exchanges of scenarios, which would fill a book. */
  details::details-content { content-visibility: visible; display: block; height: auto; }
  .scenario .exchange, .scenario .label, .basis { display: none; }
  .counts { gap: .375rem; }
  .counts div { flex-basis: 5rem; padding: .5rem .625rem; } .counts dd { font-size: 1.25rem; } .counts dt { font-size: .75rem; }
}
`;
