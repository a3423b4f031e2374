import type { ViewedList } from "@/lib/resources/saved-view";
import { hrefOf, type ResourceFacts } from "@/components/resource/view";
import { NAVIGATION } from "@/components/shell/navigation";
import type { Theme } from "@/components/shell/theme";
import type { ResourceName } from "@/lib/resources";
import { can, type Role } from "@/lib/resources/permissions";

/** One entry of the palette: a page or an action. */
export interface Target {
  /** Unique in the palette. */
  readonly id: string;
  readonly label: string;
  /** Its kind, in a word or two. */
  readonly hint: string;
  readonly does: { readonly href: string; readonly first?: () => void } | { readonly run: () => void };
}

/** Targets of one kind with a heading. Base UI requires the name `items`. */
export interface Group {
  readonly label: string;
  readonly items: readonly Target[];
}

/** Every page that a role may read. */
export function pagesFor(role: Role): readonly Target[] {
  return NAVIGATION.flatMap(({ entries }) => entries)
    .filter(({ permission }) => can(role, permission))
    .map(({ label, href }) => ({ id: `page ${href}`, label, hint: "page", does: { href } }));
}

/** The functions for palette entries that are no pages. */
export interface PaletteActions {
  readonly theme: Theme;
  readonly onTheme: (theme: Theme) => void;
  readonly onKeys: () => void;
  /** Absent: the role may not pause calls. */
  readonly onPause?: (() => void) | undefined;
  readonly onSignOut: () => void;
}

/** The actions that this role may take. */
export function verbsFor(facts: readonly ResourceFacts<ResourceName>[], actions: PaletteActions): readonly Target[] {
  const verb = (label: string, does: Target["does"]): Target => ({ id: `verb ${label}`, label, hint: "action", does });
  const themes = (["light", "dark", "system"] as const).filter((theme) => theme !== actions.theme);
  return [
    ...facts
      .filter(({ canWrite }) => canWrite)
      .map(({ resource, words: [one] }) => verb(`New ${one}`, { href: `/admin/${resource}/new` })),
    ...themes.map((theme) =>
      verb(`Switch to the ${theme === "system" ? "system’s" : theme} theme`, { run: () => actions.onTheme(theme) }),
    ),
    ...(actions.onPause === undefined ? [] : [verb("Pause calls", { run: actions.onPause })]),
    verb("Keyboard shortcuts", { run: actions.onKeys }),
    verb("Sign out", { run: actions.onSignOut }),
  ];
}

/** A row of a resource. */
export function objectTarget({ resource, words: [one] }: ResourceFacts<ResourceName>, id: string): Target {
  return { id: `object ${resource} ${id}`, label: id, hint: one, does: { href: hrefOf(resource, id) } };
}

/** A search of the log for the text, which finds tools, agents and ids. It searches no arguments, so the hint says what. */
export function logTarget(role: Role, text: string): readonly Target[] {
  if (!can(role, "executions:read")) return [];
  const does = { href: `/admin/executions?q=${encodeURIComponent(text)}` };
  return [{ id: "log", label: `Search executions for “${text}”`, hint: "tools, agents and ids", does }];
}

/** The name of a list in a view's hint. */
export function wordOfList(facts: readonly ResourceFacts<ResourceName>[], list: ViewedList): string {
  return facts.find(({ resource }) => resource === list)?.words[1] ?? list;
}

/** The targets that hold every word of a text, somewhere in label or hint. */
export function fitting(targets: readonly Target[], text: string): readonly Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return targets.filter(({ label, hint }) => {
    const own = `${label} ${hint}`.toLowerCase();
    return words.every((word) => own.includes(word));
  });
}

/** Those of the targets whose label equals or begins with the text, exact labels first; none for an empty text. */
export function beginningWith(targets: readonly Target[], text: string): readonly Target[] {
  if (text === "") return [];
  return targets.filter(({ label }) => distance(label, text) <= 1).toSorted(byDistance(text));
}

/** Orders targets by label: equal to the text, then beginning with it, then holding it. */
export function byDistance(text: string): (a: Target, b: Target) => number {
  return (a, b) => distance(a.label, text) - distance(b.label, text);
}

function distance(label: string, text: string): number {
  const at = label.toLowerCase().indexOf(text.toLowerCase());
  return label.length === text.length && at === 0 ? 0 : at === 0 ? 1 : at > 0 ? 2 : 3;
}
