import { Search } from '../parts/form.js';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Empty, Problem, useData, QuietButton } from '../parts/panel.js';
import { link, about, ask, route, world } from '../state.js';
import type { Exchange, Operation } from '../types.js';
import { OperationForms } from './operation-form.js';
import type { OperationForm } from './to-request.js';
import { beginText, keptForms, keptTexts, TextForm } from './text-form.js';
import { signal } from '@preact/signals';

export function Send(): JSX.Element {
  const { item, of } = route.value;
  return (
    <div class={`split send${item === undefined ? '' : ' has-open'}`}>
      <OperationList chosen={of === undefined ? item : undefined} />
      <section class="detail" aria-label="Request form">
        {item === undefined ? <Empty title="Choose an operation to read about it and to send it" /> : null}
        {item !== undefined && of === undefined ? <ForOperation key={item} id={item} /> : null}
        {item === 'again' && of !== undefined ? <ForExchange key={of} id={Number(of)} /> : null}
        {item === 'text' && of !== undefined ? <AsText key={of} id={of} /> : null}
      </section>
    </div>
  );
}

function useForm(id: string | undefined): { data: OperationForm | undefined; problem: string | undefined } {
  const load = async (): Promise<OperationForm | undefined> =>
    id === undefined ? undefined : ask<OperationForm>(`GET /operations/${encodeURIComponent(id)}`);
  // What the mock tells of itself is new when the contract is.
  return useData(load, [id, world.value, about.value]);
}

function Title({ text }: { text: string }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const was = chosenHere;
    chosenHere = false;
    if (was) heading.current?.focus();
  }, [text]);
  return (
    <div class="bar">
      <h2 ref={heading} tabIndex={-1}>
        {text}
      </h2>
      <a class="only-narrow" href={link('send')}>
        All operations
      </a>
    </div>
  );
}

function ForOperation({ id }: { id: string }): JSX.Element {
  const { data, problem } = useForm(id);
  return (
    <>
      <Title text={id} />
      {data === undefined ? <Problem text={problem} /> : <OperationForms key={world.value} form={data} />}
    </>
  );
}

function ForExchange({ id }: { id: number }): JSX.Element {
  const { data, problem } = useData(() => ask<Exchange>(`GET /console/exchanges/${id}`), [id]);
  const form = useForm(data?.operationId).data;
  const name = `again/${id}`;
  if (data !== undefined && !keptTexts.has(name)) keptTexts.set(name, beginText(data));
  return (
    <>
      <Title text={`Like exchange ${id}`} />
      {data === undefined ? (
        <Problem text={problem} />
      ) : (
        <>
          {data.request.bodyOmitted ? <p class="hint">The body of this request was not stored.</p> : null}
          <TextForm name={name} like={id} form={form} />
        </>
      )}
    </>
  );
}

function AsText({ id }: { id: string }): JSX.Element {
  const { data, problem } = useForm(id);
  const name = `text/${id}`;
  const start = keptForms.get(id);
  if (data !== undefined && !keptTexts.has(name)) keptTexts.set(name, beginText(undefined, data, start));
  return (
    <>
      <Title text={`${id} as text`} />
      {data === undefined ? <Problem text={problem} /> : <TextForm name={name} like={undefined} form={data} />}
    </>
  );
}

const search = signal('');
/** How many are shown at first, and how many more each time. */
const STEP = 200;
const most = signal(STEP);

let chosenHere = false;

function OperationList({ chosen }: { chosen: string | undefined }): JSX.Element {
  const all = about.value?.operations ?? [];
  const words = search.value.toLowerCase().split(/\s+/);
  const { list, showMore } = useMore();
  const found = all.filter((each) =>
    words.every((word) => `${each.method} ${each.path} ${each.id} ${each.summary}`.toLowerCase().includes(word)),
  );
  const left = found.length - most.value;
  return (
    <nav class="master" aria-label="Operations">
      <div class="filters">
        <Search
          label="Search operations"
          placeholder="Method, path, name or summary"
          value={search.value}
          set={(text) => {
            search.value = text;
            most.value = STEP;
          }}
        />
      </div>
      <div class="bar">
        <p class="hint" role="status">
          {found.length === all.length ? '' : `${found.length} of `}
          {all.length} operation{all.length === 1 ? '' : 's'}
        </p>
      </div>
      <ul class="operations" ref={list}>
        {found.slice(0, most.value).map((each) => (
          <Line key={each.id} operation={each} isChosen={each.id === chosen} />
        ))}
        {left <= 0 ? null : (
          <li>
            <QuietButton
              text={left <= STEP ? `Show the other ${left}` : `Show ${STEP} more of the other ${left}`}
              act={showMore}
            />
          </li>
        )}
      </ul>
    </nav>
  );
}

function useMore(): { list: { current: HTMLUListElement | null }; showMore: () => void } {
  const list = useRef<HTMLUListElement>(null);
  const firstNew = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (firstNew.current !== undefined) list.current?.querySelectorAll('a')[firstNew.current]?.focus();
    firstNew.current = undefined;
  }, [most.value]);
  const showMore = (): void => {
    firstNew.current = most.value;
    most.value += STEP;
  };
  return { list, showMore };
}

function Line({ operation, isChosen }: { operation: Operation; isChosen: boolean }): JSX.Element {
  const { id, method, path, deprecated, summary } = operation;
  return (
    <li>
      <a
        href={link(`send/${encodeURIComponent(id)}`)}
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => (chosenHere = true)}
      >
        <span class={`method is-${method.toLowerCase()}`}>{method}</span>
        <span class="operation-main">
          <code>{path}</code>
          {deprecated ? <span class="tag">deprecated</span> : null}
          <span class="hint">{summary === '' ? id : summary}</span>
        </span>
      </a>
    </li>
  );
}
