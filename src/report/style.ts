/** The looks of the report. Charts take their colours from the same variables, so that they follow light and dark. */
import { rampColour, rampSteps, type Scheme } from './colourRamp.js';

/** Text has a contrast of at least 4.5 to its ground in both schemes. */
export const palettes: Readonly<Record<Scheme, Readonly<Record<string, string>>>> = {
  light: {
    page: '#ffffff',
    raised: '#f6f7f8',
    ink: '#1c2127',
    muted: '#59626d',
    rule: '#b9c0c8',
    faint: '#e6e9ec',
    accent: '#0b5ea8',
    soft: '#b9d6ef',
    wash: '#e3eef8',
    caution: '#9c4207',
    onmark: '#ffffff',
  },
  dark: {
    page: '#14171b',
    raised: '#1d2126',
    ink: '#e7e9ec',
    muted: '#a4adb8',
    rule: '#525b66',
    faint: '#2b3138',
    accent: '#74b8f5',
    soft: '#2c5b87',
    wash: '#1b3146',
    caution: '#f0a36b',
    onmark: '#10151b',
  },
};

function variables(scheme: Scheme): string {
  const names = Object.entries(palettes[scheme]).map(([name, colour]) => `--${name}:${colour}`);
  const ramp = Array.from({ length: rampSteps }, (_, i) => `--r${i}:${rampColour(i, scheme)}`);
  return [...names, ...ramp].join(';');
}

const rampRules = Array.from({ length: rampSteps }, (_, i) => `.r${i}{fill:var(--r${i})}`).join('');

/** A row of the candidate table as a card: for narrow screens, and for pages of paper that are too narrow. */
function cards(table: string): string {
  return `${table},${table} tbody{display:block}
${table} caption{display:block}
${table} thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
${table} tbody{padding:.8rem 0;border-top:1px solid var(--faint);break-inside:avoid}
${table} tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(7.2rem,1fr));grid-auto-flow:dense;gap:.5rem 1rem}
${table} th.rank{position:static;grid-column:1/-1;order:-2;text-align:left;padding:0;border:0;font-size:1rem;max-width:none;white-space:nowrap}
${table} .candidate th.rank::before{content:"Candidate "}
${table} td{display:block;padding:0;border:0;order:-1;text-align:left;max-width:none;min-width:0;overflow-wrap:anywhere}
${table} td.set{order:0}
${table} td.skip{display:none}
${table} td::before{content:attr(data-label);display:block;color:var(--muted);font-size:.75rem;font-weight:400;line-height:1.35}
${table} td.bars,${table} td.code{grid-column:span 2}
${table} tr.more{display:block;padding-top:.6rem}
${table} .more td{padding:0}
${table} .more td::before{content:none}
${table} .more div{position:static;max-width:none}
`;
}

