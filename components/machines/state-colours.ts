/** The colours that a state may have, by the name that is stored. */
export const STATE_COLOURS: Readonly<Record<string, string>> = {
  grey: "#8b90a0",
  blue: "#4c6ef5",
  green: "#2f9e62",
  amber: "#d9920a",
  red: "#d6453d",
  violet: "#8a5cd6",
};
