import { useState } from 'react';
import { ApiError, STATUSES, type Pet, type Api, type Status } from './api.js';

interface AddPetProps {
  api: Api;
  onAdded: (pet: Pet) => void;
}

/** The service decides what a pet must be; the form shows what it says. */
export function AddPet({ api, onAdded }: AddPetProps) {
  const [name, setName] = useState('');
  const [category, setCategory] = useState('1');
  const [status, setStatus] = useState<Status>('available');
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ role: 'alert' | 'status'; text: string }>();

  async function add() {
    setBusy(true);
    setSaid(undefined);
    try {
      const pet = await api.addPet({ name, categoryId: readNumber(category), status });
      setName('');
      setSaid({ role: 'status', text: `${pet.name} was added.` });
      onAdded(pet);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setSaid({ role: 'alert', text: error.message });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form aria-label="Add a pet" onSubmit={(event) => (event.preventDefault(), void add())}>
      <label>
        Name <input value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      <label>
        Category <input value={category} inputMode="numeric" onChange={({ target }) => setCategory(target.value)} />
      </label>
      <label>
        Status{' '}
        <select value={status} onChange={({ target }) => setStatus(target.value as Status)}>
          {STATUSES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {/* A second click while the first is under way would add a second pet. */}
      <button disabled={busy}>{busy ? 'Adding …' : 'Add'}</button>
      {said && <p role={said.role}>{said.text}</p>}
    </form>
  );
}

function readNumber(typed: string): number | string {
  const number = Number(typed);
  return typed.trim() === '' || Number.isNaN(number) ? typed : number;
}
