import { isList } from "@/lib/access/model/json";
import type { Json } from "@/lib/access/model/configuration";

/** A character that is invisible or imitates another one. */
export interface HiddenCharacter {
  /** The position, in UTF-16 units. */
  readonly at: number;
  /** The length, in UTF-16 units. */
  readonly length: number;
  /** For example `U+202E`. */
  readonly codePoint: string;
  /** The effect of the character, in a few words. */
  readonly name: string;
  /** `hidden`: invisible, or changes the order of visible text. `confusable`: looks like another letter. */
  readonly kind: "hidden" | "confusable";
}

/**
 * Invisible characters by effect (Unicode 17; UTR 36 and UTS 39). The first entry that matches names the effect. Unassigned
 * code points count too when they are ignorable by default (UAX 44): they are rendered as nothing.
 */
const HIDDEN: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["changes the direction of text", /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u],
  ["invisible tag character, which only models read", /[\u{E0000}-\u{E007F}]/u],
  ["zero width", /[\u200B-\u200D\u2060-\u2064\uFEFF]/u],
  ["variation selector, which can carry hidden data", /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u],
  ["control character", /(?![\t\n\r])\p{Cc}/u],
  ["line or paragraph separator", /[\u2028\u2029]/u],
  ["invisible", /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u],
];

/** A cheap first test: almost every text passes without such a character. */
const SUSPECT = /[^\t\n\r\u0020-\u007E\u00A0-\u00AC\u00AE-\u00FF]/u;
/** Joiners and selectors between the parts of an emoji are legitimate. */
const EMOJI =
  /\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]*(?:\u200D\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]*)*/gu;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const LATIN = /\p{Script=Latin}/u;
/** Cyrillic, Greek and Armenian letters that look Latin, and all of Cherokee. */
const LOOKALIKE = /[АВЕЅІЈКМНОРСТУХҮаеіјкморсухѕһԁԛԝүΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορικυγօսոՕՍ\p{Script=Cherokee}]/u;
/** Variants of Latin letters: full width, mathematical, enclosed. */
const LATIN_VARIANT = /[\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}\u{24B6}-\u{24E9}]/u;

/**
 * Finds the characters that deceive a reader, in order: invisible ones (direction overrides, zero width, the tags
 * block), and letters of another script inside a Latin word. A text in one script has no such letters.
 */
export function hiddenCharacters(text: string): HiddenCharacter[] {
  if (!SUSPECT.test(text)) return [];
  const emoji = placesOf(text, EMOJI);
  const mixed = placesOf(text, WORD, (word) => LATIN.test(word) && LOOKALIKE.test(word));
  const found: HiddenCharacter[] = [];
  let at = 0;
  for (const character of text) {
    const effect = emoji.has(at) ? null : effectOf(character, mixed.has(at));
    if (effect !== null) found.push({ at, length: character.length, codePoint: codePointOf(character), ...effect });
    at += character.length;
  }
  return found;
}

/** The text without its hidden characters; the same text when there are none. */
export function withoutHidden(text: string): string {
  const hidden = hiddenCharacters(text).filter(({ kind }) => kind === "hidden");
  if (hidden.length === 0) return text;
  let from = 0;
  let kept = "";
  for (const { at, length } of hidden) {
    kept += text.slice(from, at);
    // Without the line or paragraph separator, two words would become one.
    if (/[\u2028\u2029]/.test(text.slice(at, at + length))) kept += " ";
    from = at + length;
  }
  return kept + text.slice(from);
}

/** One sentence names at most this many characters. */
const MAX_NAMED_CODES = 3;

/**
 * The code points of hidden characters in every text of a value, member names included, as one short text; empty =
 * none.
 */
export function hiddenCodes(value: Json): string {
  const codes = new Set<string>();
  const walk = (inner: Json): void => {
    if (typeof inner === "string") {
      for (const { kind, codePoint } of hiddenCharacters(inner)) if (kind === "hidden") codes.add(codePoint);
    } else if (typeof inner === "object" && inner !== null)
      for (const [name, member] of Object.entries<Json>(inner)) {
        if (!isList(inner)) walk(name);
        walk(member);
      }
  };
  walk(value);
  const named = [...codes].slice(0, MAX_NAMED_CODES).join(", ");
  return codes.size > MAX_NAMED_CODES ? `${named} …` : named;
}

function effectOf(character: string, inMixedWord: boolean): Pick<HiddenCharacter, "name" | "kind"> | null {
  if (!SUSPECT.test(character)) return null;
  const hidden = HIDDEN.find(([, pattern]) => pattern.test(character));
  if (hidden !== undefined) return { name: hidden[0], kind: "hidden" };
  const confusable = LATIN_VARIANT.test(character) || (inMixedWord && LOOKALIKE.test(character));
  return confusable ? { name: "looks like a Latin letter", kind: "confusable" } : null;
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Every UTF-16 position inside the matches of a pattern. */
function placesOf(text: string, pattern: RegExp, counts: (match: string) => boolean = () => true): Set<number> {
  const places = new Set<number>();
  for (const { 0: match, index } of text.matchAll(pattern))
    if (counts(match)) for (let at = index; at < index + match.length; at += 1) places.add(at);
  return places;
}
