import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  text: () => string;
  label: string;
  /** What is copied, for screen readers. */
  of?: string;
}

const THANKS_MS = 1500;

export function CopyButton({ text, label, of }: Props): JSX.Element {
  const [told, setTold] = useState('');
  const copy = async (): Promise<void> => {
    const isDone = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    );
    setTold(isDone ? 'Copied' : 'Not allowed');
    setTimeout(() => setTold(''), THANKS_MS);
  };
  return (
    <button
      type="button"
      class="quiet copy"
      onClick={() => void copy()}
      aria-label={of === undefined ? undefined : `${label}: ${of}`}
    >
      <span aria-live="polite">{told === '' ? label : told}</span>
    </button>
  );
}

export function Snippet({ label, code }: { label: string; code: string }): JSX.Element {
  return (
    <div class="snippet">
      <div class="snippet-head">
        <span>{label}</span>
        <CopyButton text={() => code} label="Copy" of={label} />
      </div>
      <pre tabIndex={0} role="group" aria-label={label}>
        {code}
      </pre>
    </div>
  );
}
