// Searching what is in the files, as `antiquary find` does.

import { useEffect, useState } from 'preact/hooks';
import { address, getJson } from '../api/request';
import type { Found } from '../api/types';
import { useRequest } from '../api/use-request';
import { count } from '../text/number';
import { sentence } from '../api/request';
import type { Result } from './results';

const SHORTEST = 2;
const WAIT = 350;

export function useContents(query: string): { results: Result[]; status: string } {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query.trim()), WAIT);
    return () => clearTimeout(timer);
  }, [query]);
  const isAsked = settled.length >= SHORTEST;
  const answer = useRequest<Found>(settled, async (signal) =>
    isAsked ? getJson<Found>(address('find', null, { q: settled }), signal) : { results: [], failed: [], truncated: false },
  );
  if (query.trim().length < SHORTEST) return { results: [], status: 'Type at least two letters to search in all files.' };
  if (answer.state === 'loading' || settled !== query.trim()) return { results: [], status: 'Searching in all files…' };
  if (answer.state === 'failed') return { results: [], status: sentence(answer.reason) };
  const results = answer.value.results.flatMap(({ path, places }) => (places.length > 0 ? places : [null]).map((place) => toResult(path, place)));
  const failed = answer.value.failed.length === 0 ? '' : ` ${count(answer.value.failed.length)} damaged files could not be searched.`;
  if (results.length === 0) return { results, status: `No file names this.${failed}` };
  const more = answer.value.truncated ? ', and more' : '';
  return { results, status: `${count(results.length)} places in ${count(answer.value.results.length)} files${more}.${failed}` };
}

function toResult(path: string, place: Found['results'][number]['places'][number] | null): Result {
  if (!place) return { path, marks: [], note: null, target: {} };
  const note = [place.field, place.text].filter((part) => part).join(': ');
  const target: Record<string, string> = {};
  if (place.field) Object.assign(target, { view: 'both', at: place.field });
  else if (place.offset !== null) Object.assign(target, { view: 'bytes', offset: String(place.offset) });
  return { path, marks: [], note, target };
}