/** Of charts, wherever they stand. */
const chartRules = `svg{max-width:100%;height:auto;overflow:visible}
svg text{font-size:11px;fill:var(--muted);font-variant-numeric:tabular-nums}
svg .name{font-size:11px;fill:var(--ink)}
th svg text{font-weight:400}
.rule{stroke:var(--rule);fill:none}
.grid{stroke:var(--faint);fill:none}
.best{stroke:var(--ink);stroke-width:1.2;fill:none}
.panel .best{stroke-dasharray:1.5 3;stroke-linecap:round}
.best-mark{stroke:var(--ink);stroke-width:2}
.mark{stroke:var(--page);stroke-width:1}
.mark.trusted{fill:var(--accent)}
.mark.stretch{fill:var(--page);stroke:var(--accent);stroke-width:1.8}
.mark.guess{fill:var(--page);stroke:var(--caution);stroke-width:1.8}
.interval.trusted{fill:var(--soft)}
.interval.stretch{fill:var(--wash);stroke:var(--soft)}
.interval.guess{fill:none;stroke:var(--caution);stroke-dasharray:3 2}
.diagonal{stroke:var(--rule);stroke-width:1.2;stroke-dasharray:5 4}
.molecule{display:block;max-width:100%;margin:.2rem 0}
.held path{stroke:var(--soft);stroke-width:1.4}
.held circle{fill:var(--accent);stroke:var(--page);stroke-width:.6}
.promises{max-width:35rem}
.held path.promised{stroke:var(--ink)}
.held.missed path{stroke:var(--caution);stroke-opacity:.55}
.held.missed circle{fill:var(--page);stroke:var(--caution);stroke-width:1.6}
.line{fill:none;stroke:var(--accent);stroke-width:1.8;stroke-linejoin:round}
.line.far{stroke-dasharray:4 3}
.band{fill:var(--soft);fill-opacity:.75}
.band.far{fill-opacity:.4}
.dot{fill:var(--accent);stroke:var(--page);stroke-width:1}
.dot.open{fill:var(--page);stroke:var(--accent);stroke-width:1.8}
.best-dot{fill:var(--ink)}
.share{fill:var(--soft)}
.whisker{stroke:var(--accent);stroke-width:1.4;fill:none}
.level:not(.chosen) .dot{fill:var(--page);stroke:var(--accent);stroke-width:1.6}
.level.chosen .tick{fill:var(--ink);font-weight:600}
.here{stroke:var(--accent);stroke-width:1}
.seen,.phase{fill:var(--faint);fill-opacity:.55}
.ground{fill:none;stroke:var(--faint)}
.past{stroke:var(--muted);stroke-opacity:.6;stroke-width:.6}
.map .halo{fill:var(--page);stroke:var(--page);stroke-width:5;stroke-linejoin:round}
.leader{stroke:var(--ink);stroke-width:.9}
.leader-end{fill:var(--ink)}
.numbered text{font-size:10px;font-weight:700;fill:var(--accent)}
.numbered text.trusted{fill:var(--onmark)}
.numbered text.guess{fill:var(--caution)}
`;

/** For a chart in a file of its own: colours as they are, because not every program knows variables. */
export const chartStyle = chartRules.replaceAll(
  /var\(--(\w+)\)/g,
  (_, name: string) => palettes.light[name] ?? 'none',
);

