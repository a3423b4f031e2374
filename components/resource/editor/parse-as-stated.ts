import { createParser } from "nuqs";

/** A text of the URL. An empty one states nothing: as the id of a row it would ask for the whole list. */
export const parseAsStated = createParser({
  parse: (text: string) => (text === "" ? null : text),
  serialize: String,
});
