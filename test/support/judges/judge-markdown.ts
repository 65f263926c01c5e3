import { marked } from 'marked';

/** What the report needs; nothing a reader clicks, loads or fills in is among it. */
const ALLOWED = new Set('h3 p code pre ul li details summary table thead tbody tr th td'.split(' '));

/** The page that a reader of GitHub's flavour of Markdown sees. */
const renderMarkdown = (text: string): string => marked.parse(text, { gfm: true, async: false });

/** What is wrong with a report once it is rendered: elements it has no use for, short rows, text that would be a mention. */
export function judgeMarkdown(text: string): string[] {
  const page = renderMarkdown(text);
  const names = [...page.matchAll(/<([a-z][\w-]*)/gi)].map(([, name = '']) => name.toLowerCase());
  const strange = [...new Set(names)].filter((name) => !ALLOWED.has(name)).map((name) => `there is a ${name} element`);
  const attributes = [...page.matchAll(/<[a-z]\w*\s[^>]*>/gi)].map(([tag]) => `there is an attribute in ${tag}`);
  return [...strange, ...attributes, ...judgeNesting(page), ...judgeTables(page), ...judgeText(page)];
}

function judgeNesting(page: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][\w-]*)[^>]*>/gi)) {
    if (slash === '') open.push(name);
    else if (open.pop() !== name) return [`a ${name} element is closed where none is open`];
  }
  return open.map((name) => `a ${name} element is never closed`);
}

/** A row that is too short is filled with empty cells, one that is too long is cut. */
const judgeTables = (page: string): string[] => [...page.matchAll(/<td><\/td>/g)].map(() => 'a cell is empty');

/** GitHub makes mentions, references and links out of the text that stands in no code. */
function judgeText(page: string): string[] {
  const text = page.replace(/<(code|pre)>.*?<\/\1>/gs, '').replace(/<[^>]*>/g, '');
  const found = /@\w|#\d|https?:|www\.|\$|:\w+:/.exec(text);
  return found === null ? [] : [`the text has ${found[0]} outside of any code`];
}

/** The cells of the first table, row by row, as a reader sees them. */
export function readTable(text: string): string[][] {
  const [, table = ''] = /<table>(.*?)<\/table>/s.exec(renderMarkdown(text)) ?? [];
  const rows = table.split('<tr>').slice(1);
  return rows.map((row) => [...row.matchAll(/<t[hd]>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => readText(cell)));
}

function readText(markup: string): string {
  const named: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&\w+;/g, (name) => named[name] ?? name);
}
