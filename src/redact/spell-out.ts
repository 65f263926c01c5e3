import { mapAllTexts } from './redactor.js';

/** What breaks a line, steers a terminal, or hides text. */
const INVISIBLE = String.raw`[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|\p{Surrogate}`;

/**
 * What the log of a CI job interprets as a command: `::name values::` (GitHub Actions) at the start of a line, and
 * `##[name]`, `##vso[...]` and `##teamcity[...]` (Azure Pipelines, TeamCity) anywhere. GitLab's markers of
 * sections contain a control character.
 */
const COMMAND = String.raw`(?<![^\s]):(?=:)|:(?=:[a-z][\w-]*(?:[ ,][^:\n]*)?::)|#(?=#[\w.-]*\[)`;
const SPELLED_OUT = new RegExp(`${INVISIBLE}|${COMMAND}`, 'gu');

/** The same where every \`::\` can be spelled out without changing what is meant, and ends of lines lay the text out. */
const SPELLED_OUT_IN_MARKUP = new RegExp(String.raw`(?!\n)(?:${INVISIBLE})|:(?=:)|#(?=#[\w.-]*\[)`, 'gu');

/** Most texts contain none of these, and a report has megabytes of text. */
const SUSPICIOUS = /[^\u0020-\u007E]|::|##/;

/** Spells out, as JSON does, what would break a line, hide text, or give commands to the log. */
export function spellOut(text: string): string {
  return SUSPICIOUS.test(text) ? text.replace(SPELLED_OUT, spell) : text;
}

/** {@link spellOut} for a text of several lines. */
export function spellOutLines(text: string): string {
  return text.split('\n').map(spellOut).join('\n');
}

/** {@link spellOut} for every text within a value, names of properties included. */
export function spellOutAll<T>(value: T): T {
  return mapAllTexts(value, spellOut);
}

export function spellOutJson(json: string): string {
  return json.replace(SPELLED_OUT_IN_MARKUP, spell);
}

/** Equivalent XML, with nothing that a terminal or the log of a CI job acts on. It must have no CDATA and no comments. */
export function spellOutXml(xml: string): string {
  return xml.replace(SPELLED_OUT_IN_MARKUP, (char) => `&#${char.charCodeAt(0)};`);
}

function spell(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
