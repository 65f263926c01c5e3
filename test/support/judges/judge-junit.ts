import { readFileSync } from 'node:fs';
import { validateXML } from 'xmllint-wasm';

const schema = readFileSync(new URL('jenkins-junit.xsd', import.meta.url), 'utf8');

/** What libxml2 finds wrong with a report, as XML and by the schema of JUnit XML that Jenkins uses. */
export async function judgeJunit(text: string): Promise<string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'report.xml', contents: text }], schema: [schema] });
  return errors.map(({ message }) => message);
}
