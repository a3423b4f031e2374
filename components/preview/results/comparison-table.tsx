import { machineStateInWords } from "@/components/executions/state-words";
import { cn } from "@/components/ui/cn";
import { listFirst } from "@/lib/access/model/lists";
import type { ComparisonOutput } from "@/lib/contracts/decisions/comparison";

type Side = ComparisonOutput["before"];

interface ComparisonTableProps {
  answer: ComparisonOutput;
  names: { readonly before: string; readonly after: string };
}

/** Both sides fact by fact: the number of tools, and other differences. */
export function ComparisonTable({ answer: { before, after }, names }: ComparisonTableProps) {
  const rows = FACTS.map(({ label, value, always = false }) => ({
    label,
    before: value(before),
    after: value(after),
    always,
  })).filter((row) => row.always || row.before !== row.after);
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 rounded-md border border-line text-xs">
      <caption className="sr-only">Differences between the two previews</caption>
      <thead>
        <tr className="text-left text-muted">
          <th scope="col" className="w-28 px-3 py-1.5">
            <span className="sr-only">What</span>
          </th>
          <th scope="col" className="truncate px-3 py-1.5 font-medium">
            {names.before}
          </th>
          <th scope="col" className="truncate px-3 py-1.5 font-medium">
            {names.after}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.label} className="align-top">
            <th scope="row" className="border-t border-line px-3 py-1.5 text-left font-normal text-faint">
              {row.label}
            </th>
            <td className="border-t border-line px-3 py-1.5 break-words tabular-nums">{row.before}</td>
            <td
              className={cn(
                "border-t border-line px-3 py-1.5 break-words tabular-nums",
                row.before !== row.after && "font-medium",
              )}
            >
              {row.after}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FactOf {
  readonly label: string;
  readonly value: (side: Side) => string;
  /** Shown even without a difference. */
  readonly always?: boolean;
}

const FACTS: readonly FactOf[] = [
  { label: "Tools", value: ({ visible, hidden }) => `${count(visible)} of ${count(visible + hidden)}`, always: true },
  { label: "Tokens", value: ({ tokens }) => `about ${count(tokens)}`, always: true },
  { label: "Revision", value: ({ revision }) => (revision === 0 ? "draft" : String(revision)) },
  { label: "Policies", value: ({ matchedPolicies }) => listed(matchedPolicies) },
  { label: "Groups", value: ({ grantedGroups }) => listed(grantedGroups) },
  { label: "Requested", value: ({ requestedGroups }) => listed(requestedGroups) },
  { label: "State", value: ({ machine, state }) => machineStateInWords(machine, state) },
  { label: "Profile", value: ({ profile }) => profile.join(" + ") },
  { label: "Capabilities", value: ({ request }) => listed(request.capabilities) },
  { label: "Routing", value: ({ mode }) => mode.replaceAll("_", " ") },
];

/** Most names in a cell; the rest is counted. */
const MAX_NAMED = 12;

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : listFirst(names, MAX_NAMED, String);
}

function count(number: number): string {
  return number.toLocaleString("en");
}
