import { expect, test } from "vitest";
import { filterAsText, extractFilters } from "@/components/resource/filters/filter-text";

// Chips and text are two faces of one string (docs/reference/interface.md#lists).

const KEYS = ["source", "tag", "enabled"];

test.each([
  ["refund source:support", false, { q: "refund source:support", filters: {} }],
  ["refund source:support ", false, { q: "refund", filters: { source: "support" } }],
  ["refund source:support", true, { q: "refund", filters: { source: "support" } }],
  [
    'tag:"two words" enabled:true big refund ',
    false,
    { q: "big refund", filters: { tag: "two words", enabled: "true" } },
  ],
  ["source:a source:b ", false, { q: "", filters: { source: "b" } }],
  ["support:get_order ", true, { q: "support:get_order ", filters: {} }],
  ['tag:"not closed ', true, { q: 'tag:"not closed ', filters: {} }],
  ["my-source:x ", true, { q: "my-source:x ", filters: {} }],
  ["source: x", true, { q: "source: x", filters: {} }],
  ["two  spaces ", false, { q: "two  spaces ", filters: {} }],
] as const)("%j, done %s", (text, done, read) => expect(extractFilters(text, KEYS, done)).toEqual(read));

test.each([
  ["source", "support"],
  ["tag", "two words"],
  ["tag", "a:b"],
])("a chip %s:%s is read back from its text", (key, value) =>
  expect(extractFilters(filterAsText(key, value), KEYS, true)).toEqual({ q: "", filters: { [key]: value } }),
);
