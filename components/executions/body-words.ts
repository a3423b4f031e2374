import { counted } from "@/components/ui/counted";

/** A number of bodies of the log, in the words of its pages: "1 argument or result", "20 arguments and results". */
export function bodiesInWords(bodies: number): string {
  return counted(bodies, "argument or result", "arguments and results");
}
