import { isObject } from "@/lib/access/model/json";

/** The words for the changes that wait for a second person. */
const REVIEWED_CHANGES = { off: "None", widening: "Those that give more access", all: "All" } as const;

/** The changes that wait, each with its meaning. */
export const REVIEW_OPTIONS = [
  { value: "off", label: REVIEWED_CHANGES.off, hint: "Every change is saved at once" },
  { value: "widening", label: REVIEWED_CHANGES.widening, hint: "They let somebody see or call more" },
  { value: "all", label: REVIEWED_CHANGES.all, hint: "Every change of the configuration" },
] as const;

/** Flattens settings into parts, so that each is a separate change: `routing high: 0.8 → 0.9`. */
export function settingsInParts(settings: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]: [string, unknown]) =>
      isObject(value) ? Object.entries(value).map(([part, one]) => partInWords(name, part, one)) : [[name, value]],
    ),
  );
}

/** A part with the name and the choice of its field on the page where those are not its own. */
function partInWords(name: string, part: string, value: unknown): readonly [string, unknown] {
  if (name !== "review" || part !== "changes") return [`${name} ${part}`, value];
  const known = Object.hasOwn(REVIEWED_CHANGES, String(value));
  return ["changes that wait", known ? REVIEWED_CHANGES[value as keyof typeof REVIEWED_CHANGES] : value];
}

/** What a save says when it begins or ends reviews, and the page that shows the effect; `null` when it does neither. */
export function reviewEffect(
  before: string,
  after: string,
): { readonly title: string; readonly label: string; readonly href: string } | null {
  if ((before === "off") === (after === "off")) return null;
  return after === "off"
    ? { title: "Changes no longer wait for a second person", label: "Open changes", href: "/admin/changes" }
    : { title: "Changes now wait for a second person", label: "Open requests", href: "/admin/requests" };
}
