import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CallFailed } from '../api.js';
import { printExact } from '../exact-json.js';
import { Choose } from '../parts/form.js';
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
  const choose = async (given: File | undefined): Promise<void> => {
    if (given === undefined) return;
    setProblem(undefined);
    try {
      setFile({ name: given.name, imported: readFile(given.name, await given.text(), props.fields) });
    } catch (error) {
      setFile(undefined);
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const button = (
    <label class="file-button">
      Import
      <input
        type="file"
        class="sr"
        accept=".yaml,.yml,.json,.csv,.tsv"
        onChange={({ currentTarget }) => {
          void choose(currentTarget.files?.[0]);
          // The same file can be chosen again after it was mended.
          currentTarget.value = '';
        }}
      />
    </label>
  );
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
        setProblem(error instanceof Error ? error.message : String(error));
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
      <TwoWays
        about={`${name}: a data set`}
        first={['Use as the start', begin]}
        second={['Load only the records', load]}
      />
    );
  }
  const counted = `${imported.records.length} record${imported.records.length === 1 ? '' : 's'}`;
  const add = (replaces: boolean, done: string): Promise<boolean> =>
    run((kept) => addRecords(imported, { place, replaces, kept, count: setMade }), done, ALL_BACK);
  return (
    <>
      <TwoWays
        about={`${name}: ${counted}`}
        first={[`Add to ${place.name}`, () => add(false, `${counted} added to ${place.name}`)]}
        second={[`Replace all ${place.name}`, () => add(true, `${place.name} has the ${counted} of ${name}`)]}
      />
      <span class="hint" role="status">
        {made === 0 ? '' : `${made} imported…`}
      </span>
    </>
  );
}

type Way = readonly [label: string, act: () => unknown];

function TwoWays({ about: told, first, second }: { about: string; first: Way; second: Way }): JSX.Element {
  return (
    <>
      <b>{told}</b>
      <Button text={first[0]} class="primary" act={() => first[1]()} />
      <Button text={second[0]} act={() => second[1]()} />
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
  return (
    <Menu title="Export">
      <Button text="All records as a data set" act={() => attempt(savePack, 'Saved as a data set')} />
      <Button
        text={`${place.name} as JSON`}
        act={() =>
          attempt(
            async () => download(`${place.name}.json`, 'application/json', printExact(await read(), '  ')),
            `Saved as ${place.name}.json`,
          )
        }
      />
      <Button
        text={`${place.name} as CSV`}
        act={() =>
          attempt(
            async () => download(`${place.name}.csv`, 'text/csv', writeCsv(await read(), fields)),
            `Saved as ${place.name}.csv`,
          )
        }
      />
    </Menu>
  );
}

export function DataSets({ act }: { act: Act }): JSX.Element {
  const [chosen, setChosen] = useState('default');
  const begin = (): Promise<boolean> => {
    const text = own.value.get(chosen);
    return act(
      () =>
        text === undefined
          ? ask('POST /fixtures/use', { fixtures: chosen })
          : ask('PUT /fixtures', { pack: text, name: chosen, start: true }),
      `The start state is now the data set ${chosen}`,
      CHOICE_BACK,
    );
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
