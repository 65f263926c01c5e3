import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CallFailed } from '../api.js';
import { printExact, messageOf } from '../exact-json.js';
import { Choose, FileButton } from '../parts/form.js';
import { Card, download, Menu, Problem, QuietButton, Button } from '../parts/panel.js';
import { SameAs } from '../parts/same-as.js';
import { about, ask, attempt, world } from '../state.js';
import { ALL_BACK, type Act, type WayBack } from './act.js';
import type { Place } from './collections.js';
import type { Entry } from './draft.js';
import type { Field } from './fields.js';
import { readFile, writeCsv, type Imported } from './import.js';
import { pathOf, queryOf } from './use-records.js';

const START_BACK: WayBack = { of: '', done: 'The start state and the records are restored', focus: '#new-record' };
const CHOICE_BACK: WayBack = { ...START_BACK, focus: '#begin' };

/** The data sets that were imported on this page, by the name of their file. */
const own = signal<ReadonlyMap<string, string>>(new Map());

type ImportProps = { place: Place; fields: readonly Field[]; act: Act };
type Chosen = { name: string; imported: Imported };

export function useImport(props: ImportProps): { button: JSX.Element; chosen: JSX.Element } {
  const [file, setFile] = useState<Chosen | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const choose = async (given: File): Promise<void> => {
    setProblem(undefined);
    try {
      setFile({ name: given.name, imported: readFile(given.name, await given.text(), props.fields) });
    } catch (error) {
      setFile(undefined);
      setProblem(messageOf(error));
    }
  };
  const button = <FileButton accept=".yaml,.yml,.json,.csv,.tsv" choose={choose} />;
  const chosen = (
    <>
      <Problem text={problem} />
      {file === undefined ? null : (
        <div class="actions import" role="group" aria-label={`Import ${file.name}`}>
          <Offer {...props} {...file} setProblem={setProblem} close={() => setFile(undefined)} />
          <QuietButton text="Cancel" act={() => setFile(undefined)} />
        </div>
      )}
    </>
  );
  return { button, chosen };
}

type OfferProps = ImportProps & Chosen & { setProblem: (problem: string | undefined) => void; close: () => void };

function Offer({ name, imported, place, act, setProblem, close }: OfferProps): JSX.Element {
  const [made, setMade] = useState(0);
  const run = async (work: (kept?: number) => Promise<unknown>, done: string, back: WayBack): Promise<boolean> => {
    setProblem(undefined);
    // What is refused stays on the page, with its place in the file.
    const told = (kept?: number): Promise<unknown> =>
      work(kept).catch((error: unknown) => {
        setProblem(messageOf(error));
        throw error;
      });
    const isDone = await act(told, done, back);
    setMade(0);
    if (isDone) close();
    return isDone;
  };
  if (imported.kind === 'pack') {
    const pack = { pack: imported.text, name };
    const begin = async (): Promise<void> => {
      const work = (): Promise<unknown> => ask('PUT /fixtures', { ...pack, start: true });
      if (await run(work, `The start state is now ${name}`, START_BACK))
        own.value = new Map([...own.value, [name, imported.text]]);
    };
    const load = (): Promise<boolean> =>
      run(() => ask('PUT /fixtures', pack), `${name} is imported; the start state is unchanged`, ALL_BACK);
    return (
      <>
        <b>{`${name}: a data set`}</b>
        <Button text="Use as the start" class="primary" act={begin} />
        <Button text="Load only the records" act={load} />
      </>
    );
  }
  const counted = `${imported.records.length} record${imported.records.length === 1 ? '' : 's'}`;
  const add = (replaces: boolean, done: string): Promise<boolean> =>
    run((kept) => addRecords(imported, { place, replaces, kept, count: setMade }), done, ALL_BACK);
  const [isAdded, isReplaced] = [`${counted} added to ${place.name}`, `${place.name} has the ${counted} of ${name}`];
  return (
    <>
      <b>{`${name}: ${counted}`}</b>
      <Button text={`Add to ${place.name}`} class="primary" act={() => add(false, isAdded)} />
      <Button text={`Replace all ${place.name}`} act={() => add(true, isReplaced)} />
      <span class="hint" role="status">
        {made === 0 ? '' : `${made} imported…`}
      </span>
    </>
  );
}

interface Adding {
  place: Place;
  replaces: boolean;
  /** What to go back to if one of them is refused. */
  kept: number | undefined;
  count: (made: number) => void;
}

/** One after the other, so that a refusal has its place in the file. All or none of them stay. */
async function addRecords(
  { records, placeOf }: Imported & { kind: 'records' },
  { place, replaces, kept, count }: Adding,
): Promise<void> {
  let index = 0;
  try {
    if (replaces) await ask(`DELETE ${pathOf(place)}${queryOf(place)}`);
    for (; index < records.length; index += 1) {
      await ask(`POST ${pathOf(place)}${queryOf(place)}`, records[index]);
      if (index % 50 === 49) count(index + 1);
    }
  } catch (error) {
    await ask(`POST /console/undo?id=${kept}`);
    if (!(error instanceof CallFailed)) throw error;
    const [first] = error.violations;
    throw Object.assign(new CallFailed(`${placeOf(index, first?.pointer ?? '')}: ${error.message}`), {
      violations: error.violations,
    });
  }
}

export function ExportMenu({ place, fields }: Omit<ImportProps, 'act'>): JSX.Element {
  const read = (): Promise<Entry[]> => ask<Entry[]>(`GET ${pathOf(place)}${queryOf(place)}`);
  const savePack = async (): Promise<void> => {
    const { pack } = await ask<{ pack: string }>('GET /fixtures');
    download(`${world.value}.yaml`, 'application/yaml', pack);
  };
  const save = (ending: string, type: string, write: (records: Entry[]) => string): Promise<boolean> => {
    const file = `${place.name}.${ending}`;
    return attempt(async () => download(file, type, write(await read())), `Saved as ${file}`);
  };
  const saveJson = (): unknown => save('json', 'application/json', (records) => printExact(records, '  '));
  const saveCsv = (): unknown => save('csv', 'text/csv', (records) => writeCsv(records, fields));
  return (
    <Menu title="Export">
      <Button text="All records as a data set" act={() => attempt(savePack, 'Saved as a data set')} />
      <Button text={`${place.name} as JSON`} act={saveJson} />
      <Button text={`${place.name} as CSV`} act={saveCsv} />
    </Menu>
  );
}

export function DataSets({ act }: { act: Act }): JSX.Element {
  const [chosen, setChosen] = useState('default');
  const begin = (): Promise<boolean> => {
    const text = own.value.get(chosen);
    const use = (): Promise<unknown> =>
      text === undefined
        ? ask('POST /fixtures/use', { fixtures: chosen })
        : ask('PUT /fixtures', { pack: text, name: chosen, start: true });
    return act(use, `The start state is now the data set ${chosen}`, CHOICE_BACK);
  };
  const builtIn = (about.value?.packs ?? []).map((each): [string, string] => [each, each]);
  const yours = [...own.value.keys()].map((each): [string, string] => [each, `${each} (yours)`]);
  return (
    <Card id="packs" title="Built-in data sets">
      <div class="fields-row">
        <Choose label="Data set" value={chosen} set={setChosen} options={[...yours, ...builtIn]} />
        <Button text="Use as the start" id="begin" act={begin} />
      </div>
      <SameAs
        flag={`--fixtures ${chosen}`}
        library={`await mock.useFixtures('${chosen}');`}
        admin={{ call: 'POST /fixtures/use', body: { fixtures: chosen } }}
      />
    </Card>
  );
}
