import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Card } from '../parts/card.js';
import { Empty, Problem } from '../parts/states.js';
import { SameAs } from '../parts/same-as.js';
import { useData } from '../parts/use-data.js';
import type { KeptCollection, RecordPage } from '../types.js';
import type { Act } from './act.js';
import { Editor } from './editor.js';
import { choicesInTable, listColumns, type Field } from './fields.js';
import { Pages } from './pages.js';
import { pathOf, queryOf, writeWithin } from './paths.js';
import type { Place } from './place.js';
import { RecordTable } from './record-table.js';
import { EVERYTHING, isEverything, nextSort, selectRecords } from './select-records.js';
import { Toolbar } from './toolbar.js';
import { readPage, useChanges, useFields, type Changes } from './use-records.js';

interface Props {
  kept: KeptCollection;
  place: Place;
  /** The collections that belong to a record of this collection. */
  below: readonly KeptCollection[];
  open: (place: Place) => void;
  /** A change of this value reloads the records. */
  on: readonly unknown[];
  act: Act;
}

/** The records of one collection. */
export function Records(props: Props): JSX.Element {
  const { kept, place, on, act } = props;
  const [page, setPage] = useState(0);
  const { data, problem } = useData(() => readPage(place, page), [...on, page]);
  const fields = useFields(kept);
  const changes = useChanges(kept, place, act);
  const { open } = changes;
  const title = (
    <>
      {[place.name, ...place.within].join(' · ')} <span class="hint">{data?.total}</span>
    </>
  );
  const add = (
    <button type="button" class="primary" id="new-record" disabled={fields === undefined} onClick={changes.add}>
      New record
    </button>
  );
  return (
    <Card id="records" title={title} action={add}>
      <Problem text={problem} />
      {open === undefined || fields === undefined ? null : (
        <Editor
          key={open.entry === undefined ? '' : `=${changes.keyOf(open.entry)}`}
          before={open.before}
          isNew={open.entry === undefined}
          fields={fields}
          title={open.entry === undefined ? `New ${kept.singular}` : `${kept.singular} ${changes.keyOf(open.entry)}`}
          save={changes.save}
          close={changes.close}
        />
      )}
      {data?.total === 0 ? <Empty title={`There are no ${kept.name}`} /> : null}
      {data === undefined || fields === undefined || data.total === 0 ? null : (
        <>
          <Selected {...props} data={data} fields={fields} changes={changes} />
          <Pages at={page} total={data.total} go={setPage} />
        </>
      )}
      <SameAs
        library={`await mock.collection('${kept.name}'${writeWithin(place)}).list();`}
        admin={{ call: `GET ${pathOf(place)}${queryOf(place)}` }}
      />
    </Card>
  );
}

interface SelectedProps extends Props {
  data: RecordPage;
  fields: readonly Field[];
  changes: Changes;
}

/** The records that are looked for, in the order that was chosen. */
function Selected({ place, below, open, data, fields, changes }: SelectedProps): JSX.Element {
  const [selection, select] = useState(EVERYTHING);
  const columns = useMemo(
    () =>
      listColumns(
        fields,
        data.records.map(({ record }) => record),
      ),
    [fields, data],
  );
  const choices = useMemo(() => choicesInTable(fields), [fields]);
  const shown = useMemo(() => selectRecords(data.records, selection), [data, selection]);
  return (
    <>
      <Toolbar fields={fields} selection={selection} select={select} shown={shown.length} of={data.records.length} />
      {shown.length === 0 ? (
        <Empty title="No record matches">
          <button type="button" onClick={() => select(EVERYTHING)}>
            Show all
          </button>
        </Empty>
      ) : (
        <RecordTable
          all={data.records}
          shown={shown}
          columns={columns}
          sort={selection.sort}
          sortBy={(name) => select({ ...selection, sort: nextSort(selection.sort, name) })}
          isSelected={!isEverything(selection)}
          keyOf={changes.keyOf}
          below={below}
          openBelow={(name, entry) => open({ name, within: [...place.within, changes.keyOf(entry)] })}
          edit={changes.edit}
          remove={changes.remove}
          choices={choices}
          choose={changes.choose}
        />
      )}
    </>
  );
}
