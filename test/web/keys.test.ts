import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isKey, KEYS, type KeyName, type Shortcut } from "@/components/keyboard/keys";
import { NAVIGATION } from "@/components/shell/navigation";

/** The part of a keyboard event that identifies a key. */
function pressed(key: string, modifiers: Partial<KeyboardEvent> = {}): KeyboardEvent {
  return { key, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, ...modifiers } as KeyboardEvent;
}

const names = Object.keys(KEYS) as KeyName[];
const shortcutsFor = (event: KeyboardEvent, typing = false) => names.filter((name) => isKey(event, name, typing));

it("every key belongs to one shortcut", () => {
  for (const [name, { key, ctrl = false }] of Object.entries<Shortcut>(KEYS))
    expect(shortcutsFor(pressed(key, { ctrlKey: ctrl }))).toEqual([name]);
});

it("a component handles every shortcut", () => {
  const sources = readdirSync("components", { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const text = sources.map((file) => readFileSync(join("components", file), "utf8")).join("\n");
  const handled = [...text.matchAll(/\b(?:useKey|useFocusKey|isKey)\(\s*(?:event, )?"(\w+)"/g)].map(([, name]) => name);
  expect(names.filter((name) => !handled.includes(name))).toEqual([]);
});

it("no two pages have the same letter after g", () => {
  const letters = NAVIGATION.flatMap(({ entries }) => entries).flatMap(({ key }) => (key === undefined ? [] : [key]));
  expect(letters.toSorted()).toEqual([...new Set(letters)].toSorted());
});

it("while a person types, only the shortcuts of the palette and of saving work", () => {
  const own = (name: KeyName) => {
    const { key, ctrl = false }: Shortcut = KEYS[name];
    return pressed(key, { ctrlKey: ctrl });
  };
  expect(names.filter((name) => isKey(own(name), name, true))).toEqual(["palette", "save"]);
});

it("Cmd works like Ctrl, and keys with Alt or of an unfinished composition belong to no shortcut", () => {
  expect(shortcutsFor(pressed("k", { metaKey: true }))).toEqual(["palette"]);
  expect(shortcutsFor(pressed("j", { altKey: true }))).toEqual([]);
  expect(shortcutsFor(pressed("j", { isComposing: true }))).toEqual([]);
});

it("the sections of the navigation that start open fit a window of 900 pixels: at most 16 entries", () => {
  const open = NAVIGATION.filter(({ startsClosed }) => startsClosed !== true);
  expect(open.flatMap(({ entries }) => entries).length).toBeLessThanOrEqual(16);
});