export const style = `:root{${variables('light')};color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{${variables('dark')}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{margin:0 auto;max-width:84rem;padding:clamp(1.25rem,4vw,3.5rem) clamp(1rem,3.5vw,3rem);background:var(--page);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
h1,.sentence{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,serif;font-weight:500;text-wrap:balance}
h1{font-size:clamp(1.9rem,5vw,3rem);line-height:1.15;margin:.2rem 0 .6rem}
h2{font-size:1.35rem;line-height:1.25;font-weight:600;margin:0 0 .8rem}
h3{font-size:1rem;font-weight:600;margin:1.4rem 0 .4rem}
p,ul,dl,figure{margin:0 0 1rem}
ul{padding-left:1.2rem}
li{margin:.2rem 0}
section{margin-top:3.4rem}
.eyebrow{font:600 .8rem/1.4 inherit;font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;color:var(--muted);margin:0}
.lede,.intro{color:var(--muted);max-width:44rem}
.lede strong{color:var(--ink);font-weight:600}
.muted,.note{color:var(--muted)}
.note,figcaption,caption{font-size:.85rem;color:var(--muted)}
.verdict{margin-top:2rem;padding:.2rem 0 .2rem 1.3rem;border-left:4px solid var(--accent);max-width:52rem}
.verdict.unclear{border-left-style:double;border-left-color:var(--ink)}
.verdict.unsupported{border-left-color:var(--caution)}
.verdict.likely h2{color:var(--accent)}
.verdict.unsupported h2{color:var(--caution)}
.sentence{font-size:clamp(1.35rem,3.2vw,1.9rem);line-height:1.3;margin:.35rem 0 .8rem}
.verdict ul{margin:0}
.verdict>:last-child{margin-bottom:0}
.figures{margin-top:2.4rem}
.figures dl{display:grid;grid-template-columns:repeat(4,1fr);gap:1.6rem 2.2rem;margin:0}
.figures dl>div{border-top:1px solid var(--rule);padding-top:.6rem}
.figures dt{font-size:.85rem;color:var(--muted)}
.figures dd{margin:0;font-size:.85rem;color:var(--muted)}
.figures .big{font-size:1.9rem;line-height:1.35;color:var(--ink);font-weight:500;letter-spacing:-.01em}
.figures .arrow{color:var(--muted);font-weight:400}
.accent{color:var(--accent)}
.figures .chips>span{display:inline-block;margin-right:.6rem;color:var(--ink);white-space:nowrap}
nav{margin-top:2.4rem;font-size:.9rem}
nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1.3rem;list-style:none;padding:0;margin:0}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}
.scroll{overflow-x:auto;background:linear-gradient(to left,var(--page) 40%,transparent) 100% 0/2.5rem 100% no-repeat local,linear-gradient(to left,var(--rule),transparent) 100% 0/.9rem 100% no-repeat scroll}
.scroll:focus-visible,button:focus-visible,summary:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;font-size:.9rem;line-height:1.4;width:100%}
caption{text-align:left;padding-bottom:.8rem;max-width:min(52rem,92vw)}
th,td{padding:.5rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--faint)}
thead th{font-weight:600;vertical-align:bottom;border-bottom:1px solid var(--rule)}
tbody th{font-weight:600}
th.number,td.number{text-align:right}
td.number{white-space:nowrap}
th.rank{position:sticky;left:0;background:var(--page);text-align:right;padding-left:0;z-index:1}
td.text{white-space:nowrap}
td.long{white-space:normal;min-width:9rem;max-width:15rem;overflow-wrap:anywhere}
td.strong{font-weight:600}
.reference td,.reference th{color:var(--muted);border-bottom-color:var(--rule);font-weight:400}
.reference th.rank{text-align:left;font-size:.8rem;line-height:1.2;width:3.25rem;white-space:normal;overflow-wrap:normal}
.bars svg{display:block;max-width:none}
td.bars .range{white-space:nowrap}
th.bars svg{margin-top:.3rem}
.candidates th,.candidates td{padding:.5rem .5rem .2rem}
.candidates thead th,.candidates .reference td,.candidates .reference th{padding-bottom:.5rem}
.candidates th.rank{padding-left:0}
.candidates .candidate>tr:first-child>*{border-bottom:0}
.candidates .more td{padding:0 .5rem .55rem 3.75rem}
.more div{position:sticky;left:3.75rem;max-width:min(76rem,calc(100vw - 10rem));font-size:.8rem;line-height:1.45;color:var(--muted)}
.more span.why,.more span.nearest{display:block}
.difference{display:inline-block;max-width:100%;overflow-wrap:anywhere}
.range{display:block;font-size:.8rem;color:var(--muted);font-weight:400}
td.code{white-space:nowrap;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.82rem;line-height:1.6}
td.number .range{white-space:nowrap}
.wrap{overflow-wrap:anywhere}
button.sort{all:unset;cursor:pointer;font:inherit;color:inherit}
button.sort:hover{color:var(--accent)}
[aria-sort] button.sort::after{content:" ↑";color:var(--accent)}
[aria-sort=descending] button.sort::after{content:" ↓"}
details{margin-top:1.4rem}
summary{cursor:pointer;color:var(--accent)}
details .scroll{margin-top:.8rem;max-width:46rem}
.chip{display:inline-flex;align-items:center;gap:.3em;padding:.05em .6em .05em .45em;border:1px solid var(--accent);border-radius:1em;font-size:.8rem;font-weight:600;line-height:1.5;color:var(--accent);white-space:nowrap}
.chip.trusted{background:var(--accent);color:var(--onmark)}
.chip.trusted .mark{fill:var(--onmark);stroke:none}
.chip.guess{border-style:dashed;border-color:var(--caution);color:var(--caution)}
.chip svg{flex:none;max-width:none}
.chip .mark{stroke-width:1.6}
${chartRules}${rampRules}
.beside{display:grid;grid-template-columns:minmax(0,30rem) minmax(0,1fr);gap:1.5rem 3rem;align-items:start}
.beside .says{padding-top:1.6rem;max-width:36rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:0 3rem}
.pair h3{margin-top:0}
.square svg{width:100%}
.map{max-width:52rem}
.map svg[role]{width:100%}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 2rem;font-size:.85rem;margin:.4rem 0 .6rem}
.legend svg{vertical-align:-.1em}
.key{margin-left:.6rem;white-space:nowrap}
.key svg{vertical-align:-.15em;margin-right:.25em}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(18rem,100%),1fr));gap:0 2.2rem}
.panel{margin:0 0 1.6rem;min-width:0;display:grid;grid-row:span 3;grid-template-rows:subgrid;row-gap:.3rem}
.panel h3{margin:0;align-self:end;font-size:.95rem;overflow-wrap:anywhere}
.panel svg{width:100%;max-width:26rem}
.panel figcaption{overflow-wrap:anywhere}
.findings{list-style:none;padding:0;max-width:52rem}
.findings li{display:grid;grid-template-columns:6.2rem 1fr;gap:.6rem;padding:.5rem 0;border-bottom:1px solid var(--faint)}
.severity{font-weight:600}
.is-error .severity,.is-warning .severity{color:var(--caution)}
.is-error .severity::before{content:"✕ "}
.is-warning .severity::before{content:"! "}
pre{background:var(--raised);padding:.7rem 1rem;border-radius:4px;overflow-x:auto;margin:0 0 .8rem}
code,.facts dd{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.85rem}
.facts{columns:27rem;column-gap:3rem}
.facts>div,.glossary>div{display:grid;grid-template-columns:9.5rem 1fr;gap:1rem;padding:.22rem 0;break-inside:avoid}
.facts dt{color:var(--muted);font-size:.9rem;overflow-wrap:anywhere}
.facts dd,.glossary dd{margin:0;overflow-wrap:anywhere}
.glossary{max-width:52rem}
.glossary>div{padding:.5rem 0}
.glossary dt{font-weight:600}
footer{margin-top:4rem;padding-top:1rem;border-top:1px solid var(--faint);font-size:.85rem;color:var(--muted)}
@media (max-width:62rem){.figures dl{grid-template-columns:repeat(2,1fr)}.beside{grid-template-columns:1fr}.beside .says{padding-top:0}.square{max-width:34rem}}
@media screen and (max-width:28rem){.figures dl{grid-template-columns:1fr}}
@media screen and (max-width:60rem){${cards('.candidates')}.candidates td{white-space:normal}}
@media screen and (max-width:79.9rem){${cards('.candidates.full')}.candidates.full td{white-space:normal}}
@media screen and (max-width:36rem){.candidates td.strong,.candidates td.bars,.candidates td.code{grid-column:1/-1}.facts>div,.glossary>div{grid-template-columns:7rem 1fr}.glossary>div{gap:.7rem}}
@page{size:A4;margin:16mm 15mm}
@media print{
html{font-size:9.5pt}
body{max-width:none;padding:0}
nav{display:none}
summary{list-style:none;color:var(--ink);font-weight:600}
summary::marker{content:none}
details::details-content{content-visibility:visible;display:block;block-size:auto}
section{margin-top:2.2rem}
.figures dl{grid-template-columns:repeat(4,1fr);gap:1rem}
.figures .big{font-size:1.5rem}
h2,h3{break-after:avoid}
figure,.panel,tr,.figures dl>div,.findings li,.verdict{break-inside:avoid}
thead{display:table-header-group}
th,td{padding:.35rem .4rem}
.candidates:not(.wide){font-size:.8rem}
.bar{width:34mm}
.scroll{overflow:visible;background:none}
.beside{grid-template-columns:10cm 1fr;gap:1rem 1.2rem}
.beside .says{padding-top:1rem}
.panels{grid-template-columns:repeat(3,1fr);gap:0 1.2rem}
.map{max-width:15cm}
a{color:inherit;text-decoration:none}
${cards('.candidates.wide')}.candidates.wide td{white-space:normal}.candidates.wide tr{grid-template-columns:repeat(auto-fill,minmax(6rem,1fr));gap:.35rem .8rem}.candidates.wide tbody{padding:.6rem 0}.candidates.wide td.bars{grid-column:span 2}.candidates.wide td.code{grid-column:span 3}}
`;
