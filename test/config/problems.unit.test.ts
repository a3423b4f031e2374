import { expect, it } from "vitest";
import { atOnce } from "@/lib/access/model/parts";
import { parseDocument, type StatedDocument } from "@/lib/config/document";
import { mergeInParts } from "@/lib/config/merge";

const ROWS = 1_000;
const apiVersion = "quartermaster/v1";

it("a document lists at most 500 problems, however many rows have one name", () => {
  const groups = Array.from({ length: ROWS }, () => ({ name: "crm" }));
  expect(parseDocument({ apiVersion, groups })).toMatchObject({ ok: false, errors: { length: 500 } });
});

it("a merge lists at most 500 problems, however many rows are wrong", () => {
  const groups = Array.from({ length: ROWS }, (_, at) => ({ name: `g${at}`, selectors: 1, colour: "red" }));
  const stated = { apiVersion, groups } as unknown as StatedDocument;
  expect(atOnce(mergeInParts({ apiVersion }, stated))).toMatchObject({ ok: false, errors: { length: 500 } });
});
