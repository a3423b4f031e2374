import { createParser } from "nuqs";

/** A text of the URL. An empty one counts as absent: as a row's id it would request the whole list. */
export const parseAsStated = createParser({
  parse: (text: string) => (text === "" ? null : text),
  serialize: String,
});
