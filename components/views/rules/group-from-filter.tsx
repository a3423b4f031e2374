import { Group } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { storeDraft } from "@/components/resource/editor/stored-draft";
import { useGo } from "@/components/resource/go";
import { Button } from "@/components/ui/button";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { BLANK_GROUP } from "@/lib/access/model/blank-rows";
import { selectorFrom, TOOL_FILTERS } from "@/components/views/rules/selector-from-filter";
import { selectorInWords } from "@/components/views/rules/selector-words";

const PARSERS = Object.fromEntries(TOOL_FILTERS.map((key) => [key, parseAsString]));

/** Creates a group from the list's filters. They become a selector, so that later tools join the group. */
export function GroupFromFilter() {
  const [filters] = useQueryStates(PARSERS);
  const [asking, setAsking] = useState(false);
  const go = useGo();
  const { selector, left } = selectorFrom(filters);
  if (selector === null && left.length === 0) return null;
  const create = () => selector !== null && go(storeDraft("groups", { ...BLANK_GROUP, selectors: [selector] }));
  return (
    <>
      <Button
        title="New group whose selector is these filters"
        onClick={left.length === 0 ? create : () => setAsking(true)}
      >
        <Group aria-hidden /> Group these
      </Button>
      {asking && (
        <ActionDialog
          size="sm"
          title="A selector cannot express this filter completely"
          action="Create group without these filters"
          disabled={selector === null}
          onAct={create}
          onClose={() => setAsking(false)}
        >
          <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
            {left.map(({ filter, why }) => (
              <li key={filter}>
                <span className="font-medium">{filter}</span>: {why}
              </li>
            ))}
          </ul>
          <p className="text-sm text-muted">
            {selector === null
              ? "No other filter is set, so there is no selector to create."
              : `Remaining selector: ${selectorInWords(selector)}.`}
          </p>
        </ActionDialog>
      )}
    </>
  );
}
