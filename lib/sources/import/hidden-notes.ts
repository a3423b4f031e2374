import type { DriftNote } from "@/lib/contracts/sources/drift";
import { hiddenCharacters, type HiddenCharacter } from "@/lib/access/model/hidden-characters";

/** The most notes about single runs, so that other notes stay visible. */
const MAX_RUNS = 8;
/** Most characters of a run that a note lists. */
const MAX_NAMED = 3;

/**
 * A note for each run of hidden characters in these texts, with their number, code points and effect. Equal runs share a
 * note with the number of places.
 */
export function hiddenNotes(texts: readonly string[]): DriftNote[] {
  const places = new Map<string, { readonly run: readonly HiddenCharacter[]; readonly count: number }>();
  for (const run of texts.flatMap(runsOf)) {
    const key = run.map(({ codePoint }) => codePoint).join(" ");
    places.set(key, { run, count: (places.get(key)?.count ?? 0) + 1 });
  }
  const sentences = [...places.values()].map(({ run, count }) => sentenceOf(run, count));
  const more = sentences.length - MAX_RUNS;
  const shown = more > 0 ? [...sentences.slice(0, MAX_RUNS), `Its text holds ${more} more such runs.`] : sentences;
  return shown.map((text) => ({ severity: "high", text }));
}

/** Groups adjacent hidden characters with the same effect. */
function runsOf(text: string): HiddenCharacter[][] {
  const runs: HiddenCharacter[][] = [];
  for (const character of hiddenCharacters(text)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last?.name === character.name && last.at + last.length === character.at)
      run.push(character);
    else runs.push([character]);
  }
  return runs;
}

function sentenceOf(run: readonly HiddenCharacter[], places: number): string {
  const codes = run.slice(0, MAX_NAMED).map(({ codePoint }) => codePoint);
  const named = run.length > MAX_NAMED ? `${codes.join(" ")} …` : codes.join(" ");
  const which = run.length === 1 ? named : `${run.length} characters in a row (${named})`;
  return `Its text holds ${which}${places === 1 ? "" : `, in ${places} places`}: ${run[0]?.name ?? ""}.`;
}
