import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Empty, Problem } from '../parts/states.js';
import { useData } from '../parts/use-data.js';
import { about, ask, route, world } from '../state.js';
import type { Exchange } from '../types.js';
import { OperationForms } from './operation-form.js';
import { OperationList, wasChosen } from './operation-list.js';
import type { OperationForm } from './model.js';
import { beginText, keptForms, keptTexts } from './kept.js';
import { TextForm } from './text-form.js';

/** A request for an operation of the contract, or one like an exchange, written here and sent. */
export function Send(): JSX.Element {
  const { item, of } = route.value;
  return (
    <div class={`split send${item === undefined ? '' : ' has-open'}`}>
      <OperationList chosen={of === undefined ? item : undefined} />
      <section class="detail" aria-label="Request form">
        {item === undefined ? <Empty title="Choose an operation to send" /> : null}
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

/** A heading that takes the focus when its operation was chosen from the list. */
function Title({ text }: { text: string }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (wasChosen()) heading.current?.focus();
  }, [text]);
  return (
    <div class="bar">
      <h2 ref={heading} tabIndex={-1}>
        {text}
      </h2>
      <a class="only-narrow" href="#send">
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

/** A recorded request, to be changed and sent again. */
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

/** What was written in the form of an operation, as text. */
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
