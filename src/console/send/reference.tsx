import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ContractLines } from '../exchanges/body.js';
import { Pending, Prose, Status, useData } from '../parts/panel.js';
import { about, ask, link, world } from '../state.js';
import type { Reference, ReferenceContent, ReferenceField, SchemaNode } from '../types.js';

export function ReferenceOf({ id }: { id: string }): JSX.Element {
  const load = (): Promise<Reference> => ask<Reference>(`GET /console/reference?of=${encodeURIComponent(id)}`);
  const loaded = useData(load, [id, world.value, about.value]);
  const { data } = loaded;
  if (data === undefined) return <Pending of={loaded} />;
  const { description, tags, deprecated, sunset, successor, security, parameters, body, responses, excerpt } = data;
  return (
    <div class="reference">
      {description === undefined ? null : <Description text={description} />}
      {tags.length === 0 ? null : <p class="hint">Tags: {tags.join(', ')}</p>}
      {deprecated ? (
        <p>
          <span class="tag">deprecated</span> {sunset === undefined ? '' : `removed on ${sunset}; `}
          {successor === undefined ? null : (
            <>
              use <a href={link(`send/${encodeURIComponent(successor)}`)}>{successor}</a>
            </>
          )}
        </p>
      ) : null}
      <Part title="Security">
        {security.length === 0 ? <p class="hint">No credentials are needed.</p> : null}
        {security.map((needed, index) => (
          <p key={index}>
            {index === 0 ? '' : 'or '}
            {needed.length === 0 ? 'none' : null}
            {needed.map(({ name, sent, scopes }) => (
              <span key={name}>
                <code>{sent}</code>{' '}
                <span class="hint">
                  {name}
                  {scopes.length === 0 ? '' : `, scopes ${scopes.join(', ')}`}
                </span>{' '}
              </span>
            ))}
          </p>
        ))}
      </Part>
      {parameters.length === 0 ? null : (
        <Part title="Parameters">
          <Fields fields={parameters} />
        </Part>
      )}
      {body === undefined ? null : (
        <Part title={body.required ? 'Body, required' : 'Body'}>
          {body.description === undefined ? null : <Description text={body.description} />}
          <Contents contents={body.contents} />
        </Part>
      )}
      <Part title="Responses">
        {responses.map(({ status, description: said, line, headers, contents }, index) => (
          <details key={status} open={index === 0}>
            <summary>
              {/^\d+$/.test(status) ? <Status status={Number(status)} /> : <b>{status}</b>} {said}
              <Line line={line} />
            </summary>
            <Contents contents={contents} />
            {headers.length === 0 ? null : (
              <>
                <h4>Header fields</h4>
                <Fields fields={headers} />
              </>
            )}
          </details>
        ))}
      </Part>
      {excerpt === undefined ? null : (
        <details>
          <summary>In the contract</summary>
          <ContractLines excerpt={excerpt} />
        </details>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Description({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text.split(/\n\s*\n/).map((paragraph, index) => (
        <p key={index}>
          <Prose text={paragraph} />
        </p>
      ))}
    </>
  );
}

const Line = ({ line }: { line: number | undefined }): JSX.Element | null =>
  line === undefined ? null : <span class="hint"> line {line}</span>;

function Fields({ fields }: { fields: readonly ReferenceField[] }): JSX.Element {
  return (
    <ul class="schema">
      {fields.map(({ name, in: place, required, deprecated, description, line, schema }) => (
        <li key={`${place}/${name}`}>
          <code class="property">{name}</code> <span class="hint">{place}</span>
          {required ? <span class="needed"> required</span> : null}
          {deprecated ? <span class="tag">deprecated</span> : null}
          {schema === undefined ? null : <Facts node={schema} />}
          <Line line={line} />
          {description === undefined || description === schema?.description ? null : <Description text={description} />}
          {schema === undefined ? null : <Below node={schema} isOpen={false} />}
        </li>
      ))}
    </ul>
  );
}

function Contents({ contents }: { contents: readonly ReferenceContent[] }): JSX.Element {
  if (contents.length === 0) return <p class="hint">No body.</p>;
  return (
    <>
      {contents.map(({ mediaType, schema, examples }) => (
        <div key={mediaType}>
          <p>
            <code>{mediaType}</code> {schema === undefined ? null : <Facts node={schema} />}
            {schema === undefined ? null : <Line line={schema.line} />}
          </p>
          {schema === undefined ? null : <Below node={schema} isOpen />}
          {examples.map(({ name, text }, index) => (
            <details key={index}>
              <summary>Example {name}</summary>
              <pre class="body" tabIndex={0} role="group" aria-label={`Example ${name}`}>
                {layOut(text)}
              </pre>
            </details>
          ))}
        </div>
      ))}
    </>
  );
}

/** Numbers that a `double` does not hold are only shown, so that a text is laid out by its own characters. */
function layOut(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const laidOut = JSON.stringify(value, null, 2);
    return JSON.stringify(value) === text ? laidOut : text;
  } catch {
    return text;
  }
}

/** `list of Pet`, `string or null`. */
export function nameType({ name, types, below }: SchemaNode): string {
  const item = below.find(({ kind }) => kind === 'items')?.schema;
  const plain = types.map((type) =>
    type === 'array' ? `list${item === undefined ? '' : ` of ${nameType(item)}`}` : type,
  );
  const written = plain.join(' or ');
  return [name, written].filter((part) => part !== undefined && part !== '').join(': ') || 'any value';
}

function Facts({ node }: { node: SchemaNode }): JSX.Element {
  const { limits, choices, default: usual, example, marks, description } = node;
  const said = [
    ...limits,
    ...marks,
    ...(usual === undefined ? [] : [`default ${usual}`]),
    ...(example === undefined || example.length > 60 ? [] : [`example ${example}`]),
  ];
  return (
    <>
      {' '}
      <span class="type">{nameType(node)}</span>
      {said.length === 0 ? null : <span class="hint"> {said.join(' · ')}</span>}
      {choices.length === 0 ? null : (
        <span class="hint">
          {' '}
          one of{' '}
          {choices.map((choice, index) => (
            <span key={choice}>
              {index === 0 ? '' : ', '}
              <code>{choice}</code>
            </span>
          ))}
        </span>
      )}
      {description === undefined ? null : <Description text={description} />}
    </>
  );
}

function Below({ node, isOpen }: { node: SchemaNode; isOpen: boolean }): JSX.Element | null {
  const [more, setMore] = useState<SchemaNode | undefined>(undefined);
  const { below } = more ?? node;
  if (below.length === 0 && !node.isCut) return null;
  // What stands too deep is read when somebody looks at it.
  const read = async (): Promise<void> => {
    if (!node.isCut || more !== undefined) return;
    const at = node.at.map((pointer) => `at=${encodeURIComponent(pointer)}`).join('&');
    setMore(await ask<SchemaNode>(`GET /console/schema?${at}`));
  };
  const properties = below.filter(({ kind }) => kind === 'property').length;
  const title = properties > 0 ? `${properties} propert${properties === 1 ? 'y' : 'ies'}` : (below[0]?.kind ?? 'more');
  return (
    <details
      class="below"
      open={isOpen}
      onToggle={({ currentTarget }) => (currentTarget.open ? void read() : undefined)}
    >
      <summary>{title}</summary>
      <ul class="schema">
        {below.map(({ name, kind, required, schema }, index) => (
          <li key={`${index} ${name}`}>
            {kind === 'alternative' ? <b>or </b> : <code class="property">{name}</code>}
            {required ? <span class="needed"> required</span> : null}
            <Facts node={schema} />
            <Below node={schema} isOpen={kind === 'items' && isOpen} />
          </li>
        ))}
      </ul>
    </details>
  );
}
