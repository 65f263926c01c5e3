import type { JSX } from 'preact';
import { Check, Choose, Input } from '../parts/form.js';
import { BodyEditor } from './body-editor.js';
import { Field } from './field.js';
import { nameField, type FormDraft, type FormParameter, type OperationForm } from './model.js';
import { marksOfBody, marksOfField, type Answered } from './sending.js';
import { isJson, layOut, nameMediaType } from './to-request.js';

export interface Editing {
  form: OperationForm;
  draft: FormDraft;
  set: (draft: FormDraft) => void;
  /** What is missing or cannot be read, by field, once one has tried to send it. */
  problems: ReadonlyMap<string, string>;
  answered: Answered | undefined;
}

const PLACES = { path: 'Path', query: 'Query', header: 'Header fields', cookie: 'Cookies' } as const;

export function Parameters(editing: Editing): JSX.Element {
  const places = Object.keys(PLACES) as (keyof typeof PLACES)[];
  const of = (place: string): FormParameter[] => editing.form.parameters.filter((each) => each.in === place);
  return (
    <>
      {places
        .filter((place) => of(place).length > 0)
        .map((place) => (
          <fieldset key={place}>
            <legend>{PLACES[place]}</legend>
            {of(place).map((parameter) => (
              <Parameter key={parameter.name} parameter={parameter} {...editing} />
            ))}
          </fieldset>
        ))}
    </>
  );
}

function Parameter({ parameter, draft, set, problems, answered }: Editing & { parameter: FormParameter }): JSX.Element {
  const name = nameField(parameter);
  const problem = problems.get(name);
  return (
    <Field
      parameter={parameter}
      value={draft.values[name] ?? ''}
      set={(value) => set({ ...draft, values: { ...draft.values, [name]: value } })}
      marks={problem === undefined ? marksOfField(parameter, answered) : [problem]}
    />
  );
}

export function BodyPart({ form: { body }, draft, set, problems, answered }: Editing): JSX.Element | null {
  const content = body?.contents[draft.content];
  if (body === undefined || content === undefined) return null;
  const isOfJson = isJson(content.mediaType);
  const problem = problems.get('body');
  return (
    <fieldset>
      <legend>Body</legend>
      {body.description === undefined ? null : <p class="hint">{body.description}</p>}
      {body.contents.length === 1 ? null : (
        <Choose
          label="Media type"
          value={String(draft.content)}
          set={(index) => set({ ...draft, content: Number(index), body: layOut(body.contents[Number(index)]) })}
          options={body.contents.map(({ mediaType }, index) => [String(index), nameMediaType(mediaType)] as const)}
        />
      )}
      <BodyEditor
        label={`Body, ${nameMediaType(content.mediaType)}`}
        text={draft.body}
        set={(text) => set({ ...draft, body: text })}
        fields={isOfJson ? content.fields : []}
        marks={problem === undefined ? marksOfBody(draft.body, answered, isOfJson) : [problem]}
        isRequired={body.required}
      />
    </fieldset>
  );
}

export function Credentials({ draft, set }: Editing): JSX.Element | null {
  const names = Object.keys(draft.credentials);
  if (names.length === 0) return null;
  return (
    <fieldset>
      <legend>Credentials</legend>
      <Check
        label="Send them"
        on={draft.withCredentials}
        set={(withCredentials) => set({ ...draft, withCredentials })}
      />
      {draft.withCredentials
        ? names.map((name) => (
            <Input
              key={name}
              label={name}
              value={draft.credentials[name] ?? ''}
              set={(value) => set({ ...draft, credentials: { ...draft.credentials, [name]: value } })}
            />
          ))
        : null}
      {Object.values(draft.credentials).some((value) => value.includes('$PETSTORE_API_KEY')) ? (
        <p class="hint">The mock fills in its own key for $PETSTORE_API_KEY; the page never sees it.</p>
      ) : null}
    </fieldset>
  );
}
